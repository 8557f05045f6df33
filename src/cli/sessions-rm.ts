/** `ouro sessions rm`: removes sessions with all that they have left behind. Nothing brings them back. */
import { shortId, type SessionId } from '../../messages/ids.js';
import { removeSession } from '../store/session-folder.js';
import { withIndex } from './open-home.js';
import { selectSession } from './select-session.js';
import { killProcessesOf } from './session-processes.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, EXIT_NOT_POSSIBLE, runVerb, type VerbFailure } from './verb-output.js';
import { dropWorktree, worktreeOf } from './worktree-removal.js';

export interface RmOptions {
  readonly ids: readonly string[];
  readonly json?: boolean | undefined;
}

interface Removal {
  readonly session: string;
  /** False: it was gone already. */
  readonly removed: boolean;
  /** Left out: it had none. */
  readonly worktree?: { readonly removed: boolean; readonly text: string };
}

const WHOLE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const sessionsRm = (options: RmOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const wanted = options.ids.length === 0 ? [undefined] : options.ids;
    const chosen = wanted.map((id) => choose(id, context));
    // All are known before the first is removed.
    for (const one of chosen) if (typeof one !== 'string' && 'code' in one) return output.fail(one);
    const done: Removal[] = [];
    const refused: VerbFailure[] = [];
    for (const one of chosen) {
      if (typeof one === 'string') done.push({ session: one, removed: false });
      else if ('id' in one) {
        const removal = await remove(one.id, context);
        if (removal === null) refused.push(running(one.id));
        else done.push(removal);
      }
    }
    for (const { session, removed, worktree } of done) {
      const what = removed ? 'removed' : 'is not there any more';
      output.line(
        `${session.slice(0, 8)}: ${what}${worktree === undefined ? '' : `; ${worktree.text}`}`,
      );
    }
    for (const { message } of refused) output.note(message);
    output.data({ ok: refused.length === 0, sessions: done, refused });
    return refused.length === 0 ? EXIT_DONE : EXIT_NOT_POSSIBLE;
  });

/** A string: the whole id of a session that there is not, so that a second removal is no failure. */
function choose(
  id: string | undefined,
  context: VerbContext,
): { readonly id: SessionId } | string | VerbFailure {
  const selected = selectSession({ id, fitting: 'any', neverGuess: true }, context);
  if (selected.ok) return selected.session;
  const isGone =
    id !== undefined && WHOLE_ID.test(id) && selected.failure.code === 'unknown_session';
  return isGone ? id : selected.failure;
}

/** Null: it runs. */
async function remove(id: SessionId, context: VerbContext): Promise<Removal | null> {
  const worktree = worktreeOf(context, id);
  const { home } = context;
  const isGone = withIndex(context, false, (index) => removeSession(home, index, id));
  if (!isGone) return null;
  // Where nobody is left to adopt it, nothing lives on.
  killProcessesOf(id);
  const dropped = worktree === null ? null : await dropWorktree(worktree, context);
  return { session: id, removed: true, ...(dropped === null ? {} : { worktree: dropped }) };
}

const running = (id: SessionId): VerbFailure => ({
  code: 'not_possible',
  message: `session ${shortId(id)} is running; end it first: ouro stop ${shortId(id)}`,
});
