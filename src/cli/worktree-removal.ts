/** What becomes of a worktree when its session is removed: it goes too, where nothing is lost with it. */
import type { SessionId } from '../../messages/ids.js';
import type { SessionWorktree } from '../../messages/session.js';
import { worktreeCommands } from '../../tui/text/worktree-commands.js';
import { worktreeIn } from '../session-worktree.js';
import { sessionDir } from '../store/layout.js';
import { removeWorktree } from '../worktrees/remove-worktree.js';
import { listSessions } from './liveness.js';
import type { VerbContext } from './verb-context.js';

/** To be asked before the session's folder goes; null: it has none. */
export const worktreeOf = ({ home }: VerbContext, id: SessionId): SessionWorktree | null =>
  worktreeIn({ dir: sessionDir(home, id), session: id });

/** After its session: what a person is to know of it. */
export async function dropWorktree(
  worktree: SessionWorktree,
  context: VerbContext,
): Promise<{ readonly removed: boolean; readonly text: string }> {
  const { folder, branch } = worktree;
  const inIt = ({ workspace }: { readonly workspace: string }): boolean =>
    workspace === folder || workspace.startsWith(`${folder}/`);
  const isShared = listSessions(context, { all: true }).some(inIt);
  const done = isShared
    ? { removed: false as const, why: 'another session works in it' }
    : await removeWorktree(worktree);
  if (done.removed) {
    return { removed: true, text: `its worktree ${folder} and the branch ${branch} went with it` };
  }
  const { look, remove } = worktreeCommands(worktree);
  const text = `its worktree ${folder} stays: ${done.why}; see: ${look}; remove it with: ${remove}`;
  return { removed: false, text };
}
