/** The git commands by which a person takes over or drops what is in a session's worktree, runnable as printed. */
import type { SessionWorktree } from '../../messages/session.js';

/** As the shell reads it back. */
const quoted = (path: string): string =>
  /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;

export interface WorktreeCommands {
  readonly look: string;
  /** The sandbox keeps an agent from it: the repository lies outside of the worktree. */
  readonly commit: string;
  readonly merge: string;
  readonly remove: string;
}

export function worktreeCommands({
  repository,
  folder,
  branch,
}: SessionWorktree): WorktreeCommands {
  const there = `git -C ${quoted(folder)}`;
  const here = `git -C ${quoted(repository)}`;
  return {
    look: `${there} status`,
    commit: `${there} add -A && ${there} commit`,
    merge: `${here} merge ${branch}`,
    remove: `${here} worktree remove ${quoted(folder)}`,
  };
}
