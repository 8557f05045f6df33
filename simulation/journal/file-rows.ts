/**
 * Rows in a real journal's file, written and read by the journal itself. A crash leaves the file, its log
 * and its shared memory as they are at that moment: the next process gets a copy of just that.
 */
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JournalLookup, Time } from '../../actors/ports.js';
import type { SessionId } from '../../messages/ids.js';
import type { JournalFact, JournalRow } from '../../messages/journal.js';
import {
  openJournal,
  openJournalReader,
  type JournalStore,
} from '../../src/store/journal-store.js';
import { hashOf } from '../../src/store/stored-row.js';
import type { RowStore } from './row-store.js';

export class FileRows implements RowStore {
  readonly #session: SessionId;
  readonly #root = mkdtempSync(join(tmpdir(), 'ouro-simulation-'));
  #lives = 0;
  #isLost = false;
  #isCreated = false;
  #store: JournalStore | null = null;
  #kept: readonly JournalRow[] = [];

  constructor(session: SessionId) {
    this.#session = session;
  }

  get #dir(): string {
    return join(this.#root, `${this.#lives}`);
  }

  get #open(): JournalStore {
    if (this.#store === null) throw new Error('the journal is closed');
    return this.#store;
  }

  get lastSeq(): number {
    return this.#store?.lastSeq ?? this.#kept.length;
  }

  open(time: Time): void {
    const mode = this.#isCreated ? 'append' : 'create';
    this.#store = openJournal({ dir: this.#dir, session: this.#session, mode, time });
    this.#isCreated = true;
  }

  commit(facts: readonly JournalFact[]): readonly JournalRow[] {
    const store = this.#open;
    const before = store.lastSeq;
    // Both do their work before they first wait; a commit that fails is seen by what is not there.
    store.append(facts).catch(() => undefined);
    store.flush().catch(() => undefined);
    const rows = [...store.rows(before + 1)];
    if (rows.length !== facts.length) throw new Error('the journal could not be written');
    return rows;
  }

  lookup(): JournalLookup {
    return this.#open;
  }

  read(): readonly JournalRow[] {
    if (!this.#isCreated) return [];
    const view = openJournalReader({ dir: this.#dir, session: this.#session });
    try {
      this.#kept = [...view.rows()].slice(0, this.#isLost ? -1 : undefined);
      return this.#kept;
    } finally {
      view.close();
    }
  }

  crash(): void {
    const before = this.#dir;
    this.#lives += 1;
    cpSync(before, this.#dir, { recursive: true });
    void this.#store?.close();
    this.#store = null;
    this.read();
  }

  async close(): Promise<void> {
    await this.#store?.close();
    this.#store = null;
    this.read();
  }

  loseNewest(): void {
    this.#isLost = true;
  }

  digest(): string {
    const all = createHash('sha256');
    for (const { seq, ts, agent, round, kind, body } of this.read()) {
      const row = { seq, ts, agent, round, kind, body: JSON.stringify(body) };
      all.update(hashOf(this.#session, row));
    }
    return all.digest('hex');
  }

  remove(): void {
    void this.#store?.close();
    rmSync(this.#root, { recursive: true, force: true });
  }
}
