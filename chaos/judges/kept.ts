/** What is meant to outlive a death of its session: neither ended by the next start, nor forgotten. */
import type { CallId } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';
import { finding, type Finding } from '../finding.js';

/** Pids and calls of the kept processes whose end is not on record. */
export function keptIn(rows: readonly JournalRow[]): ReadonlyMap<number, CallId> {
  const open = new Map<string, { pid: number; callId: CallId }>();
  for (const { kind, body } of rows) {
    if (kind === 'process.started' && body.keep === 'restart') open.set(body.id, body);
    if (kind === 'process.ended') open.delete(body.id);
  }
  return new Map([...open.values()].map(({ pid, callId }) => [pid, callId]));
}

/** `lived`, `live`: pids after the death and after the start; `rows`: as they are then. */
export function judgeKept(
  lived: ReadonlySet<number>,
  live: ReadonlySet<number>,
  rows: readonly JournalRow[],
): Finding[] {
  const ends = new Map(
    rows.flatMap(({ kind, body }) =>
      kind === 'process.ended' ? [[body.id, body.exitCode] as const] : [],
    ),
  );
  return rows.flatMap(({ kind, body }) => {
    if (kind !== 'process.started' || body.keep !== 'restart') return [];
    const { id, pid } = body;
    if (!lived.has(pid) || live.has(pid) || ends.get(id) === 0) return [];
    return [
      finding('processes-lost', `${id} (${pid}) lived after the death, and not after the start`),
    ];
  });
}
