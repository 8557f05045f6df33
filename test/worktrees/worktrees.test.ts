/** Worktrees are made of repositories as they are, and taken away only where nothing goes with them. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionId } from '../../messages/ids.js';
import { makeWorktree, worktreesDir } from '../../src/worktrees/make-worktree.js';
import { removeWorktree } from '../../src/worktrees/remove-worktree.js';
import { commitAll, git, newFolder, repositoryIn, write } from '../support/repository.js';

const ID = 'aaaa1111-0000-4000-8000-000000000001' as SessionId;
const BRANCH = 'ouro/aaaa1111';

interface Ground {
  readonly root: string;
  readonly home: string;
  readonly repository: string;
}

function ground(): Ground {
  const root = newFolder();
  const [home, repository] = [join(root, 'home'), join(root, 'my project')];
  mkdirSync(home);
  mkdirSync(repository);
  repositoryIn(repository, { 'a.txt': 'a\n', 'sub/b.txt': 'b\n' });
  return { root, home, repository };
}

const make = ({ home, repository }: Ground, origin = repository) =>
  makeWorktree({ home, id: ID, origin });

async function made(place: Ground, origin?: string) {
  const answer = await make(place, origin);
  if (!answer.ok) throw new Error(answer.reason);
  return answer;
}

const branches = ({ repository }: Ground): readonly string[] =>
  git(repository, 'branch', '--format=%(refname:short)').split('\n');

test('a worktree has the newest commit, a branch of its own, and none of what is not committed', async () => {
  const place = ground();
  write(place.repository, 'a.txt', 'changed\n');
  write(place.repository, 'new.txt', 'new\n');
  const { worktree, workspace, uncommitted } = await made(place);
  expect(workspace).toBe(join(place.root, 'home-worktrees', 'my project-aaaa1111'));
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('a\n');
  expect(existsSync(join(workspace, 'new.txt'))).toBe(false);
  expect(uncommitted).toBe(2);
  expect(git(workspace, 'branch', '--show-current')).toBe(BRANCH);
  expect(worktree).toEqual({
    origin: place.repository,
    repository: place.repository,
    folder: workspace,
    branch: BRANCH,
    commit: git(place.repository, 'rev-parse', 'HEAD'),
  });
  expect(git(place.repository, 'branch', '--show-current')).toBe('main');
  expect(readFileSync(join(place.repository, 'a.txt'), 'utf8')).toBe('changed\n');
});

test('a folder of the repository is the same folder there, if a commit has it', async () => {
  const place = ground();
  const { worktree, workspace } = await made(place, join(place.repository, 'sub'));
  expect(workspace).toBe(join(worktree.folder, 'sub'));
  expect(await removeWorktree(worktree)).toEqual({ removed: true });
  const fresh = join(place.repository, 'fresh');
  mkdirSync(fresh);
  expect(await make(place, fresh)).toMatchObject({
    ok: false,
    reason: expect.stringContaining('is in no commit') as string,
  });
  expect(branches(place)).toEqual(['main']);
});

test.each<[string, (folder: string) => void, string]>([
  ['no repository', () => undefined, 'not a git repository'],
  ['a bare repository', (folder) => git(folder, 'init', '-q', '--bare', '.'), 'working copy'],
  ['a repository without a commit', (folder) => git(folder, 'init', '-q', '.'), 'Commit first'],
])('of %s none is made, and the reason is told', async (_, prepare, said) => {
  const root = newFolder();
  const [home, folder] = [join(root, 'home'), join(root, 'place')];
  mkdirSync(home);
  mkdirSync(folder);
  prepare(folder);
  const answer = await makeWorktree({ home, id: ID, origin: folder });
  expect(answer).toMatchObject({ ok: false, reason: expect.stringContaining(said) as string });
  expect(existsSync(worktreesDir(home))).toBe(false);
});

test('hooks of the repository do not run', async () => {
  const place = ground();
  const hook = join(place.repository, '.git', 'hooks', 'post-checkout');
  write(place.repository, '.git/hooks/post-checkout', `#!/bin/sh\ntouch "${place.root}/ran"\n`);
  git(place.repository, 'update-index', '--refresh');
  const { chmodSync } = await import('node:fs');
  chmodSync(hook, 0o755);
  await made(place);
  expect(existsSync(join(place.root, 'ran'))).toBe(false);
});

test('one in which nothing was done goes, with its branch', async () => {
  const place = ground();
  const { worktree, workspace } = await made(place);
  write(workspace, '.ouro/.gitignore', '*\n');
  expect(await removeWorktree(worktree)).toEqual({ removed: true });
  expect(existsSync(worktree.folder)).toBe(false);
  expect(branches(place)).toEqual(['main']);
  expect(await removeWorktree(worktree)).toMatchObject({ removed: false });
});

test.each(['a.txt', 'new.txt'])('a change of %s that is not committed keeps it', async (name) => {
  const place = ground();
  const { worktree, workspace } = await made(place);
  write(workspace, name, 'work\n');
  expect(await removeWorktree(worktree)).toMatchObject({
    removed: false,
    why: expect.stringContaining('not committed') as string,
  });
  expect(readFileSync(join(workspace, name), 'utf8')).toBe('work\n');
  expect(branches(place)).toContain(BRANCH);
});

test('a commit keeps it until another branch has it', async () => {
  const place = ground();
  const { worktree, workspace } = await made(place);
  write(workspace, 'new.txt', 'work\n');
  commitAll(workspace, 'work');
  expect(await removeWorktree(worktree)).toMatchObject({
    removed: false,
    why: expect.stringContaining('merged nowhere') as string,
  });
  git(place.repository, 'merge', '--quiet', BRANCH);
  expect(await removeWorktree(worktree)).toEqual({ removed: true });
  expect(readFileSync(join(place.repository, 'new.txt'), 'utf8')).toBe('work\n');
});

test('a commit that no branch has keeps it, too', async () => {
  const place = ground();
  const { worktree, workspace } = await made(place);
  git(workspace, 'checkout', '--quiet', '--detach');
  write(workspace, 'new.txt', 'work\n');
  commitAll(workspace, 'work');
  expect(await removeWorktree(worktree)).toMatchObject({ removed: false });
  expect(existsSync(workspace)).toBe(true);
});

test('where git cannot look, nothing is removed', async () => {
  const place = ground();
  const { worktree, workspace } = await made(place);
  rmSync(join(workspace, '.git'));
  expect(await removeWorktree(worktree)).toMatchObject({ removed: false });
  expect(existsSync(join(workspace, 'a.txt'))).toBe(true);
});
