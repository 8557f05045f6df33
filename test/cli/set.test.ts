/** `ouro set`, of sessions that run and that do not. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fold } from '../../actors/recovery.js';
import type { SessionId } from '../../messages/ids.js';
import { sessionFact } from '../../messages/journal.js';
import { set } from '../../src/cli/set.js';
import { openJournalReader } from '../../src/store/journal-store.js';
import { prepareFolder, writeToken } from '../../src/control/socket-files.js';
import { ensureHome, sessionDir, sessionLock } from '../../src/store/layout.js';
import { acquireLock } from '../../src/store/lock.js';
import { giveName, givenName } from '../../src/store/session-labels.js';
import { newSocketPath, tokenPath } from '../../src/store/socket-path.js';
import {
  addRecord,
  cleared,
  jsonOf,
  newDesk,
  readRecord,
  startSession,
  type Desk,
} from './fake-session.js';

const ONE = 'aaaa1111-0000-4000-8000-000000000001';

const rowsIn = (desk: Desk, id: SessionId) => {
  const view = openJournalReader({ dir: sessionDir(desk.home, id), session: id });
  try {
    return [...view.rows()];
  } finally {
    view.close();
  }
};

const ALL = [
  'model=large',
  'fallback=a,b',
  'max-rounds=40',
  'max-cost=2.5',
  'max-tokens=none',
  'max-time=1h30m',
  'permission-mode=plan',
  'name=night run',
];
const CHANGE = {
  model: 'large',
  fallback: ['a', 'b'],
  maxRounds: 40,
  maxCost: 2.5,
  maxTokens: null,
  maxTimeMs: 5_400_000,
  permissionMode: 'plan',
  name: 'night run',
};

test('a running session is asked for all at once, named or not', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  expect(await set({ words: ALL }, desk)).toBe(0);
  expect(await set({ words: ['aaaa', 'fallback=none', 'max-rounds=none'] }, desk)).toBe(0);
  expect(session.asked).toEqual([
    { do: 'set', change: CHANGE },
    { do: 'set', change: { fallback: [], maxRounds: null } },
  ]);
  expect(desk.out.text).toBe('aaaa1111: set done\naaaa1111: set done\n');
});

test.each([
  [['modell=x'], '(model?)'],
  [['max_cost=2'], '(max-cost?)'],
  [['every=6h'], 'model, fallback, max-rounds, max-cost'],
  [['model=a', 'max-rounds=ten'], 'max-rounds=ten: expected a whole number'],
  [['model=a', 'max-cost=0'], 'max-cost=0: expected a number of dollars'],
  [['max-time=soon'], 'expected a duration'],
  [['permission-mode=careful'], 'default, accept-edits, plan, dont-ask, bypass'],
  [['name= '], 'expected a name'],
  [['fallback=a,,b'], 'separated by commas'],
  [['model=a', 'model=b'], 'given twice'],
  [['aaaa'], 'say what to change'],
  [['aaaa', 'model=a', 'large'], 'large: expected KEY=VALUE'],
  [[], 'say what to change'],
])('%j is misuse, and nothing is asked', async (words, said) => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  expect(await set({ words }, desk)).toBe(2);
  expect(desk.err.text).toContain(said);
  expect(session.asked).toEqual([]);
});

test('a session of an older program is not asked, and the person is told what helps', async () => {
  const desk = newDesk();
  ensureHome(desk.home);
  const socket = newSocketPath(desk.home, {});
  const id = addRecord(desk, ONE, { socket, pid: process.pid });
  mkdirSync(sessionDir(desk.home, id), { recursive: true });
  const lock = acquireLock(sessionLock(desk.home, id), { what: 'a session', session: id });
  const hello = { v: 1, session: id, version: '0.0.9', pid: 1, capabilities: ['status', 'pause'] };
  const heard: string[] = [];
  const server = createServer((client) => {
    client.on('data', (chunk) => void heard.push(String(chunk)));
    client.on('error', () => undefined);
    client.write(`${JSON.stringify(hello)}\n`);
  });
  onTestFinished(() => {
    server.close();
    lock?.release();
  });
  await prepareFolder(socket);
  await writeToken(tokenPath(socket));
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  expect(await set({ words: ['model=large'] }, desk)).toBe(1);
  expect(desk.err.text).toContain('ouro 0.0.9');
  expect(desk.err.text).toContain('ouro restart aaaa1111');
  expect(heard).toEqual([]);
});

test('one that does not run goes on with it: a row, a name, a line in the list', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  const { id } = session;
  await session.end();
  const words = ['model=large', 'max-tokens=900', 'name=night run'];
  expect(await set({ words }, desk)).toBe(0);
  const rows = rowsIn(desk, id);
  expect(rows.at(-1)).toMatchObject({
    kind: 'user.action',
    body: { action: { do: 'set', change: { model: 'large', maxTokens: 900, name: 'night run' } } },
  });
  expect(fold(rows).spec).toMatchObject({
    model: 'large',
    name: 'night run',
    budget: { sessionTokens: 900 },
  });
  expect(givenName(desk.home, id)).toBe('night run');
  expect(readRecord(desk, id)).toMatchObject({ name: 'night run', model: 'large' });
  const again = cleared(desk);
  expect(await set({ words, json: true }, again)).toBe(0);
  expect(jsonOf(again)).toMatchObject({ ok: true, sessions: [{ changed: false }] });
  expect(rowsIn(desk, id)).toHaveLength(rows.length);
});

test('its name is the one it was given last, wherever', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  const { id } = session;
  await session.end();
  giveName(desk.home, id, 'renamed');
  expect(await set({ words: ['name=a session'] }, desk)).toBe(0);
  expect(givenName(desk.home, id)).toBe('a session');
});

test('a limit of cost that could not be kept is refused in the words of the start', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  const { id } = session;
  await session.end();
  const before = rowsIn(desk, id).length;
  expect(await set({ words: ['max-cost=2'] }, desk)).toBe(1);
  expect(desk.err.text).toContain('No price is known for the model some-model');
  expect(desk.err.text).toContain('[prices."some-model"]');
  expect(rowsIn(desk, id)).toHaveLength(before);
  mkdirSync(desk.home, { recursive: true });
  writeFileSync(join(desk.home, 'config.toml'), '[prices."some-*"]\ninput = 1.0\noutput = 2.0\n');
  expect(await set({ words: ['max-cost=2'] }, desk)).toBe(0);
  expect(await set({ words: ['model=other'] }, cleared(desk))).toBe(1);
  expect(await set({ words: ['model=other', 'max-cost=none'] }, desk)).toBe(0);
});

test('a hold for a limit that is raised is gone when it goes on', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  const { id, journal } = session;
  const hold = {
    kind: 'budget',
    scope: 'session',
    since: 0,
    until: null,
    reason: 'the limit is reached',
    release: 'ouro resume aaaa1111 --add-tokens 500000',
    limit: 'tokens',
  } as const;
  await journal.append([
    sessionFact('user.action', { action: { do: 'set', change: { maxTokens: 10 } } }),
    sessionFact('hold.set', { hold }),
  ]);
  await session.end({ status: 'stopped', exit_code: 58 });
  expect(fold(rowsIn(desk, id)).holds).toEqual([hold]);
  expect(await set({ words: ['max-tokens=20'] }, desk)).toBe(0);
  expect(fold(rowsIn(desk, id)).holds).toEqual([]);
});
