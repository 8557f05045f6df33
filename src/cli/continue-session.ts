/** Which session `-c` and `-r ID` mean. */
import type { SessionId } from '../../messages/ids.js';
import { listSessions } from './liveness.js';
import { selectSession } from './select-session.js';
import type { VerbContext } from './verb-context.js';

export type Chosen =
  | { readonly ok: true; readonly id: SessionId; readonly workspace: string }
  | { readonly ok: false; readonly reason: string };

/** `id`: a prefix or a name; undefined: the newest session of the workspace. */
export function sessionToContinue(
  { workspace, id }: { readonly workspace: string; readonly id: string | undefined },
  context: VerbContext,
): Chosen {
  if (id !== undefined) {
    const selected = selectSession({ id, fitting: 'any' }, context);
    return selected.ok
      ? { ok: true, id: selected.session.id, workspace: selected.session.workspace }
      : { ok: false, reason: selected.failure.message };
  }
  const [newest] = listSessions(context, { workspace, all: true });
  return newest === undefined
    ? { ok: false, reason: `No session has worked in ${workspace} yet; leave -c out.` }
    : { ok: true, id: newest.id, workspace };
}
