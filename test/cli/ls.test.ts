import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ls } from '../../src/cli/ls.js';
import { overview } from '../../src/cli/overview.js';
import { eventually } from '../control/control-fixture.js';
import { addRecord, cleared, jsonOf, newDesk, startSession } from './fake-session.js';

const ONE = 'aaaa1111-0000-4000-8000-000000000001';
const TWO = 'bbbb2222-0000-4000-8000-000000000002';
const THREE = 'cccc3333-0000-4000-8000-000000000003';

const lines = (text: string): string[] => text.trimEnd().split('\n');

test('sessions that wait come first; those that have ended are listed only on request', async () => {
  const desk = newDesk();
  await startSession(desk, ONE, { name: 'works' });
  await startSession(desk, TWO, { name: 'waits', state: 'held', holds: ['user'] });
  addRecord(desk, THREE, { name: 'over', state: 'done', endStatus: 'done' });
  expect(await ls({}, desk)).toBe(0);
  const [head, first, second, ...more] = lines(desk.out.text);
  expect(head).toMatch(/^ID +NAME +STATE/);
  expect(first).toMatch(/^bbbb2222 +waits +held +user/);
  expect(second).toMatch(/^aaaa1111 +works +running/);
  expect(more).toEqual([]);
  const again = cleared(desk);
  expect(await ls({ all: true }, again)).toBe(0);
  expect(again.out.text).toMatch(/^cccc3333 +over +done/m);
});

test('a session whose process is gone is shown as interrupted and without a pid', async () => {
  const desk = newDesk();
  addRecord(desk, ONE, { state: 'held', holds: ['user'], pid: 4711 });
  await ls({}, desk);
  expect(desk.out.text).toMatch(/^aaaa1111 .*interrupted .* -$/m);
});

test('where all sessions have ended it says so', async () => {
  const desk = newDesk();
  addRecord(desk, ONE, { state: 'done', endStatus: 'done' });
  expect(await ls({}, desk)).toBe(0);
  expect(desk.out.text).toContain('ouro ls --all');
});

test('as JSON the list is one versioned object', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE, { rounds: 7 });
  expect(await ls({ json: true }, desk)).toBe(0);
  expect(jsonOf(desk)).toMatchObject({
    v: 1,
    ok: true,
    sessions: [{ id: session.id, state: 'running', live: true, rounds: 7, cost_usd: null }],
  });
});

test('where nothing ever ran there is nothing to list, and nothing is created', async () => {
  const desk = newDesk();
  expect(await ls({}, desk)).toBe(0);
  expect(desk.out.text).toContain('ouro start');
  expect(existsSync(desk.home)).toBe(false);
});

test('an index that cannot be read is a reason, in JSON too, and exit 1', async () => {
  const desk = newDesk();
  addRecord(desk, ONE);
  writeFileSync(join(desk.home, 'ouro.db'), 'this is no database, whatever its name may be');
  const broken = cleared(desk);
  expect(await ls({ json: true }, broken)).toBe(1);
  expect(jsonOf(broken)).toMatchObject({ v: 1, ok: false, error: { code: 'not_possible' } });
  expect(broken.err.text).toContain('ouro.db');
});

test('watching draws the list again and again until Ctrl+C', async () => {
  const desk = newDesk({ isTerminal: true });
  await startSession(desk, ONE);
  const watching = ls({ watch: true }, desk);
  const drawn = (): number => desk.out.text.split('\x1b[H\x1b[2J').length - 1;
  await eventually(() => drawn() >= 2);
  desk.signals.emit('SIGINT');
  expect(await watching).toBe(130);
  expect(desk.signals.listenerCount('SIGINT')).toBe(0);
});

test('watching ends quietly when nobody reads any more', async () => {
  const desk = newDesk();
  addRecord(desk, ONE);
  const watching = ls({ watch: true }, desk);
  await eventually(() => desk.out.text !== '');
  desk.out.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  expect(await watching).toBe(0);
  expect(desk.err.text).toBe('');
});

test('ouro alone says in five lines what goes on, what waits first, and starts nothing', async () => {
  const desk = newDesk();
  expect(await overview(desk)).toBe(0);
  expect(desk.out.text).toContain('no session is running');
  expect(desk.out.text).toContain('ouro run "GOAL"');
  expect(existsSync(desk.home)).toBe(false);

  await startSession(desk, ONE);
  await startSession(desk, TWO, { state: 'held', holds: ['user'] });
  addRecord(desk, THREE);
  addRecord(desk, THREE.replace('cccc', 'dddd'));
  const busy = cleared(desk);
  await overview(busy);
  const said = lines(busy.out.text);
  expect(said).toHaveLength(5);
  expect(said[0]).toBe('4 sessions: 1 waiting for you, 2 interrupted, 1 at work');
  expect(said[1]).toMatch(/bbbb2222 .*ouro resume bbbb2222/);
  expect(said[4]).toContain('ouro ls');
});
