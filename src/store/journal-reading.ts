/**
 * Reads a journal in order and vouches for every row it hands out: none is missing, none was altered. A
 * damaged journal ends the reading with `JournalDamage` at the first row that is not good.
 */
import { basename } from 'node:path';
import type { JournalRow } from '../../messages/journal.js';
import type { Seq } from '../../messages/ids.js';
import { blobFileOf, readBlob } from './blobs.js';
import { isDamage } from './database.js';
import type { Database } from './database.js';
import { JournalDamage } from './journal-errors.js';
import type { Damage } from './journal-errors.js';
import { journalFile, walFile } from './journal-file.js';
import type { JournalPlace } from './journal-file.js';
import { isIntact } from './stored-row.js';
import type { StoredRow } from './stored-row.js';
import { walIsDamaged } from './wal-damage.js';

/** Rows read at a time: no read lock is held in between, which would stop the log from being folded in. */
const PAGE_ROWS = 64;

const SELECT_PAGE =
  'SELECT seq, ts, agent, round, kind, body, hash FROM rows WHERE seq >= ? ORDER BY seq LIMIT ?';

const SELECT_ONE = 'SELECT seq, ts, agent, round, kind, body, hash FROM rows WHERE seq = ?';
const SELECT_NEWEST = 'SELECT seq FROM rows WHERE kind = ? AND seq < ? ORDER BY seq DESC LIMIT 1';

export interface VerifiedRow {
  readonly stored: StoredRow;
  readonly row: JournalRow;
}

/** Every row. Having come to the end also proves that none is lost there, at the cost of a pass over the file. */
export function* readWholeJournal(
  db: Database,
  place: JournalPlace,
): Generator<VerifiedRow, void, undefined> {
  const last = yield* readRows(db, place, 1);
  requireSoundEnd(db, place, last);
}

/** One row, whatever is the matter with others; null: it is not there, or not as it was written. */
export function lookUp(db: Database, place: JournalPlace): (seq: Seq) => JournalRow | null {
  const prepare = () => db.prepare<[Seq], StoredRow>(SELECT_ONE);
  let one: ReturnType<typeof prepare> | null = null;
  return (seq) => {
    try {
      const stored = (one ??= prepare()).get(seq);
      return stored === undefined ? null : verify(place, stored, seq).row;
    } catch (error) {
      if (isDamage(error) || error instanceof JournalDamage) return null;
      throw error;
    }
  };
}

/** From the end; the row itself is not proven. Null: there is none. */
export function newestOf(
  db: Database,
  place: JournalPlace,
  kind: JournalRow['kind'],
  before: Seq,
): Seq | null {
  const found = asDamage(place, 1, () =>
    db.prepare<[string, Seq], Seq>(SELECT_NEWEST).pluck().get(kind, before),
  );
  return found ?? null;
}

/** The newest row's position; 0: there is none. Asks for little, so it may be asked often. */
export function lastSeqOf(db: Database, place: JournalPlace): Seq {
  const read = (): Seq | null | undefined =>
    db.prepare<[], Seq | null>('SELECT max(seq) FROM rows').pluck().get();
  return asDamage(place, 1, read) ?? 0;
}

/**
 * What must hold before anything is written: the structure is sound, the log is whole, the newest row is
 * good. Its cost is far below that of reading everything. Returns the newest row's position.
 */
export function requireSound(db: Database, place: JournalPlace): Seq {
  try {
    const last = lastSeqOf(db, place);
    requireSoundEnd(db, place, last);
    if (last > 0) readAll(readRows(db, place, last));
    return last;
  } catch (error) {
    // Says that something is wrong, not where; reading everything does.
    if (error instanceof JournalDamage) readAll(readWholeJournal(db, place));
    throw error;
  }
}

function readAll(rows: Generator<VerifiedRow, unknown, undefined>): void {
  while (rows.next().done !== true);
}

/** Rows from `from` on, each one proven. Returns the last seq it handed out. */
export function* readRows(
  db: Database,
  place: JournalPlace,
  from: Seq,
): Generator<VerifiedRow, Seq, undefined> {
  const page = asDamage(place, from, () => db.prepare<[Seq, number], StoredRow>(SELECT_PAGE));
  let next = from;
  for (;;) {
    const rows = readPage((limit) => page.all(next, limit), place, next);
    if (rows.length === 0) return next - 1;
    for (const stored of rows) {
      yield verify(place, stored, next);
      next += 1;
    }
  }
}

/** What was proven, without how. */
export function* bareRows(rows: Iterable<VerifiedRow>): Generator<JournalRow> {
  for (const { row } of rows) yield row;
}

/** Throws unless the file's structure is sound and its log is whole: rows may be lost after `last`. */
function requireSoundEnd(db: Database, place: JournalPlace, last: Seq): void {
  const unsound = asDamage(place, last + 1, () => db.pragma('quick_check(1)', { simple: true }));
  if (unsound !== 'ok') {
    throw damageAt(place, 'unreadable', last + 1, new Error(String(unsound)));
  }
  const wal = walFile(journalFile(place.dir));
  if (walIsDamaged(wal)) {
    const cause = new Error('a part of the write-ahead log that was complete has changed');
    throw damageAt(place, 'unreadable', last + 1, cause, wal);
  }
}

function verify(place: JournalPlace, stored: StoredRow, expected: Seq): VerifiedRow {
  if (stored.seq !== expected) throw damageAt(place, 'gap', expected);
  if (!isIntact(place.session, stored)) throw damageAt(place, 'altered', expected);
  const { seq, ts, agent, round, kind } = stored;
  const body: unknown = JSON.parse(readBody(place, stored));
  // The hash proves that this program wrote the row, and it writes nothing else.
  return { stored, row: { seq, ts, agent, round, kind, body } as JournalRow };
}

function readBody(place: JournalPlace, { seq, body }: StoredRow): string {
  const file = blobFileOf(place.dir, body);
  if (file === null) return body;
  let text: string | null;
  try {
    text = readBlob(file, basename(file));
  } catch (cause) {
    throw damageAt(place, 'unreadable', seq, cause, file);
  }
  if (text === null) throw damageAt(place, 'altered', seq, undefined, file);
  return text;
}

/** A page with a bad row in it is read again row by row, to hand out what comes before. */
function readPage(
  read: (limit: number) => StoredRow[],
  place: JournalPlace,
  next: Seq,
): StoredRow[] {
  try {
    return read(PAGE_ROWS);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return asDamage(place, next, () => read(1));
  }
}

function asDamage<T>(place: JournalPlace, seq: Seq, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw isDamage(error) ? damageAt(place, 'unreadable', seq, error) : error;
  }
}

const damageAt = (
  { dir, session }: JournalPlace,
  what: Damage,
  seq: Seq,
  cause?: unknown,
  file = journalFile(dir),
): JournalDamage => new JournalDamage({ session, file, seq, what, lastGood: seq - 1, cause });
