import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kill } from '../../src/cli/kill.js';
import { isLive } from '../../src/cli/liveness.js';
import { sessionLock } from '../../src/store/layout.js';
import { identityOf } from '../../src/store/process-identity.js';
import { eventually } from '../control/control-fixture.js';
import { startWedged } from './start-wedged.js';
import { addRecord, cleared, newDesk, readRecord, startSession } from './fake-session.js';

const ONE = 'aaaa1111-0000-4000-8000-000000000001';

test('a session that answers is stopped, and its end is its own', async () => {
  const desk = newDesk();
  const { id } = await startSession(desk, ONE);
  expect(await kill({ id: 'aaaa' }, desk)).toBe(0);
  expect(desk.out.text).toMatch(/^aaaa1111: stopped/);
  expect(readRecord(desk, id)).toMatchObject({ state: 'stopped', endStatus: 'stopped' });
  const again = cleared(desk);
  expect(await kill({ id: 'aaaa' }, again)).toBe(0);
  expect(again.out.text).toContain('it was not running');
});

test('one that hangs is killed with what it started, and listed as interrupted', async () => {
  const desk = newDesk();
  const id = addRecord(desk, ONE, { socket: '/nowhere/to/be.sock' });
  const { program } = await startWedged(desk, id);
  expect(isLive(desk.home, id)).toBe(true);
  expect(await kill({ id: 'aaaa' }, desk)).toBe(0);
  expect(isLive(desk.home, id)).toBe(false);
  expect(desk.out.text).toMatch(/killed process \d+.*ouro resume aaaa1111/);
  expect(readRecord(desk, id)).toMatchObject({ state: 'interrupted', socket: null, pid: null });
  if (process.platform === 'linux') await eventually(() => identityOf(program) === null);
});

test('a process that is not proven to be the session is never killed', async () => {
  const desk = newDesk();
  const id = addRecord(desk, ONE);
  const wedged = await startWedged(desk, id);
  const ownerFile = `${sessionLock(desk.home, id)}.owner.json`;
  const owner = JSON.parse(readFileSync(ownerFile, 'utf8')) as object;
  writeFileSync(ownerFile, JSON.stringify({ ...owner, startTime: 'another' }));
  expect(await kill({ id: 'aaaa' }, desk)).toBe(1);
  expect(wedged.process.exitCode).toBe(null);
  expect(isLive(desk.home, id)).toBe(true);
  expect(identityOf(wedged.program)).not.toBe(null);
});

test('it is never guessed off a terminal', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  expect(await kill({}, desk)).toBe(2);
  expect(session.asked).toEqual([]);
});
