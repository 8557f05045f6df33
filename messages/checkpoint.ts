/**
 * What a `checkpoint` row holds: the state that the rows before it add up to, so that a resume need not read
 * them all. It names the rows in which the live messages stand and does not repeat them; and it says only
 * what is not as it was in the checkpoint before it, so that it does not grow with the session.
 */
import type { Seq } from './ids.js';

export interface CheckpointBody {
  /** What the names and values of the parts mean; a program that means something else does not use it. */
  readonly form: number;
  /** The newest row that counts. */
  readonly after: Seq;
  /** The checkpoint that it goes on from; null: it says everything itself. */
  readonly before: Seq | null;
  /** Values that are not what they were there, by name. */
  readonly parts: Readonly<Record<string, unknown>>;
  /** Lists that have become longer since. */
  readonly lists: Readonly<Record<string, ListGrowth>>;
}

/** The first `from` entries are those that were there, and `items` come behind them. */
export interface ListGrowth {
  readonly from: number;
  readonly items: readonly unknown[];
}

/** Where a live message stands. */
export interface Origin {
  /** A message that was added, the outcome of a call, or a compaction with messages of its own. */
  readonly row: Seq;
  /** Which of the messages of a compaction, from 0. */
  readonly at?: number;
  /** The row that put another text in its place. */
  readonly mask?: Seq;
}
