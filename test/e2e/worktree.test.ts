/** `--worktree` as a person meets it: from the start to `sessions rm`. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { done, ouro } from '../support/e2e/command-line.js';
import { askAt, call, MODEL, modelServer } from '../support/e2e/model-server.js';
import { newPlace, type Place } from '../support/e2e/place.js';
import { commitAll, git, repositoryIn } from '../support/repository.js';

const worktreesOf = ({ home }: Place): readonly string[] =>
  existsSync(`${home}-worktrees`) ? readdirSync(`${home}-worktrees`) : [];

test('two sessions write at once, each in its own folder; what is merged goes with its session', async () => {
  const place = newPlace();
  repositoryIn(place.workspace, { 'a.txt': 'a\n' });
  writeFileSync(join(place.workspace, 'a.txt'), 'not committed\n');
  const server = await modelServer([
    { calls: [call('write_file', { path: 'new.txt', content: 'work\n' })], delay_ms: 300 },
    { text: 'Written.', times: -1 },
  ]);
  const start = () => done(place, ['start', 'Write.', ...askAt(server), '--worktree']);
  const started = [await start(), await start()];
  expect(started[0]?.stderr).toContain('1 uncommitted change');
  const ids = started.map(({ stdout }) => stdout.trim());
  for (const id of ids) expect((await ouro(place, ['wait', id])).code).toBe(0);
  expect(worktreesOf(place)).toEqual(ids.map((id) => `work-${id}`).sort());
  expect(existsSync(join(place.workspace, 'new.txt'))).toBe(false);

  const [first = '', second = ''] = ids;
  const folder = join(`${place.home}-worktrees`, `work-${first}`);
  const report = await done(place, ['report', first]);
  expect(report.stdout).toContain(`git -C ${place.workspace} merge ouro/${first}`);
  const again = await done(place, ['run', '-p', '-r', first, 'Once more.']);
  expect(again.stderr).toContain(folder);
  commitAll(folder, 'work');
  git(place.workspace, 'merge', '--quiet', `ouro/${first}`);
  const removed = await done(place, ['sessions', 'rm', first]);
  expect(removed.stdout).toContain('went with it');
  const kept = await done(place, ['sessions', 'rm', second]);
  expect(kept.stdout).toContain('it has changes that are not committed');
  expect(worktreesOf(place)).toEqual([`work-${second}`]);
  expect(git(place.workspace, 'branch', '--list', 'ouro/*')).toBe(`+ ouro/${second}`);
});

test('a session that never began leaves no worktree, and none is made where it makes no sense', async () => {
  const place = newPlace();
  const none = await ouro(place, ['run', '-p', 'Go.', '--worktree', '-m', 'x']);
  expect(none.code).toBe(52);
  expect(none.stderr).toContain('not a git repository');
  repositoryIn(place.workspace, { 'a.txt': 'a\n' });
  const failed = await ouro(place, ['run', '-p', 'Go.', '--worktree', '-m', 'x']);
  expect(failed.code).toBe(52);
  expect(failed.stderr).toContain('No model server is configured');
  expect(worktreesOf(place)).toEqual([]);
  expect(git(place.workspace, 'branch', '--list', 'ouro/*')).toBe('');
});

test('what was accepted for the repository counts in its worktree, as long as the files are the same', async () => {
  const place = newPlace();
  const server = await modelServer([{ text: 'Done.', times: -1 }]);
  mkdirSync(join(place.workspace, '.ouro'));
  const config = `[model]\nbase_url = "${server.baseUrl}"\nname = "${MODEL}"\n`;
  repositoryIn(place.workspace, { '.ouro/config.toml': config });
  expect((await ouro(place, ['run', '-p', 'Go.', '--worktree'])).code).toBe(52);
  await done(place, ['config', 'trust', '--yes']);
  const run = await done(place, ['run', '-p', 'Go.', '--worktree']);
  expect(run.stdout.trim()).toBe('Done.');
  const [folder = ''] = worktreesOf(place);
  const id = folder.slice(-8);
  expect((await done(place, ['run', '-p', '-r', id, 'Go on.'])).stdout.trim()).toBe('Done.');
  writeFileSync(join(place.workspace, '.ouro', 'config.toml'), `${config}[log]\nlevel = "warn"\n`);
  commitAll(place.workspace, 'other settings');
  expect((await ouro(place, ['run', '-p', 'Go.', '--worktree'])).code).toBe(52);
});
