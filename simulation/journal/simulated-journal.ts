/**
 * The journal port of one simulated process: commits take their time, appends that wait are committed
 * together in groups that chance decides, and the process may die at any of them. Rows are kept by a store
 * that outlives it.
 */
import type { Journal, JournalLookup } from '../../actors/ports.js';
import { agentPart, type WrittenAgent } from '../../actors/checkpoint/written-state.js';
import { MAIN_AGENT } from '../../messages/ids.js';
import type { JournalFact, JournalRow } from '../../messages/journal.js';
import type { Chance } from '../chance.js';
import type { Fault } from '../faults.js';
import type { Happening } from '../happenings.js';
import type { SimulatedProcess } from '../process/simulated-process.js';
import type { Fate } from '../scenario.js';
import type { RowStore } from './row-store.js';

export interface SimulatedJournalParts {
  readonly process: SimulatedProcess;
  readonly store: RowStore;
  readonly chance: Chance;
  readonly commitMs: number;
  /** Null: this process does not die at a row. */
  readonly fate: Fate | null;
  readonly fault: Fault | null;
  readonly note: (what: Happening) => void;
  readonly crash: (how: string) => void;
}

interface Waiting {
  readonly facts: readonly JournalFact[];
  readonly resolve: (first: number) => void;
  readonly reject: (error: Error) => void;
}

export class SimulatedJournal implements Journal, JournalLookup {
  readonly #parts: SimulatedJournalParts;
  #waiting: Waiting[] = [];
  #isDue = false;
  #isClosed = false;
  #written = 0;
  #failure: Error | null = null;
  #reportFailure: (error: Error) => void = () => undefined;
  readonly failed = new Promise<Error>((resolve) => (this.#reportFailure = resolve));
  #repairsToLose: number;

  constructor(parts: SimulatedJournalParts) {
    this.#parts = parts;
    this.#repairsToLose = parts.fault === 'lose-repair' ? 1 : 0;
  }

  get lastSeq(): number {
    return this.#parts.store.lastSeq;
  }

  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  rows(from = 1): Iterable<JournalRow> {
    return this.#parts.store.lookup().rows(from);
  }

  at(seq: number): JournalRow | null {
    return this.#parts.store.lookup().at(seq);
  }

  newest(kind: JournalRow['kind'], before: number): number | null {
    return this.#parts.store.lookup().newest(kind, before);
  }

  append(facts: readonly JournalFact[]): Promise<number> {
    const { process, note } = this.#parts;
    if (!process.isAlive) return process.never();
    if (this.#isClosed) return Promise.reject(new Error('the journal is closed'));
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const written = this.#faulty(JSON.parse(JSON.stringify(facts)) as JournalFact[]);
    if (written.length > 0) note({ type: 'rows.handed', facts: written });
    return new Promise((resolve, reject) => {
      this.#waiting.push({ facts: written, resolve, reject });
      this.#commitLater();
    });
  }

  /** What the faults that are put in make of it. */
  #faulty(facts: readonly JournalFact[]): readonly JournalFact[] {
    const { fault } = this.#parts;
    if (fault === 'double-outcome') return twice(facts, 'tool.outcome');
    if (fault === 'settle-twice') return twice(facts, 'budget.settled');
    if (fault === 'forget-change') return facts.filter(({ kind }) => kind !== 'files.changed');
    if (fault === 'false-checkpoint') return facts.map(withAnotherRound);
    if (fault === 'ignore-hold') return facts.filter(({ kind }) => kind !== 'hold.lifted');
    if (fault === 'lose-words') {
      return facts.filter(({ kind, body }) => kind !== 'user.action' || body.action.do !== 'send');
    }
    if (this.#repairsToLose > 0 && facts[0]?.kind === 'session.resumed' && facts.length > 1) {
      this.#repairsToLose -= 1;
      return facts.filter((_, i) => i !== 1);
    }
    return facts;
  }

  #commitLater(): void {
    const { process, chance, commitMs } = this.#parts;
    if (this.#isDue) return;
    this.#isDue = true;
    process.setTimeout(
      () => {
        this.#isDue = false;
        const most = this.#waiting.length;
        this.#commit(chance.happens(0.7) ? most : chance.between(1, most));
        if (this.#waiting.length > 0) this.#commitLater();
      },
      chance.skewed(0, commitMs),
    );
  }

  #commit(count: number): void {
    const { process, store, fate, crash } = this.#parts;
    const group = this.#waiting.splice(0, count);
    const facts = group.flatMap((waiting) => waiting.facts);
    const isFatal = fate !== null && this.#written + facts.length >= fate.rows;
    if (isFatal && fate.how === 'before-commit') crash('before a commit');
    else if (isFatal && fate.how === 'disk-full') this.#fail(group);
    else {
      const first = store.lastSeq + 1;
      const rows = facts.length === 0 ? [] : store.commit(facts);
      this.#written += rows.length;
      if (isFatal) crash('after a commit that nobody was told of');
      else this.#acknowledge(group, first, rows);
    }
    if (!process.isAlive) this.#waiting = [];
  }

  #fail(group: readonly Waiting[]): void {
    const failure = new Error('the disk is full');
    this.#failure = failure;
    for (const { reject } of [...group, ...this.#waiting.splice(0)]) reject(failure);
    this.#reportFailure(failure);
  }

  #acknowledge(group: readonly Waiting[], first: number, rows: readonly JournalRow[]): void {
    if (rows.length > 0) this.#parts.note({ type: 'rows.acknowledged', rows });
    let seq = first;
    for (const { facts, resolve } of group) {
      resolve(seq);
      seq += facts.length;
    }
  }

  /** Commits what waits. */
  async close(): Promise<void> {
    if (!this.#parts.process.isAlive) return this.#parts.process.never();
    if (this.#waiting.length > 0 && this.#failure === null) this.#commit(this.#waiting.length);
    this.#isClosed = true;
    return Promise.resolve();
  }
}

const MAIN = agentPart(MAIN_AGENT);

function withAnotherRound(fact: JournalFact): JournalFact {
  if (fact.kind !== 'checkpoint') return fact;
  const main = fact.body.parts[MAIN] as WrittenAgent | undefined;
  if (main === undefined) return fact;
  const parts = { ...fact.body.parts, [MAIN]: { ...main, round: main.round + 1 } };
  return { ...fact, body: { ...fact.body, parts } };
}

const twice = (facts: readonly JournalFact[], kind: JournalFact['kind']): readonly JournalFact[] =>
  facts.flatMap((fact) => (fact.kind === kind ? [fact, fact] : [fact]));
