/** Real git repositories in temporary folders, with an identity and no settings of the machine's owner. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

const IDENTITY = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.org'];

/** What git printed; throws where it fails. */
export const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', [...IDENTITY, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, LC_ALL: 'C' },
  }).trim();

export function write(folder: string, name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A repository in `folder`, with these files in its only commit. */
export function repositoryIn(folder: string, files: Readonly<Record<string, string>>): void {
  git(folder, 'init', '--quiet', '--initial-branch=main', '.');
  for (const [name, text] of Object.entries(files)) write(folder, name, text);
  commitAll(folder, 'first');
}

export function commitAll(folder: string, message: string): void {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', message);
}

export function newFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'ouro-git-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
