/**
 * A journal in memory, with the port's promises: rows in order, `append` resolves after the commit, and the
 * bodies are what survives JSON. A crash can be set at any row: nothing is committed, and nobody is
 * answered, from there on.
 */
import type { Journal, Time } from '../../actors/ports.js';
import type { Seq } from '../../messages/ids.js';
import type { JournalFact, JournalRow } from '../../messages/journal.js';

export class MemoryJournal implements Journal {
  readonly rows: JournalRow[] = [];
  /** Rows that fit; the process dies at the first append that does not. */
  readonly #limit: number;
  readonly #time: Time;
  #dead = false;
  #reportDeath: () => void = () => undefined;
  readonly #death = new Promise<void>((resolve) => (this.#reportDeath = resolve));

  constructor(time: Time, rows: readonly JournalRow[] = [], limit = Infinity) {
    this.#time = time;
    this.rows.push(...rows);
    this.#limit = limit;
  }

  /** Whether the process has died. */
  get dead(): boolean {
    return this.#dead;
  }

  /** Resolves once everything appended so far is committed, or never will be. */
  async committed(): Promise<void> {
    if (!this.#dead) await Promise.race([this.append([]), this.#death]);
  }

  get nextSeq(): Seq {
    return this.rows.length + 1;
  }

  async append(facts: readonly JournalFact[]): Promise<Seq> {
    const drafts = facts.map((fact) => JSON.parse(JSON.stringify(fact)) as JournalFact);
    // The commit comes later, as on a disk, and keeps the order of the appends.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#dead || this.rows.length + drafts.length > this.#limit) return this.#die();
    const first = this.nextSeq;
    for (const draft of drafts)
      this.rows.push({ ...draft, seq: this.nextSeq, ts: this.#time.now() });
    return first;
  }

  #die(): Promise<never> {
    this.#dead = true;
    this.#reportDeath();
    return new Promise(() => undefined);
  }

  ofKind<K extends JournalRow['kind']>(kind: K): Extract<JournalRow, { kind: K }>[] {
    return this.rows.filter((row): row is Extract<JournalRow, { kind: K }> => row.kind === kind);
  }

  get kinds(): JournalRow['kind'][] {
    return this.rows.map(({ kind }) => kind);
  }
}
