import { appendFileSync, copyFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import Sqlite from 'better-sqlite3';
import { logs } from '../../src/cli/logs.js';
import { journalFile } from '../../src/store/journal-file.js';
import { sessionDir } from '../../src/store/layout.js';
import { factOf, sessionFact } from '../../messages/journal.js';
import type { AgentId } from '../../messages/ids.js';
import { eventually } from '../control/control-fixture.js';
import { note, notes } from '../store/journal-samples.js';
import { NOW, addRecord, cleared, newDesk, startSession } from './fake-session.js';

const ONE = 'aaaa1111-0000-4000-8000-000000000001';
const SUB = 'sub-1' as AgentId;

const lines = (text: string): string[] => text.split('\n').slice(0, -1);

test('each event is one line, while the session runs and after', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  await session.journal.append([sessionFact('goal.set', { goal: 'two\nlines' }), note('a find')]);
  expect(await logs({}, desk)).toBe(0);
  const [started, goal, find] = lines(desk.out.text);
  expect(started).toContain('session started');
  expect(goal).toContain('goal: two⏎lines');
  expect(find).toContain('a find');
  await session.end();
  const after = cleared(desk);
  expect(await logs({ id: 'aaaa' }, after)).toBe(0);
  expect(after.out.text).toContain(desk.out.text);
  expect(after.out.text).toContain('session ended: done');
});

test('-n, --agent and --since narrow it down', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  await session.journal.append([
    ...notes(400),
    factOf('discovery.added', SUB, 1, note('sub').body as never),
  ]);
  const last = cleared(desk);
  expect(await logs({ lines: '2' }, last)).toBe(0);
  expect(lines(last.out.text).map((line) => / (note 399|sub):/.exec(line)?.[1])).toEqual([
    'note 399',
    'sub',
  ]);
  const agent = cleared(desk);
  await logs({ agent: 'sub-1' }, agent);
  expect(lines(agent.out.text)).toHaveLength(1);
  for (const [since, count] of [
    ['10m', 402],
    ['2026-03-01T12:00:00Z', 402],
  ] as const) {
    const some = cleared(desk);
    expect(await logs({ since }, some)).toBe(0);
    expect(lines(some.out.text)).toHaveLength(count);
  }
  const later = cleared(desk, { now: () => NOW + 3_600_000 });
  await logs({ since: '30m' }, later);
  expect(later.out.text).toBe('');
});

test('what cannot be understood is misuse', async () => {
  const desk = newDesk();
  await startSession(desk, ONE);
  for (const wrong of [{ lines: '-1' }, { lines: 'ten' }, { since: 'yesterday' }]) {
    expect(await logs(wrong, desk)).toBe(2);
  }
});

test('a time of day means the last one there was', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  await session.journal.append(notes(1));
  const at = new Date(NOW - 60_000);
  const clock = `${at.getHours()}:${String(at.getMinutes()).padStart(2, '0')}`;
  expect(await logs({ since: clock }, desk)).toBe(0);
  expect(lines(desk.out.text)).toHaveLength(2);
});

test('as JSON every row is one versioned line, bookkeeping too', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  const intent = { model: 'some-model', messages: 2, attempt: 1 };
  await session.journal.append([sessionFact('model.intent', intent)]);
  await logs({ json: true }, desk);
  const rows = lines(desk.out.text).map((line) => JSON.parse(line) as object);
  expect(rows).toMatchObject([
    { v: 1, seq: 1, kind: 'session.started', agent: 'main' },
    { v: 1, seq: 2, kind: 'model.intent', body: intent },
  ]);
});

test('following prints what comes until the session ends', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  const following = logs({ follow: true, lines: '0' }, desk);
  await session.journal.append([note('first')]);
  await eventually(() => desk.out.text.includes('first'));
  await session.journal.append([note('second')]);
  await session.end();
  expect(await following).toBe(0);
  expect(lines(desk.out.text)).toHaveLength(3);
  expect(desk.out.text).toMatch(/second[^]*session ended/);
});

test('following ends at Ctrl+C with its exit code, and quietly when nobody reads', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  const following = logs({ follow: true }, desk);
  await eventually(() => desk.out.text !== '');
  desk.signals.emit('SIGINT');
  expect(await following).toBe(130);

  const piped = cleared(desk);
  const unread = logs({ follow: true }, piped);
  await eventually(() => piped.out.text !== '');
  piped.out.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  await session.journal.append([note('for nobody')]);
  expect(await unread).toBe(0);
  expect(piped.err.text).toBe('');
});

test('a damaged journal is printed up to the damage, then the reason is given', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  await session.journal.append(notes(5));
  await session.end();
  const db = new Sqlite(journalFile(sessionDir(desk.home, session.id)));
  db.exec(`UPDATE rows SET body = '{}' WHERE seq = 4`);
  db.close();
  for (const options of [{}, { lines: '2' }]) {
    const print = cleared(desk);
    expect(await logs({ id: 'aaaa', ...options }, print)).toBe(1);
    expect(print.out.text).toContain('note 1');
    expect(print.out.text).not.toContain('note 2');
    expect(print.err.text).toContain('row 4');
  }
});

test('--daemon prints the file that the process left, and its end is awaited too', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  expect(await logs({ daemon: true }, desk)).toBe(1);
  const file = join(sessionDir(desk.home, session.id), 'daemon.log');
  writeFileSync(file, '{"msg":"one"}\n{"msg":"two \u00e4"}\n');
  const print = cleared(desk);
  const following = logs({ daemon: true, lines: '1', follow: true }, print);
  await eventually(() => print.out.text !== '');
  appendFileSync(file, '{"msg":"three"}\n');
  await session.end();
  expect(await following).toBe(0);
  expect(print.out.text).toBe('{"msg":"two ä"}\n{"msg":"three"}\n');
});

test('--daemon goes on over a file that begins anew, and prints the older one first', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  const file = join(sessionDir(desk.home, session.id), 'daemon.log');
  writeFileSync(file, 'one\n');
  const print = cleared(desk);
  const following = logs({ daemon: true, follow: true }, print);
  await eventually(() => print.out.text === 'one\n');
  // What was written since the last look is only in the older one.
  appendFileSync(file, 'two\n');
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
  await eventually(() => print.out.text === 'one\ntwo\n');
  appendFileSync(file, 'three\n');
  await session.end();
  expect(await following).toBe(0);
  expect(print.out.text).toBe('one\ntwo\nthree\n');
  const after = cleared(desk);
  expect(await logs({ daemon: true }, after)).toBe(0);
  expect(after.out.text).toBe('one\ntwo\nthree\n');
});

test('a session without a journal is a reason, not a crash', async () => {
  const desk = newDesk();
  addRecord(desk, ONE);
  expect(await logs({ id: 'aaaa' }, desk)).toBe(1);
  expect(desk.err.text).toContain('There is no journal');
});
