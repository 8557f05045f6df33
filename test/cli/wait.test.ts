import { expect, test } from 'vitest';
import { wait } from '../../src/cli/wait.js';
import { isLive } from '../../src/cli/liveness.js';
import { sessionFact } from '../../messages/journal.js';
import { openJournal } from '../../src/store/journal-store.js';
import { sessionDir } from '../../src/store/layout.js';
import { rest } from '../../src/cli/waiting-time.js';
import {
  addRecord,
  cleared,
  jsonOf,
  newDesk,
  patchRecord,
  specOf,
  startSession,
  userHold,
} from './fake-session.js';

const ONE = 'aaaa1111-0000-4000-8000-000000000001';
const TWO = 'bbbb2222-0000-4000-8000-000000000002';

test('it ends with the session, with its exit code, and when the workspace is free', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  const waiting = wait({ ids: [], json: true }, desk);
  await rest(50);
  await session.end({ status: 'round_limit', exit_code: 53 });
  expect(await waiting).toBe(53);
  expect(isLive(desk.home, session.id)).toBe(false);
  expect(jsonOf(desk)).toMatchObject({
    v: 1,
    ok: true,
    sessions: [{ session: ONE, status: 'round_limit', exit_code: 53, result: { type: 'result' } }],
  });
});

test('a session that has ended is not waited for', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  await session.end();
  expect(await wait({ ids: ['aaaa'] }, desk)).toBe(0);
  expect(desk.out.text).toMatch(/^aaaa1111: done/);
});

test('without a result the index, then the journal, says how it ended', async () => {
  const desk = newDesk();
  addRecord(desk, TWO, { state: 'failed', endStatus: 'stuck', exitCode: 54 });
  expect(await wait({ ids: ['bbbb'] }, desk)).toBe(54);

  const session = await startSession(desk, ONE);
  await session.end({ status: 'auth', exit_code: 41 });
  // As if the process had died between its last row and its line in the index.
  patchRecord(desk, session.id, { state: 'running', endStatus: null, exitCode: null });
  expect(await wait({ ids: ['aaaa'] }, cleared(desk))).toBe(41);
});

test('a session that dies is interrupted: exit 1, also when an earlier run of it was done', async () => {
  const desk = newDesk();
  const earlier = await startSession(desk, ONE);
  await earlier.end();
  patchRecord(desk, earlier.id, { state: 'running', endStatus: null, exitCode: null });
  const dir = sessionDir(desk.home, earlier.id);
  const journal = openJournal({ dir, session: earlier.id, mode: 'append', time: desk });
  const spec = specOf(earlier.id, desk.cwd);
  await journal.append([sessionFact('session.resumed', { version: '0.1.0', pid: 1, spec })]);
  await journal.close();
  expect(await wait({ ids: ['aaaa'], json: true }, desk)).toBe(1);
  expect(jsonOf(desk)).toMatchObject({ sessions: [{ status: 'interrupted', result: null }] });
});

test('a session that dies while it is waited for is noticed', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  const waiting = wait({ ids: ['aaaa'] }, desk);
  await rest(50);
  await session.die();
  expect(await waiting).toBe(1);
  expect(desk.out.text).toContain('interrupted');
});

test('of several the first exit code that is not 0 counts, and all are waited for', async () => {
  const desk = newDesk();
  const one = await startSession(desk, ONE);
  const two = await startSession(desk, TWO);
  const waiting = wait({ ids: ['bbbb', 'aaaa'] }, desk);
  await one.end({ status: 'stuck', exit_code: 54 });
  await two.end({ status: 'done', exit_code: 0 });
  expect(await waiting).toBe(54);
  expect(desk.out.text).toMatch(/^bbbb2222: done[^]*^aaaa1111: stuck/m);
});

test('when the time is over it exits 124, and the session goes on', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  expect(await wait({ ids: [], timeout: '50ms', json: true }, desk)).toBe(124);
  expect(jsonOf(desk)).toMatchObject({ ok: false, error: { code: 'timeout' } });
  expect(isLive(desk.home, session.id)).toBe(true);
});

test('--for held ends at the first hold; a session that ends without one is a reason', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  const waiting = wait({ ids: [], for: 'held' }, desk);
  session.show({ state: 'held', holds: [userHold(session.id)] });
  expect(await waiting).toBe(0);
  expect(desk.out.text).toBe('aaaa1111: held (user)\n');

  session.show({ state: 'running', holds: [] });
  const missed = cleared(desk);
  const inVain = wait({ ids: [], for: 'held' }, missed);
  await rest(50);
  await session.end();
  expect(await inVain).toBe(1);
  expect(missed.err.text).toContain('ended without being held');
});

test('what cannot be waited for is misuse', async () => {
  const desk = newDesk();
  await startSession(desk, ONE);
  for (const wrong of [{ for: 'question' }, { for: 'ever' }, { timeout: 'long' }]) {
    expect(await wait({ ids: ['aaaa'], ...wrong }, desk)).toBe(2);
  }
});
