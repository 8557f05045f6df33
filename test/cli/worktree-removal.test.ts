/** Worktrees of sessions that are removed or pruned. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionId } from '../../messages/ids.js';
import { sessionFact } from '../../messages/journal.js';
import { sessionsPrune } from '../../src/cli/sessions-prune.js';
import { sessionsRm } from '../../src/cli/sessions-rm.js';
import { sessionsShow } from '../../src/cli/sessions-list.js';
import { openJournal } from '../../src/store/journal-store.js';
import { sessionDir } from '../../src/store/layout.js';
import { makeWorktree } from '../../src/worktrees/make-worktree.js';
import { repositoryIn, write } from '../support/repository.js';
import { addRecord, cleared, jsonOf, newDesk, NOW, specOf, type Desk } from './fake-session.js';

const ONE = 'aaaa1111-0000-4000-8000-000000000001' as SessionId;
const TWO = 'bbbb2222-0000-4000-8000-000000000002' as SessionId;

/** A session that has ended, in a worktree of the desk's folder. */
async function ended(desk: Desk, id: SessionId) {
  const made = await makeWorktree({ home: desk.home, id, origin: desk.cwd });
  if (!made.ok) throw new Error(made.reason);
  const { worktree, workspace } = made;
  const old = NOW - 400 * 86_400_000;
  addRecord(desk, id, { workspace, state: 'done', startedAt: old, updatedAt: old });
  const dir = sessionDir(desk.home, id);
  mkdirSync(dir, { recursive: true });
  const journal = openJournal({ dir, session: id, mode: 'create', time: desk });
  const spec = { ...specOf(id, workspace), worktree };
  await journal.append([sessionFact('session.started', { spec, version: '0.1.0', pid: 1 })]);
  await journal.close();
  return worktree;
}

function deskWithRepository(): Desk {
  const desk = newDesk();
  mkdirSync(desk.home, { recursive: true, mode: 0o700 });
  repositoryIn(desk.cwd, { 'a.txt': 'a\n' });
  return desk;
}

test('show names the worktree, its branch and the commands', async () => {
  const desk = deskWithRepository();
  const { folder } = await ended(desk, ONE);
  expect(await sessionsShow({ id: ONE }, desk)).toBe(0);
  expect(desk.out.text).toContain(`of ${desk.cwd}, on ouro/aaaa1111`);
  expect(desk.out.text).toContain(`git -C ${desk.cwd} merge ouro/aaaa1111`);
  const json = cleared(desk);
  await sessionsShow({ id: ONE, json: true }, json);
  expect(jsonOf(json)).toMatchObject({ session: { worktree: { folder } } });
});

test('prune takes along what is empty, and keeps what is not, with the reason', async () => {
  const desk = deskWithRepository();
  const empty = await ended(desk, ONE);
  const used = await ended(desk, TWO);
  write(used.folder, 'new.txt', 'work\n');
  const dry = cleared(desk);
  expect(await sessionsPrune({ dryRun: true }, dry)).toBe(0);
  expect(existsSync(empty.folder)).toBe(true);
  expect(await sessionsPrune({}, desk)).toBe(0);
  expect([empty, used].map(({ folder }) => existsSync(folder))).toEqual([false, true]);
  expect(desk.out.text).toContain(`${empty.folder} and the branch ouro/aaaa1111 went with it`);
  expect(desk.out.text).toContain(`${used.folder} stays: it has changes that are not committed`);
  expect(existsSync(sessionDir(desk.home, TWO))).toBe(false);
});

test('another session that works there keeps it', async () => {
  const desk = deskWithRepository();
  const { folder } = await ended(desk, ONE);
  addRecord(desk, TWO, { workspace: join(folder, 'sub'), state: 'done' });
  expect(await sessionsRm({ ids: [ONE] }, desk)).toBe(0);
  expect(desk.out.text).toContain('another session works in it');
  expect(existsSync(folder)).toBe(true);
});
