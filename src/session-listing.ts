/** What a session keeps for those who look for it later: its line in the index, and its result. */
import type { RunResult } from '../messages/result.js';
import { stateAfter, type SessionSpec } from '../messages/session.js';
import type { Ground } from './ground.js';
import { mirrorProgress } from './session/index-mirror.js';
import { progressOf } from './session/index-mirror.js';
import type { Mesh } from './session/mesh.js';
import type { StartingPoint } from './session/starting-point.js';
import { writeFileAtomic } from './store/atomic-file.js';
import type { SessionRecord } from './store/session-record.js';

export const lineInIndex = (
  spec: SessionSpec,
  { state }: StartingPoint,
  socket: string,
): SessionRecord => ({
  id: spec.id,
  name: spec.name,
  workspace: spec.workspace,
  goal: state.goal,
  model: spec.model,
  state: 'starting',
  pid: process.pid,
  startedAt: spec.startedAt,
  updatedAt: Date.now(),
  rounds: state.totals.rounds,
  costUsd: state.totals.costUsd,
  promptTokens: state.totals.promptTokens,
  completionTokens: state.totals.completionTokens,
  holds: state.holds.map(({ kind }) => kind),
  socket,
  endStatus: null,
  exitCode: null,
});

/** For those who ask later. A disk that takes no more must not keep the result from being printed. */
export function keepResult(
  { index, spec }: Ground,
  file: string,
  result: RunResult,
  mesh: Mesh,
): void {
  const end = {
    ...progressOf(mesh.snapshots.current),
    state: stateAfter(result.status),
    endStatus: result.status,
    exitCode: result.exit_code,
    socket: null,
  };
  // Each for itself: there may be room for one of them.
  unlessFull(() => writeFileAtomic(file, `${JSON.stringify(result)}\n`));
  unlessFull(() => index.patch(spec.id, end));
}

function unlessFull(keep: () => unknown): void {
  try {
    keep();
  } catch (error) {
    process.stderr.write(`ouro: the result could not be kept: ${String(error)}\n`);
  }
}

/** Keeps the session's line in the index as the session is. */
export function keepInIndex(
  { index, spec }: Ground,
  mesh: Mesh,
  socket: string,
  signal: AbortSignal,
): void {
  void mirrorProgress(
    mesh.snapshots,
    (progress) => {
      try {
        // With its address: the index may have been made again meanwhile.
        index.patch(spec.id, { ...progress, pid: process.pid, socket });
      } catch {
        // For listing only: the journal says so if the disk is full.
      }
    },
    signal,
  );
}
