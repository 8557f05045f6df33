/**
 * A journal that is open for writing. What the disk does not take is kept in memory, in order, until it does;
 * meanwhile nothing is acknowledged but what a person does and how the session stands, which go onto the disk
 * with everything before them in the space that was kept in reserve.
 */
import type { Journal, JournalLookup, Time } from '../../actors/ports.js';
import type { Seq } from '../../messages/ids.js';
import type { JournalFact, JournalRow } from '../../messages/journal.js';
import { storeBody } from './blobs.js';
import type { Database } from './database.js';
import { diskReason } from './disk-errors.js';
import { JournalUnwritable } from './journal-errors.js';
import { journalFile, type JournalPlace } from './journal-file.js';
import { bareRows, lookUp, newestOf, readRows } from './journal-reading.js';
import type { Reserve } from './reserve.js';
import { hashOf } from './stored-row.js';
import type { StoredRow } from './stored-row.js';
import { standingOf, WaitingRows, type Draft } from './waiting-rows.js';

export interface JournalStore extends Journal, JournalLookup {
  /** Of the newest row on disk; 0: there is none. */
  readonly lastSeq: Seq;
  /** Of the row that is appended next: what waits comes first. */
  readonly nextSeq: Seq;
  /** Commits made by this store. */
  readonly commits: number;
  /** Resolves when it has failed for good, which happens once; from then on every append rejects with the same. */
  readonly failed: Promise<JournalUnwritable>;
  /** What the disk says to the rows that wait for it; null: it takes what is written. */
  readonly trouble: JournalUnwritable | null;
  /** Rows that were appended and lost with a failure. */
  readonly unwritten: number;
  /** Calls when `trouble` comes, not when it goes: that is for whoever tries again. */
  onTrouble(listener: () => void): void;
  /** Others have no room: there is trouble from here on, and some of the reserve is theirs. False: none is left. */
  giveRoom(): boolean;
  /** Writes what waits, and makes the reserve whole. False: the disk still does not take it. */
  tryAgain(): boolean;
  /** The session ends: what waits is written with what is left of the reserve, or has failed for good. */
  waitNoLonger(): void;
  /** Commits what waits. Rejects when it could not, now or before. */
  flush(): Promise<void>;
  /** Commits what waits, folds the log into the file, closes it, and gives the reserve back, unless there is trouble. A second call does nothing. */
  close(): Promise<void>;
}

export interface JournalParts {
  readonly db: Database;
  readonly place: JournalPlace;
  readonly time: Time;
  readonly reserve: Reserve | null;
}

export class SqliteJournal implements JournalStore {
  readonly failed: Promise<JournalUnwritable>;
  readonly at: JournalLookup['at'];
  readonly #parts: JournalParts;
  readonly #insert: (row: StoredRow) => void;
  readonly #reportFailure: (error: JournalUnwritable) => void;
  readonly #waiting = new WaitingRows();
  #flushSoon: NodeJS.Immediate | null = null;
  #failure: JournalUnwritable | null = null;
  #trouble: JournalUnwritable | null;
  #onTrouble: () => void = () => undefined;
  /** While there is trouble: something has come that cannot wait. */
  #isUrgent = false;
  #isEnding = false;
  #unwritten = 0;
  #lastSeq: Seq;
  #commits = 0;

  constructor(parts: JournalParts, lastSeq: Seq, trouble: JournalUnwritable | null) {
    this.#parts = parts;
    this.#lastSeq = lastSeq;
    this.at = lookUp(parts.db, parts.place);
    this.#trouble = trouble;
    const insert = parts.db.prepare<StoredRow>(
      'INSERT INTO rows VALUES (@seq, @ts, @agent, @round, @kind, @body, @hash)',
    );
    this.#insert = (row) => void insert.run(row);
    let report: (error: JournalUnwritable) => void = () => undefined;
    this.failed = new Promise((resolve) => (report = resolve));
    this.#reportFailure = report;
  }

  get lastSeq(): Seq {
    return this.#lastSeq;
  }

  get nextSeq(): Seq {
    return this.#lastSeq + this.#waiting.drafts.length + 1;
  }

  get commits(): number {
    return this.#commits;
  }

  get trouble(): JournalUnwritable | null {
    return this.#trouble;
  }

  get unwritten(): number {
    return this.#unwritten;
  }

  onTrouble(listener: () => void): void {
    this.#onTrouble = listener;
  }

