import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { confined, playground, shellIn, type Playground } from './playground.js';

const AS_SOMEBODY = ['-c', 'user.name=me', '-c', 'user.email=me@example.org'];
const ALLOWED = ['-c', 'protocol.file.allow=always', '-c', 'init.defaultBranch=main'];

function git(cwd: string, ...args: readonly string[]): void {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', [...AS_SOMEBODY, ...ALLOWED, ...args], { cwd, env, stdio: 'ignore' });
}

function repository(folder: string): string {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init');
  git(folder, 'commit', '--allow-empty', '-m', 'first');
  return folder;
}

const at = (place: Playground, workspace: string): Playground => ({
  ...place,
  workspace,
  options: { ...place.options, workspace },
});

const COMMIT = `git ${AS_SOMEBODY.join(' ')} commit -qm work`;
const READ_ONLY = /Read-only file system|busy/;

confined(
  'a command can commit, but neither change the configuration nor plant a hook',
  async () => {
    const place = playground();
    repository(place.workspace);
    const run = await shellIn(place);
    expect(await run(`echo 1 > a && git add a && ${COMMIT}`)).toEqual({ code: 0, output: '' });
    for (const attempt of [
      'echo true > .git/hooks/pre-commit',
      'echo "[core] fsmonitor = touch pwned" >> .git/config',
      'git config core.hooksPath elsewhere',
      'mv .git .moved',
      'rm -rf .git/hooks && mkdir .git/hooks',
      'mv .git/hooks .git/old',
      'ln .git/config link && echo x >> link',
    ]) {
      const { code, output } = await run(attempt);
      expect([attempt, code === 0]).toEqual([attempt, false]);
      expect(output).toMatch(/Read-only file system|busy|cross-device/);
    }
    expect(await run('git status --short')).toEqual({ code: 0, output: '' });
  },
);

confined('ouro’s own folder can be read but not written, even when it was missing', async () => {
  const place = playground();
  const run = await shellIn(place);
  const attempt = 'mkdir -p .ouro && echo "[hooks]" > .ouro/config.toml';
  expect((await run(attempt)).output).toMatch(READ_ONLY);
  expect((await run('mv .ouro old')).output).toMatch(READ_ONLY);
  writeFileSync(join(place.workspace, '.ouro', 'notes'), 'mine');
  expect(await run('cat .ouro/notes')).toEqual({ code: 0, output: 'mine' });
});

confined('hooks of a repository are closed although there were none', async () => {
  const place = playground();
  repository(place.workspace);
  rmSync(join(place.workspace, '.git', 'hooks'), { recursive: true, force: true });
  const run = await shellIn(place);
  const attempt = 'mkdir -p .git/hooks && echo true > .git/hooks/pre-commit';
  expect((await run(attempt)).output).toMatch(READ_ONLY);
  expect(readdirSync(join(place.workspace, '.git', 'hooks'))).toEqual([]);
});

confined('a repository that a command makes is closed for the next one', async () => {
  const place = playground();
  const run = await shellIn(place);
  expect(await run('git init -q')).toMatchObject({ code: 0 });
  expect((await run('echo true > .git/hooks/pre-commit')).output).toMatch(READ_ONLY);
});

confined('a linked worktree cannot be pointed elsewhere, and its origin is read-only', async () => {
  const place = playground();
  const origin = repository(join(place.root, 'origin'));
  git(origin, 'worktree', 'add', join(place.root, 'linked'));
  const run = await shellIn(at(place, join(place.root, 'linked')));
  expect(await run('git status --short')).toMatchObject({ code: 0 });
  expect((await run('echo "gitdir: evil" > .git')).output).toMatch(READ_ONLY);
  expect((await run('mv .git old')).output).toMatch(READ_ONLY);
  expect((await run('echo true > ../origin/.git/hooks/x')).output).toMatch(READ_ONLY);
});

confined('a worktree can commit when its origin was added, whose hooks stay closed', async () => {
  const place = playground();
  const origin = repository(join(place.root, 'origin'));
  const workspace = join(place.root, 'linked');
  git(origin, 'worktree', 'add', workspace);
  const addDirs = [join(origin, '.git')];
  const inside = { ...place, workspace, options: { ...place.options, workspace, addDirs } };
  const run = await shellIn(inside);
  expect(await run(`echo 1 > a && git add a && ${COMMIT}`)).toEqual({ code: 0, output: '' });
  expect((await run('echo true > ../origin/.git/hooks/x')).output).toMatch(READ_ONLY);
  expect((await run('echo x > ../origin/.git/worktrees/linked/commondir')).output).toMatch(
    READ_ONLY,
  );
  expect(existsSync(join(origin, '.git/worktrees/linked/hooks'))).toBe(false);
});

confined('the hooks and the configuration of submodules are closed', async () => {
  const place = playground();
  const library = repository(join(place.root, 'library'));
  repository(place.workspace);
  git(place.workspace, 'submodule', 'add', library, 'libs/one');
  const modules = '.git/modules/libs/one';
  const run = await shellIn(place);
  expect((await run(`echo x >> ${modules}/config`)).output).toMatch(READ_ONLY);
  expect((await run(`mkdir -p ${modules}/hooks && echo x > ${modules}/hooks/x`)).output).toMatch(
    READ_ONLY,
  );
  expect((await run('mv .git/modules/libs .git/modules/old')).output).toMatch(READ_ONLY);
  expect(await run(`cd libs/one && echo 1 > a && git add a && ${COMMIT}`)).toMatchObject({
    code: 0,
    output: '',
  });
});

confined('in a submodule as workspace the pointer to its repository is closed', async () => {
  const place = playground();
  const library = repository(join(place.root, 'library'));
  const project = repository(join(place.root, 'project'));
  git(project, 'submodule', 'add', library, 'one');
  const run = await shellIn(at(place, join(project, 'one')));
  expect(await run('git status --short')).toMatchObject({ code: 0 });
  expect((await run('rm .git')).output).toMatch(READ_ONLY);
});
