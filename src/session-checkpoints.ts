/**
 * Writes the checkpoints of a running session: after so many rounds of its main agent, after each compaction,
 * and once more ahead of its last row. Never throws for what a disk can do: a session goes on without them.
 */
import { RunningCheckpoint } from '../actors/checkpoint/running.js';
import type { Journal, JournalLookup } from '../actors/ports.js';
import type { Broadcast } from '../messages/channels/broadcast.js';
import type { ObservedFact } from '../messages/coordinator.js';
import { MAIN_AGENT } from '../messages/ids.js';
import type { JournalFact } from '../messages/journal.js';
import { isExpected } from './expected-error.js';

/** What a resume folds is what so many rounds have written; a checkpoint costs about one round of it. */
export const CHECKPOINT_ROUNDS = 50;

export class SessionCheckpoints {
  readonly #journal: Journal & JournalLookup;
  readonly #every: number;
  readonly #running: RunningCheckpoint;
  #rounds = 0;
  #isOver = false;

  constructor(journal: Journal & JournalLookup, every = CHECKPOINT_ROUNDS) {
    this.#journal = journal;
    this.#every = every;
    this.#running = new RunningCheckpoint(journal);
  }

  hear(fact: ObservedFact): void {
    if (fact.type === 'model.used' && fact.agent === MAIN_AGENT) this.#rounds += 1;
    if (fact.type === 'context.compacted' || this.#rounds >= this.#every) void this.write();
  }

  /** Resolves when it is on its way to the disk, ahead of whatever is appended then. */
  async write(): Promise<void> {
    this.#rounds = 0;
    try {
      // With everything that led to it.
      await this.#journal.append([]);
    } catch {
      // Nothing more can be written, and the journal has said so itself.
      return;
    }
    const fact = this.#next();
    if (fact !== null) this.#journal.append([fact]).catch(() => undefined);
  }

  #next(): JournalFact | null {
    if (this.#isOver) return null;
    try {
      return this.#running.next();
    } catch (error) {
      if (!isExpected(error)) throw error;
      // A row is damaged: what cannot be read again cannot be summed up. Whoever reads it next will say so.
      this.#isOver = true;
      return null;
    }
  }
}

/** What the life of a session needs for it. */
export function writeCheckpoints(
  journal: Journal & JournalLookup,
  facts: Broadcast<ObservedFact>,
  every?: number,
): { checkpoint(): Promise<void> } {
  const checkpoints = new SessionCheckpoints(journal, every);
  facts.on((fact) => checkpoints.hear(fact));
  return { checkpoint: () => checkpoints.write() };
}
