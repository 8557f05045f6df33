/**
 * Whether the files of a workspace count for a run: accepted for the workspace, for the session that goes on,
 * or for this run on its command line. What was accepted is looked up only where there is something to trust.
 */
import { existsSync } from 'node:fs';
import { findTrust, type Accepted, type TrustState } from '../../config/trust.js';
import type { SessionId } from '../../messages/ids.js';
import type { Place } from './open-home.js';

export interface TrustQuestion {
  readonly place: Place;
  /** Real path. */
  readonly workspace: string;
  /** One that goes on. */
  readonly session?: SessionId;
  /** A worktree of this folder, whose acceptance counts where the files are the same. */
  readonly worktreeOf?: string;
  /** `--trust-workspace`. */
  readonly forThisRun?: boolean;
}

export interface WorkspaceTrust {
  readonly state: TrustState;
  readonly trusted: boolean;
  /** Names of files that are not as they were accepted. */
  readonly changed: readonly string[];
  /** What is trusted; null: nothing is. */
  readonly accepted: Accepted | null;
  /** To be kept for the session, which may go on later. */
  readonly isForSession: boolean;
}

export type AnsweredTrust =
  | { readonly ok: true; readonly trust: WorkspaceTrust }
  | { readonly ok: false; readonly reason: string };

export async function workspaceTrust(question: TrustQuestion): Promise<AnsweredTrust> {
  const { workspace, forThisRun = false } = question;
  const { state, now, changed } = await findTrust(workspace, () => acceptedBefore(question));
  if (state === 'nothing-to-trust' || state === 'trusted' || !forThisRun) {
    const accepted = state === 'trusted' && now.ok ? now : null;
    // The next time nobody knows where it came from.
    const isForSession = accepted !== null && question.worktreeOf !== undefined;
    return answer({ state, trusted: accepted !== null, changed, accepted, isForSession });
  }
  if (!now.ok)
    return { ok: false, reason: `The workspace ${workspace} cannot be trusted. ${now.why}` };
  return answer({ state, trusted: true, changed: [], accepted: now, isForSession: true });
}

const answer = (trust: WorkspaceTrust): AnsweredTrust => ({ ok: true, trust });

/** The newest word first. Loads the database, so only when it is needed. */
async function acceptedBefore({
  place,
  workspace,
  session,
  worktreeOf,
}: TrustQuestion): Promise<readonly Accepted[]> {
  const { indexFile } = await import('../store/layout.js');
  if (!existsSync(indexFile(place.home))) return [];
  const { withIndex } = await import('./open-home.js');
  return withIndex(place, [], ({ trust }) => {
    const forSession = session === undefined ? null : trust.get(workspace, session);
    const origin = worktreeOf === undefined ? null : trust.get(worktreeOf);
    return [forSession, trust.get(workspace), origin].filter((known) => known !== null);
  });
}
