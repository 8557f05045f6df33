/** Rows in memory, in the journal's own encoding: bodies as JSON, each row with its hash. */
import { createHash } from 'node:crypto';
import type { JournalLookup, Time } from '../../actors/ports.js';
import type { SessionId } from '../../messages/ids.js';
import type { JournalFact, JournalRow } from '../../messages/journal.js';
import { hashOf, isIntact, type StoredRow } from '../../src/store/stored-row.js';
import { lookupIn } from './row-lookup.js';
import type { RowStore } from './row-store.js';

export class MemoryRows implements RowStore {
  readonly #session: SessionId;
  readonly #rows: StoredRow[] = [];
  #time: Time | null = null;

  constructor(session: SessionId) {
    this.#session = session;
  }

  get lastSeq(): number {
    return this.#rows.length;
  }

  open(time: Time): void {
    this.#time = time;
  }

  commit(facts: readonly JournalFact[]): readonly JournalRow[] {
    if (this.#time === null) throw new Error('the journal is closed');
    const ts = Math.round(this.#time.now());
    const first = this.#rows.length;
    for (const { agent, round, kind, body } of facts) {
      const row = {
        seq: this.#rows.length + 1,
        ts,
        agent,
        round,
        kind,
        body: JSON.stringify(body),
      };
      this.#rows.push({ ...row, hash: hashOf(this.#session, row) });
    }
    return this.#rows.slice(first).map(parsed);
  }

  lookup(): JournalLookup {
    return lookupIn(this.read());
  }

  read(): readonly JournalRow[] {
    return this.#rows.map((row, i) => {
      if (row.seq !== i + 1 || !isIntact(this.#session, row)) {
        throw new Error(`row ${i + 1} is not the one that was written`);
      }
      return parsed(row);
    });
  }

  crash(): void {
    this.#time = null;
  }

  close(): Promise<void> {
    this.#time = null;
    return Promise.resolve();
  }

  loseNewest(): void {
    this.#rows.pop();
  }

  digest(): string {
    const all = createHash('sha256');
    for (const { hash } of this.#rows) all.update(hash);
    return all.digest('hex');
  }

  remove(): void {
    this.#rows.length = 0;
  }
}

const parsed = ({ seq, ts, agent, round, kind, body }: StoredRow): JournalRow =>
  ({ seq, ts, agent, round, kind, body: JSON.parse(body) as unknown }) as JournalRow;
