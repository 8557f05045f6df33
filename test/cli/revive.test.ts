import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionFact } from '../../messages/journal.js';
import type { SessionId } from '../../messages/ids.js';
import { MOST_RESTARTS } from '../../src/cli/restart-plan.js';
import { revive } from '../../src/cli/revive.js';
import {
  endGuardian,
  guardianFile,
  isGuarded,
  readGuardian,
  writeGuardian,
} from '../../src/store/guardian-record.js';
import { openJournal } from '../../src/store/journal-store.js';
import { sessionDir } from '../../src/store/layout.js';
import { identityOf, type ProcessIdentity } from '../../src/store/process-identity.js';
import { specOf } from '../support/session-samples.js';
import { prints } from '../store/temp-folder.js';
import { addRecord, newDesk, readRecord, type Desk } from './fake-session.js';
import { spawn } from 'node:child_process';

const ONE = 'aaaa1111-0000-4000-8000-000000000001';
const KILLED = '137';

let said = '';
beforeEach(() => {
  said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(() => void vi.restoreAllMocks());

const myself = (): ProcessIdentity => {
  const identity = identityOf(process.pid);
  if (identity === null) throw new Error('no identity');
  return identity;
};

/** A session that died, with this process as its guardian. */
function crashed(restarts: number, guardian = myself()): { desk: Desk; id: SessionId } {
  const desk = newDesk();
  const id = addRecord(desk, ONE, { state: 'running', endStatus: null });
  mkdirSync(sessionDir(desk.home, id), { recursive: true });
  const now = Date.now();
  writeGuardian(desk.home, id, { ...guardian, restarts: Array<number>(restarts).fill(now) });
  return { desk, id };
}

test('one crash too many leaves the session as interrupted, and the hooks are told', async () => {
  const { desk, id } = crashed(MOST_RESTARTS);
  writeFileSync(
    join(desk.home, 'config.toml'),
    '[[hooks.Notification]]\ncommand = "cat > told"\n[model]\nname = "m"\nbase_url = "http://127.0.0.1:9/v1"\n',
  );
  expect(await revive([desk.home, id, KILLED])).toBe(0);
  expect(said).toContain('signal 9');
  expect(said).toContain('ouro resume aaaa1111');
  expect(readRecord(desk, id)).toMatchObject({ state: 'interrupted', pid: null, socket: null });
  expect(readGuardian(desk.home, id)).toBeNull();
  expect(JSON.parse(readFileSync(join(desk.cwd, 'told'), 'utf8'))).toMatchObject({
    event: 'Notification',
  });
});

test('a session that died while it did as it was told to, and stopped, stays stopped', async () => {
  const { desk, id } = crashed(0);
  const dir = sessionDir(desk.home, id);
  const journal = openJournal({ dir, session: id, mode: 'create', time: desk });
  await journal.append([
    sessionFact('session.started', { spec: specOf(), version: '0.1.0', pid: 1 }),
    sessionFact('user.action', { action: { do: 'stop' } }),
  ]);
  await journal.close();
  await revive([desk.home, id, KILLED]);
  expect(said).toBe('');
  expect(existsSync(guardianFile(desk.home, id))).toBe(false);
});

test('a process that is not the guardian any more does nothing', async () => {
  const { desk, id } = crashed(MOST_RESTARTS, { ...myself(), pid: process.pid + 1 });
  await revive([desk.home, id, KILLED]);
  expect(said).toBe('');
  expect(readGuardian(desk.home, id)).not.toBeNull();
});

test('a guardian is ended with its record; another process with its number is left alone', async () => {
  const child = spawn('sh', ['-c', 'echo ready; exec sleep 1000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await prints(child, (text) => text.includes('ready'));
  const identity = identityOf(child.pid ?? NaN);
  if (identity === null) throw new Error('no child');
  const { desk, id } = crashed(0, { ...identity, startTime: 'long ago' });
  expect(isGuarded(desk.home, id)).toBe(false);
  expect(endGuardian(desk.home, id)).toBe(false);
  expect(identityOf(identity.pid)).not.toBeNull();
  writeGuardian(desk.home, id, { ...identity, restarts: [] });
  expect(isGuarded(desk.home, id)).toBe(true);
  expect(endGuardian(desk.home, id)).toBe(true);
  expect(readGuardian(desk.home, id)).toBeNull();
});
