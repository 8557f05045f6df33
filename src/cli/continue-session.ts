/** Which session `-c` and `-r ID` mean. */
import { type SessionId } from '../../messages/ids.js';
import { openIndex } from '../store/index-store.js';
import { ensureHome } from '../store/layout.js';

export type Chosen =
  { readonly ok: true; readonly id: SessionId } | { readonly ok: false; readonly reason: string };

/** `id`: a prefix or a name; undefined: the newest session of the workspace. */
export function sessionToContinue({
  home,
  workspace,
  id,
}: {
  home: string;
  workspace: string;
  id: string | undefined;
}): Chosen {
  ensureHome(home);
  const index = openIndex({ home, time: { now: () => Date.now() } });
  try {
    if (id === undefined) {
      const newest = index.list({ workspace, all: true })[0];
      if (newest !== undefined) return { ok: true, id: newest.id };
      return { ok: false, reason: `No session has worked in ${workspace} yet; leave -c out.` };
    }
    const matches = index.findByPrefix(id);
    const [only] = matches;
    if (only !== undefined && matches.length === 1) return { ok: true, id: only.id };
    const reason =
      only === undefined
        ? `No session is named by ${id}. List them with: ouro ls --all`
        : `${id} names several sessions: ${matches.map((match) => match.id.slice(0, 13)).join(', ')}`;
    return { ok: false, reason };
  } finally {
    index.close();
  }
}
