/**
 * The log entries a dashboard has seen, oldest first. A snapshot carries only the newest; this keeps more,
 * bounded in number and in text, and says where entries passed by unseen.
 */
import { LOG_TAIL, type LogEntry } from '../../messages/snapshot.js';

/** More than a person scrolls through; older ones are a matter for `ouro logs`. */
export const KEPT_ENTRIES = 10_000;
/** Keeps a dashboard that is left open for days small, whatever the tools print. */
export const KEPT_CHARACTERS = 8_000_000;

export interface LogBuffer {
  /** `n` counts up; the objects stay the same as long as they are kept. */
  readonly entries: readonly LogEntry[];
  readonly characters: number;
}

export const EMPTY_LOG: LogBuffer = { entries: [], characters: 0 };

export const newestNumber = (buffer: LogBuffer): number => buffer.entries.at(-1)?.n ?? 0;

/** Stands where more entries passed between two snapshots than a snapshot carries. */
function gapBefore(entry: LogEntry, after: number): LogEntry[] {
  const missed = entry.n - after - 1;
  if (after === 0 || missed <= 0) return [];
  const text = `${missed} entries went by too fast to be shown here; see: ouro logs`;
  return [
    { n: entry.n - 1, at: entry.at, agent: entry.agent, round: entry.round, kind: 'notice', text },
  ];
}

const sizeOf = (entries: readonly LogEntry[]): number =>
  entries.reduce((sum, entry) => sum + entry.text.length, 0);

function trimmed(entries: readonly LogEntry[], characters: number): LogBuffer {
  let from = Math.max(0, entries.length - KEPT_ENTRIES);
  let left = characters - sizeOf(entries.slice(0, from));
  // What the newest snapshot holds is kept in any case: it is shown.
  while (left > KEPT_CHARACTERS && entries.length - from > LOG_TAIL) {
    left -= entries[from]?.text.length ?? 0;
    from += 1;
  }
  return from === 0 ? { entries, characters } : { entries: entries.slice(from), characters: left };
}

/** Takes what is new in a snapshot's log; the same buffer when there is nothing new. */
export function withNew(buffer: LogBuffer, log: readonly LogEntry[]): LogBuffer {
  const newest = newestNumber(buffer);
  const first = log.find((entry) => entry.n > newest);
  if (first === undefined) return buffer;
  const added = [...gapBefore(first, newest), ...log.filter((entry) => entry.n > newest)];
  return trimmed([...buffer.entries, ...added], buffer.characters + sizeOf(added));
}
