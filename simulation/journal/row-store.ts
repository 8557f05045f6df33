/** Where rows are kept that survive a process: in memory, or in a real journal's file. */
import type { JournalLookup, Time } from '../../actors/ports.js';
import type { JournalFact, JournalRow } from '../../messages/journal.js';

export interface RowStore {
  readonly lastSeq: number;
  /** All of them or, when it throws, none. They are as safe as they will ever be when it returns. */
  commit(facts: readonly JournalFact[]): readonly JournalRow[];
  /** Every row, proven to be the one that was written. Throws where one is not. */
  read(): readonly JournalRow[];
  /** What the process that has it open reads of it. */
  lookup(): JournalLookup;
  /** Opens it for the next process. Must be called before anything is committed. */
  open(time: Time): void;
  /** The process that had it open is gone: no farewell. */
  crash(): void;
  close(): Promise<void>;
  /** Removes the newest row, as no disk should. */
  loseNewest(): void;
  /** One text for all bytes of all rows. */
  digest(): string;
  /** Leaves nothing behind. */
  remove(): void;
}