  /** No facts: resolves in its turn with the seq that the next fact gets. */
  async append(facts: readonly JournalFact[]): Promise<Seq> {
    if (!this.#parts.db.open) throw new Error('the journal is closed');
    if (this.#failure !== null) throw this.#failure;
    const ts = Math.round(this.#parts.time.now());
    // Written out now: the caller may change the body before the commit.
    const drafts = facts.map(({ agent, round, kind, body }) => {
      return { ts, agent, round, kind, body: JSON.stringify(body) };
    });
    const standing = standingOf(facts);
    if (standing !== 'usual') this.#isUrgent = true;
    return new Promise((resolve, reject) => {
      this.#waiting.add({ drafts, standing, resolve, reject });
      this.#flushSoon ??= setImmediate(() => this.#commit());
    });
  }

  rows(from: Seq = 1): Iterable<JournalRow> {
    // That nothing is lost at the end was proven when the journal was opened.
    return bareRows(readRows(this.#parts.db, this.#parts.place, from));
  }

  newest(kind: JournalRow['kind'], before: Seq): Seq | null {
    return newestOf(this.#parts.db, this.#parts.place, kind, before);
  }

  async flush(): Promise<void> {
    this.#commit();
    if (this.#failure !== null) throw this.#failure;
    return Promise.resolve();
  }

  giveRoom(): boolean {
    if (this.#parts.reserve?.give() !== true) return false;
    this.#hold(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
    return true;
  }

  tryAgain(): boolean {
    if (this.#failure !== null) return false;
    try {
      this.#write();
      this.#parts.reserve?.make();
    } catch (cause) {
      this.#waitOrFail(cause);
      return false;
    }
    this.#trouble = null;
    this.#waiting.tellAll();
    return true;
  }

  waitNoLonger(): void {
    this.#isEnding = true;
    this.#commit();
    this.#waiting.tellAll();
  }

  async close(): Promise<void> {
    const { db, reserve } = this.#parts;
    if (!db.open) return;
    this.waitNoLonger();
    // Where the disk is full it is what the session can be resumed on; its result needs a little of it.
    if (this.#trouble === null) reserve?.remove();
    else reserve?.give();
    try {
      if (this.#failure === null) db.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // Nothing is lost: what was acknowledged stays in the log, and the next to open it finds it there.
    }
    db.close();
    return Promise.resolve();
  }

  #commit(): void {
    if (this.#flushSoon !== null) clearImmediate(this.#flushSoon);
    this.#flushSoon = null;
    const mayTry = this.#trouble === null || this.#isUrgent || this.#isEnding;
    this.#isUrgent = false;
    if (!mayTry) {
      if (this.#waiting.isTooMuch) this.#fail(this.#trouble?.cause);
      return;
    }
    try {
      this.#write();
    } catch (cause) {
      if (!this.#writeOnReserve(cause)) this.#waitOrFail(cause);
    }
  }

  /** What waits is what it is for only if it is short of space; anything else a smaller file does not help. */
  #writeOnReserve(cause: unknown): boolean {
    const { reserve } = this.#parts;
    if (reserve === null || diskReason(cause) === null) return false;
    this.#hold(cause);
    while (reserve.give()) {
      try {
        this.#write();
        return true;
      } catch {
        // The next piece may do.
      }
    }
    return false;
  }

  /** All that waits, or nothing of it. */
  #write(): void {
    if (this.#waiting.isEmpty) return;
    const { drafts } = this.#waiting;
    const first = this.#lastSeq + 1;
    if (drafts.length > 0) this.#insertAll(drafts);
    this.#waiting.written(first, this.#trouble !== null && !this.#isEnding);
  }

  #insertAll(drafts: readonly Draft[]): void {
    const { db, place } = this.#parts;
    let seq = this.#lastSeq;
    const rows = drafts.map((draft) => {
      const row = { ...draft, seq: (seq += 1), body: storeBody(place.dir, draft.body) };
      return { ...row, hash: hashOf(place.session, row) };
    });
    db.transaction(() => rows.forEach(this.#insert)).immediate();
    this.#lastSeq = seq;
    this.#commits += 1;
  }

  #waitOrFail(cause: unknown): void {
    const canWait = this.#parts.reserve !== null && diskReason(cause) !== null;
    if (!canWait || this.#isEnding || this.#waiting.isTooMuch) {
      this.#fail(cause);
      return;
    }
    this.#hold(cause);
    this.#waiting.refuseActions(this.#unwritable(cause));
  }

  #hold(cause: unknown): void {
    const isNew = this.#trouble === null;
    this.#trouble = this.#unwritable(cause);
    if (isNew) this.#onTrouble();
  }

  #fail(cause: unknown): void {
    const failure = this.#unwritable(cause);
    this.#failure = failure;
    this.#waiting.tellAll();
    this.#unwritten += this.#waiting.rejectAll(failure);
    this.#reportFailure(failure);
  }

  #unwritable(cause: unknown): JournalUnwritable {
    return new JournalUnwritable(journalFile(this.#parts.place.dir), cause);
  }
}
