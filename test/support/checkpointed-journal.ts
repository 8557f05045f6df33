/** A journal in memory in which checkpoints are made where a test wants them. */
import { RunningCheckpoint } from '../../actors/checkpoint/running.js';
import type { JournalLookup } from '../../actors/ports.js';
import type { JournalFact, JournalRow } from '../../messages/journal.js';
import { lookupIn } from '../../simulation/journal/row-lookup.js';
import { START } from './session-samples.js';

export type CheckpointRow = Extract<JournalRow, { kind: 'checkpoint' }>;

export class CheckpointedJournal {
  readonly rows: JournalRow[] = [];
  #running = new RunningCheckpoint(this.lookup);

  get lookup(): JournalLookup {
    return lookupIn(this.rows);
  }

  /** As they are read from a disk. */
  append(...facts: readonly JournalFact[]): this {
    for (const fact of facts) {
      const seq = this.rows.length + 1;
      this.rows.push(JSON.parse(JSON.stringify({ ...fact, seq, ts: START + seq })) as JournalRow);
    }
    return this;
  }

  /** Another process goes on: what the one before it knew is gone. */
  resume(): this {
    this.#running = new RunningCheckpoint(this.lookup);
    return this;
  }

  /** Null: there is nothing to say. */
  make(): JournalFact | null {
    return this.#running.next();
  }

  checkpoint(): CheckpointRow {
    const fact = this.make();
    if (fact === null) throw new Error('there is nothing to say');
    const row = this.append(fact).rows.at(-1);
    if (row?.kind !== 'checkpoint') throw new Error('it is no checkpoint');
    return row;
  }
}
