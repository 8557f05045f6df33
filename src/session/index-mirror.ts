/**
 * Keeps a session's line in the shared index up to date: at once when its state or holds change, at most
 * once a second for mere progress. The index is for listing; losing an update loses nothing.
 */
import type { Watch } from '../../messages/channels/watch.js';
import type { Millis } from '../../messages/ids.js';
import type { Hold } from '../../messages/pause.js';
import type { SessionState } from '../../messages/session.js';
import type { Snapshot } from '../../messages/snapshot.js';

const PROGRESS_MS = 1_000;

export interface Progress {
  readonly state: SessionState;
  readonly holds: readonly Hold['kind'][];
  /** When all of them are over by themselves; null: they are not, or there are none. */
  readonly heldUntil: Millis | null;
  readonly rounds: number;
  readonly costUsd: number | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export const progressOf = ({ state, holds, totals }: Snapshot): Progress => ({
  state,
  holds: holds.map(({ kind }) => kind),
  heldUntil: untilOf(holds),
  rounds: totals.rounds,
  costUsd: totals.costUsd,
  promptTokens: totals.promptTokens,
  completionTokens: totals.completionTokens,
});

function untilOf(holds: readonly Hold[]): Millis | null {
  const ends = holds.flatMap(({ until }) => until ?? []);
  return ends.length === holds.length && ends.length > 0 ? Math.max(...ends) : null;
}

/** Runs until `until` aborts. */
export async function mirrorProgress(
  snapshots: Watch<Snapshot>,
  write: (progress: Progress) => void,
  until: AbortSignal,
): Promise<void> {
  let last = '';
  let writtenAt = 0;
  for await (const snapshot of snapshots.changes(until)) {
    const progress = progressOf(snapshot);
    const standing = `${progress.state} ${progress.holds.join()} ${progress.heldUntil ?? ''}`;
    const now = Date.now();
    if (standing === last && now - writtenAt < PROGRESS_MS) continue;
    last = standing;
    writtenAt = now;
    write(progress);
  }
}
