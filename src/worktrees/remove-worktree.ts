/**
 * Takes a session's worktree and its branch away, if nothing would be lost: no change that is not committed, no
 * commit that no other branch, tag or remote has.
 */
import { existsSync } from 'node:fs';
import type { SessionWorktree } from '../../messages/session.js';
import { runGit } from './run-git.js';

export type Removed =
  | { readonly removed: true }
  /** Why it is still there, as the end of a sentence. */
  | { readonly removed: false; readonly why: string };

const kept = (why: string): Removed => ({ removed: false, why });

export async function removeWorktree({
  repository,
  folder,
  branch,
}: SessionWorktree): Promise<Removed> {
  if (!existsSync(folder)) return kept('its folder is gone already');
  const changes = await runGit(folder, ['status', '--porcelain']);
  if (!changes.ok) return kept(`git cannot read it: ${changes.reason}`);
  if (changes.text !== '') return kept('it has changes that are not committed');
  const others = ['--not', `--exclude=${branch}`, '--branches', '--tags', '--remotes'];
  const own = await runGit(folder, ['rev-list', '--max-count=1', 'HEAD', branch, ...others]);
  if (!own.ok) return kept(`git cannot read its branch ${branch}: ${own.reason}`);
  if (own.text !== '') return kept(`its branch ${branch} has commits that are merged nowhere`);
  // Without force: git looks once more.
  const gone = await runGit(repository, ['worktree', 'remove', folder]);
  if (!gone.ok) return kept(`git did not remove it: ${gone.reason}`);
  const forgotten = await runGit(repository, ['branch', '--quiet', '-D', branch]);
  return forgotten.ok ? { removed: true } : kept(`only its branch: ${forgotten.reason}`);
}
