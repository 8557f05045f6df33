/**
 * Whether recorded checkpoints say what a fold of the rows before them gives. Where one does not, a step of
 * the fold or of whoever wrote it depends on more than the rows. Pure.
 */
import type { Seq } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';
import type { JournalLookup } from '../ports.js';
import type { Recovered } from '../recovery.js';
import { merged } from './differences.js';
import { firstDifference } from './first-difference.js';
import { FORM, writtenState, type WrittenState } from './written-state.js';

export type CheckpointRow = Extract<JournalRow, { kind: 'checkpoint' }>;

export interface Disagreement {
  readonly seq: Seq;
  readonly round: number;
  /** The first part that differs, such as `agents.main.round`. */
  readonly path: string;
}

/** In order; those that are damaged are left out. */
export function checkpointsIn(journal: JournalLookup): CheckpointRow[] {
  const found: CheckpointRow[] = [];
  let seq = journal.newest('checkpoint', Infinity);
  while (seq !== null) {
    const row = journal.at(seq);
    if (row?.kind === 'checkpoint') found.push(row);
    seq = journal.newest('checkpoint', seq);
  }
  return found.reverse();
}

export class CheckpointCheck {
  readonly #due = new Map<Seq, CheckpointRow[]>();
  readonly #states = new Map<Seq, WrittenState>();
  #agreeing = 0;
  #unchecked = 0;
  #disagreement: Disagreement | null = null;

  /** All of a journal, in order. */
  constructor(checkpoints: Iterable<CheckpointRow>) {
    for (const row of checkpoints) {
      const { after } = row.body;
      this.#due.set(after, [...(this.#due.get(after) ?? []), row]);
    }
  }

  get agreeing(): number {
    return this.#agreeing;
  }

  /** Of another form, or going on from one that is. */
  get unchecked(): number {
    return this.#unchecked;
  }

  /** The first; null: there is none. */
  get disagreement(): Disagreement | null {
    return this.#disagreement;
  }

  /** To be told of the fold after each row. */
  see(seq: Seq, fold: Recovered): void {
    for (const row of this.#due.get(seq) ?? []) this.#check(row, fold);
  }

  #check({ seq, round, body }: CheckpointRow, fold: Recovered): void {
    const { form, before } = body;
    const base = before === null ? null : this.#states.get(before);
    if (form !== FORM || base === undefined) {
      this.#unchecked += 1;
      return;
    }
    const state = merged([body], base ?? undefined);
    this.#states.set(seq, state);
    const path = firstDifference(state, writtenState(fold));
    if (path === null) this.#agreeing += 1;
    else this.#disagreement ??= { seq, round, path };
  }
}
