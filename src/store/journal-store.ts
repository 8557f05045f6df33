/**
 * The journal of one session: the only source of truth, and append-only. Everything appended in one turn of
 * the event loop is one commit, forced to disk before anybody is told that it is there. The work of an
 * append does not depend on how long the journal is. After a commit that failed nothing more is written, so
 * that no row is ever skipped or out of order. Only the holder of the session's lock may open it here;
 * reading is open to all.
 */
import type { Journal, JournalLookup, Time } from '../../actors/ports.js';
import type { Seq } from '../../messages/ids.js';
import type { JournalFact, JournalRow } from '../../messages/journal.js';
import { storeBody } from './blobs.js';
import type { Database } from './database.js';
import { JournalUnwritable } from './journal-errors.js';
import { createJournal, journalFile, openForReading, openForWriting } from './journal-file.js';
import type { JournalPlace } from './journal-file.js';
import {
  lastSeqOf,
  lookUp,
  newestOf,
  readRows,
  readWholeJournal,
  requireSound,
} from './journal-reading.js';
import type { VerifiedRow } from './journal-reading.js';
import { hashOf } from './stored-row.js';
import type { StoredRow } from './stored-row.js';

export interface JournalStore extends Journal, JournalLookup {
  /** Of the newest row on disk; 0: there is none. */
  readonly lastSeq: Seq;
  /** Commits made by this store. */
  readonly commits: number;
  /** Resolves when a commit fails, which happens once; from then on every append rejects with the same. */
  readonly failed: Promise<JournalUnwritable>;
  /** Commits what waits. Rejects when it could not, now or before. */
  flush(): Promise<void>;
  /** Commits what waits, folds the log into the file and closes it. A second call does nothing. */
  close(): Promise<void>;
}

export interface JournalView extends JournalLookup {
  readonly lastSeq: Seq;
  /** What has come since; cheap when that is nothing. */
  rowsAfter(seq: Seq): Iterable<JournalRow>;
  close(): void;
}

interface OpenJournal extends JournalPlace {
  /** `create`: there must be none yet. `append`: there must be one. */
  readonly mode: 'create' | 'append';
  readonly time: Time;
}

/** Throws `JournalMissing`, `JournalDamage` or `SchemaTooNew`; then nothing was written. */
export function openJournal({ dir, session, mode, time }: OpenJournal): JournalStore {
  const place = { dir, session };
  if (mode === 'create') createJournal(dir);
  const view = openForReading(place);
  let last: Seq;
  try {
    last = requireSound(view, place);
  } finally {
    view.close();
  }
  return new SqliteJournal(openForWriting(dir), place, time, last);
}

/** Reads a journal that somebody else may be writing. Throws as `openJournal` does. */
export function openJournalReader(place: JournalPlace): JournalView {
  const db = openForReading(place);
  return {
    get lastSeq() {
      return lastSeqOf(db, place);
    },
    rows: (from = 1) => bare(from === 1 ? readWholeJournal(db, place) : readRows(db, place, from)),
    rowsAfter: (seq) => bare(readRows(db, place, seq + 1)),
    at: lookUp(db, place),
    newest: (kind, before) => newestOf(db, place, kind, before),
    close: () => void db.close(),
  };
}

function* bare(rows: Iterable<VerifiedRow>): Generator<JournalRow> {
  for (const { row } of rows) yield row;
}

type Draft = Omit<StoredRow, 'seq' | 'hash'>;

/** One call of `append`, waiting for its commit. */
interface Batch {
  readonly drafts: readonly Draft[];
  readonly resolve: (first: Seq) => void;
  readonly reject: (error: Error) => void;
}

class SqliteJournal implements JournalStore {
  readonly failed: Promise<JournalUnwritable>;
  readonly #db: Database;
  readonly #place: JournalPlace;
  readonly #time: Time;
  readonly #insert: (row: StoredRow) => void;
  readonly #reportFailure: (error: JournalUnwritable) => void;
  #waiting: Batch[] = [];
  #flushSoon: NodeJS.Immediate | null = null;
  #failure: JournalUnwritable | null = null;
  #lastSeq: Seq;
  #commits = 0;
  readonly at: JournalLookup['at'];

  constructor(db: Database, place: JournalPlace, time: Time, lastSeq: Seq) {
    this.#db = db;
    this.#place = place;
    this.#time = time;
    this.#lastSeq = lastSeq;
    const insert = db.prepare<StoredRow>(
      'INSERT INTO rows VALUES (@seq, @ts, @agent, @round, @kind, @body, @hash)',
    );
    this.#insert = (row) => void insert.run(row);
    this.at = lookUp(db, place);
    let report: (error: JournalUnwritable) => void = () => undefined;
    this.failed = new Promise((resolve) => (report = resolve));
    this.#reportFailure = report;
  }

  get lastSeq(): Seq {
    return this.#lastSeq;
  }

  get commits(): number {
    return this.#commits;
  }

  /** No facts: resolves in its turn with the seq that the next fact gets. */
  async append(facts: readonly JournalFact[]): Promise<Seq> {
    if (!this.#db.open) throw new Error('the journal is closed');
    if (this.#failure !== null) throw this.#failure;
    const ts = Math.round(this.#time.now());
    // Written out now: the caller may change the body before the commit.
    const drafts = facts.map(({ agent, round, kind, body }) => {
      return { ts, agent, round, kind, body: JSON.stringify(body) };
    });
    return new Promise((resolve, reject) => {
      this.#waiting.push({ drafts, resolve, reject });
      this.#flushSoon ??= setImmediate(() => this.#commit());
    });
  }

  rows(from: Seq = 1): Iterable<JournalRow> {
    // That nothing is lost at the end was proven when the journal was opened.
    return bare(readRows(this.#db, this.#place, from));
  }

  newest(kind: JournalRow['kind'], before: Seq): Seq | null {
    return newestOf(this.#db, this.#place, kind, before);
  }

  async flush(): Promise<void> {
    this.#commit();
    if (this.#failure !== null) throw this.#failure;
    return Promise.resolve();
  }

  async close(): Promise<void> {
    if (!this.#db.open) return;
    this.#commit();
    try {
      if (this.#failure === null) this.#db.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // Nothing is lost: what was acknowledged stays in the log, and the next to open it finds it there.
    }
    this.#db.close();
    return Promise.resolve();
  }

  #commit(): void {
    if (this.#flushSoon !== null) clearImmediate(this.#flushSoon);
    this.#flushSoon = null;
    const batches = this.#waiting;
    this.#waiting = [];
    if (batches.length === 0) return;
    const first = this.#lastSeq + 1;
    try {
      this.#write(batches.flatMap(({ drafts }) => drafts));
    } catch (cause) {
      this.#fail(cause, batches);
      return;
    }
    let seq = first;
    for (const { drafts, resolve } of batches) {
      resolve(seq);
      seq += drafts.length;
    }
  }

  #write(drafts: readonly Draft[]): void {
    if (drafts.length === 0) return;
    let seq = this.#lastSeq;
    const rows = drafts.map((draft) => {
      const row = { ...draft, seq: (seq += 1), body: storeBody(this.#place.dir, draft.body) };
      return { ...row, hash: hashOf(this.#place.session, row) };
    });
    this.#db.transaction(() => rows.forEach(this.#insert)).immediate();
    this.#lastSeq = seq;
    this.#commits += 1;
  }

  #fail(cause: unknown, batches: readonly Batch[]): void {
    const failure = new JournalUnwritable(journalFile(this.#place.dir), cause);
    this.#failure = failure;
    for (const { reject } of batches) reject(failure);
    this.#reportFailure(failure);
  }
}
