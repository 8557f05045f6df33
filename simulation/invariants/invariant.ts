/**
 * What an invariant is: a promise of the product, watched over one history. A new one is a file beside this
 * that gives such a value, and a line in the list (`all.ts`); with it comes a fault (`../faults.ts`) that
 * breaks the promise, and the test that the simulator finds it.
 */
import type { JournalRow } from '../../messages/journal.js';
import type { Happening, Moment } from '../happenings.js';

export interface Invariant {
  /** Named in reports and tests. */
  readonly name: string;
  /** In one sentence, as a user would put it. */
  readonly promise: string;
  /** Made anew for each history. `report` may be called any number of times. */
  watch(report: (what: string) => void): Watcher;
}

export interface Watcher {
  /** Called with everything that happens, in order, at the moment at which it does. */
  see(moment: Moment): void;
  /** After the last life, with all that is in the journal. */
  end?(rows: readonly JournalRow[]): void;
}

/** The happenings of one type. */
export type Of<T extends Happening['type']> = Extract<Happening, { type: T }>;
