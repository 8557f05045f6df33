/** `--worktree`: a session in a worktree of its own, made for it. One that never began leaves none behind. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { SessionId } from '../../messages/ids.js';
import type { SessionWorktree } from '../../messages/session.js';
import { plural } from '../../tui/text/amounts.js';
import { sanitiseLine } from '../../tui/text/sanitise.js';
import { worktreeCommands } from '../../tui/text/worktree-commands.js';
import type { Ending } from '../session/ending.js';
import { sessionDir } from '../store/layout.js';
import { makeWorktree } from '../worktrees/make-worktree.js';
import { removeWorktree } from '../worktrees/remove-worktree.js';
import type { PlanOptions } from './plan-run.js';
import type { Terminal } from './run-end.js';

export type Place = Pick<PlanOptions, 'work' | 'workspace'> & {
  /** The folder whose trust counts for this one, where the files are the same. */
  readonly trustOf?: string;
};

/** Resolves with what `begin` does, which is told where to work. */
export async function inWorktree(
  { work, workspace: origin }: Place,
  { home, terminal }: { readonly home: string; readonly terminal: Terminal },
  {
    begin,
    fail,
  }: {
    readonly begin: (place: Place) => Promise<number>;
    readonly fail: (ending: Ending) => number;
  },
): Promise<number> {
  if (work.kind !== 'new') return fail({ status: 'usage', reason: ONLY_NEW, text: '' });
  const id = randomUUID() as SessionId;
  const made = await makeWorktree({ home, id, origin });
  if (!made.ok) return fail({ status: 'config', reason: made.reason, text: '' });
  const { worktree, workspace, uncommitted } = made;
  const say = (line: string): void => void terminal.err.write(`ouro: ${sanitiseLine(line)}\n`);
  if (uncommitted > 0) {
    const files = `${plural(uncommitted, 'uncommitted change')} of ${worktree.repository}`;
    say(
      `the worktree begins with the newest commit: ${files} ${uncommitted === 1 ? 'is' : 'are'} not in it`,
    );
  }
  try {
    return await begin({ work: { ...work, id, worktree }, workspace, trustOf: origin });
  } finally {
    if (existsSync(sessionDir(home, id))) for (const line of worktreeLines(worktree)) say(line);
    else await removeWorktree(worktree);
  }
}

function worktreeLines(worktree: SessionWorktree): readonly string[] {
  const { commit, merge, remove } = worktreeCommands(worktree);
  return [
    `it works in ${worktree.folder}, on the branch ${worktree.branch}; to keep what is there: ${commit}`,
    `to take it over: ${merge}; to drop the folder: ${remove}`,
  ];
}

const ONLY_NEW = 'A session goes on where it always worked: leave out --worktree.';
