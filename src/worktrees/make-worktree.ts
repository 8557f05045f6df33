/**
 * Makes a worktree of the repository around a folder, at its newest commit and on a branch of its own. It lies
 * beside `$OURO_HOME`: a sandbox hides that folder itself, and inside the repository searches would find every
 * file twice.
 */
import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { shortId, type SessionId } from '../../messages/ids.js';
import type { SessionWorktree } from '../../messages/session.js';
import { removeWorktree } from './remove-worktree.js';
import { runGit } from './run-git.js';

export interface MadeWorktree {
  readonly worktree: SessionWorktree;
  /** The folder in it that stands for the one it was asked for; a real path. */
  readonly workspace: string;
  /** Files that differ from the commit, and so are not in it. */
  readonly uncommitted: number;
}

export type WorktreeAnswer =
  | ({ readonly ok: true } & MadeWorktree)
  /** What is wrong and what to do, in whole sentences. */
  | { readonly ok: false; readonly reason: string };

export const worktreesDir = (home: string): string => `${realOf(home)}-worktrees`;

const refused = (reason: string): WorktreeAnswer => ({ ok: false, reason });

export async function makeWorktree(wanted: {
  readonly home: string;
  readonly id: SessionId;
  /** Real path. */
  readonly origin: string;
}): Promise<WorktreeAnswer> {
  const { home, id, origin } = wanted;
  const at = await standOf(origin);
  if ('reason' in at) return refused(at.reason);
  const branch = `ouro/${shortId(id)}`;
  const parent = worktreesDir(home);
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = join(realpathSync(parent), `${basename(at.top)}-${shortId(id)}`);
  const added = await runGit(at.top, [
    'worktree',
    'add',
    '--quiet',
    '-b',
    branch,
    folder,
    at.commit,
  ]);
  if (!added.ok) return refused(`git could not make a worktree of ${at.top}: ${added.reason}`);
  const worktree = { origin, repository: at.top, folder, branch, commit: at.commit };
  const workspace = join(folder, at.prefix);
  if (isFolder(workspace)) {
    return { ok: true, worktree, workspace: realpathSync(workspace), uncommitted: at.uncommitted };
  }
  await removeWorktree(worktree);
  return refused(
    `${origin} is in no commit, so a worktree would not have it. Commit something in it, or start from ${at.top}.`,
  );
}

interface Stand {
  /** Of the working copy. */
  readonly top: string;
  /** From there to the folder; empty: it is the same. */
  readonly prefix: string;
  readonly commit: string;
  readonly uncommitted: number;
}

async function standOf(origin: string): Promise<Stand | { readonly reason: string }> {
  const asked = ['rev-parse', '--is-inside-work-tree', '--show-toplevel', '--show-prefix'];
  const inside = await runGit(origin, asked);
  if (!inside.ok && inside.isMissing) {
    return { reason: 'A worktree is made by git, which is not installed.' };
  }
  // Bare, or within `.git`: it says `false`, or fails because there is no working copy.
  const [isInside, top = '', prefix = ''] = inside.ok ? inside.text.split('\n') : [];
  if (isInside !== 'true') {
    const why = inside.ok || /work tree/.test(inside.reason) ? BARE : inside.reason;
    return { reason: `${origin} has no worktree to be made of: ${why} ${OTHERWISE}` };
  }
  const head = await runGit(origin, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (!head.ok) {
    return { reason: `${origin} has no commit yet, and a worktree begins with one. Commit first.` };
  }
  const changes = await runGit(origin, ['status', '--porcelain']);
  const lines = changes.ok ? changes.text.split('\n').filter((line) => line !== '') : [];
  return { top, prefix, commit: head.text, uncommitted: lines.length };
}

const BARE = 'it is not in a working copy of a git repository.';
const OTHERWISE = 'Leave --worktree out, or go to a repository.';

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
