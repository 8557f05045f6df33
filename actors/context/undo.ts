/**
 * Takes a compaction back: the conversation as its rows tell it when that compaction, and every later one,
 * had not been. What was said and done since stands behind what is restored. Pure.
 */
import type { SegmentNote } from '../../messages/context.js';
import type { AgentId, Millis, Seq } from '../../messages/ids.js';
import { factOf, type JournalFact, type JournalRow } from '../../messages/journal.js';
import { fold } from '../recovery.js';

export interface Compaction {
  /** Its row. */
  readonly row: Seq;
  readonly at: Millis;
  readonly round: number;
  readonly step: 'mask' | 'summary' | 'restart';
  /** It was taken back later. */
  readonly undone: boolean;
  /** The pieces of work that were summarised; left out: the row names none. */
  readonly segments?: readonly SegmentNote[];
}

export type Undo =
  | {
      readonly ok: true;
      /** Those that are taken back, oldest first. */
      readonly compactions: readonly Compaction[];
      readonly fact: Extract<JournalFact, { kind: 'context.undone' }>;
    }
  | { readonly ok: false; readonly reason: 'none' | 'no-compaction' | 'undone-before' };

/** Those of one agent, oldest first. */
export function compactionsIn(rows: Iterable<JournalRow>, agent: AgentId): readonly Compaction[] {
  let found: Compaction[] = [];
  for (const row of rows) {
    if (row.agent !== agent) continue;
    const step = stepOf(row);
    if (step !== null) {
      const { seq, ts: at, round } = row;
      found.push({ row: seq, at, round, step, undone: false, ...piecesIn(row) });
    } else if (row.kind === 'context.undone') {
      const { of } = row.body;
      found = found.map((each) => (each.row >= of ? { ...each, undone: true } : each));
    }
  }
  return found;
}

function piecesIn(row: JournalRow): Pick<Compaction, 'segments'> {
  const segments = row.kind === 'context.summarised' ? row.body.segments : undefined;
  return segments === undefined ? {} : { segments };
}

function stepOf({ kind }: JournalRow): Compaction['step'] | null {
  switch (kind) {
    case 'context.masked':
      return 'mask';
    case 'context.summarised':
      return 'summary';
    case 'context.restarted':
      return 'restart';
    default:
      return null;
  }
}

/** `of` null: the newest that was not taken back. */
export function undoOf(rows: readonly JournalRow[], agent: AgentId, of: Seq | null): Undo {
  const all = compactionsIn(rows, agent);
  const chosen = of === null ? all.findLast(isStanding) : all.find(({ row }) => row === of);
  if (chosen === undefined) return { ok: false, reason: of === null ? 'none' : 'no-compaction' };
  if (chosen.undone) return { ok: false, reason: 'undone-before' };
  const from = chosen.row;
  const without = rows.filter((row) => row.agent !== agent || row.seq < from || !changes(row));
  const restored = fold(without).agents.get(agent);
  if (restored === undefined) return { ok: false, reason: 'none' };
  const { messages, record } = restored.conversation;
  const fact = factOf('context.undone', agent, restored.round, { of: from, messages, record });
  return {
    ok: true,
    compactions: all.filter((each) => each.row >= from && isStanding(each)),
    fact: fact as Extract<JournalFact, { kind: 'context.undone' }>,
  };
}

const isStanding = ({ undone }: Compaction): boolean => !undone;

/** An earlier undo of a later compaction only restores what is restored here anyway. */
const changes = (row: JournalRow): boolean => stepOf(row) !== null || row.kind === 'context.undone';
