/**
 * The journal's database file: where it is, how it comes into being, and how it is opened so that a damaged
 * or newer one is noticed before anything is written to it.
 */
import { existsSync, mkdirSync, openSync, closeSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SessionId } from '../../messages/ids.js';
import { syncFolder, writeFileAtomic } from './atomic-file.js';
import {
  SchemaTooNew,
  databaseImage,
  isDamage,
  openDatabase,
  readCarefully,
  schemaVersion,
  useWriteAheadLog,
} from './database.js';
import type { Database } from './database.js';
import { DiskRefuses, diskReason } from './disk-errors.js';
import { JournalDamage, JournalMissing } from './journal-errors.js';

export interface JournalPlace {
  /** The session's folder. */
  readonly dir: string;
  readonly session: SessionId;
}

const SCHEMA_VERSION = 1;

const SCHEMA = `CREATE TABLE rows (
  seq INTEGER PRIMARY KEY,
  ts INTEGER NOT NULL,
  agent TEXT NOT NULL,
  round INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  hash BLOB NOT NULL
) STRICT`;

/** Readers hold their locks for one page of rows, and a checkpoint for a few milliseconds. */
const BUSY_MS = 5_000;

/** The first bytes of every SQLite database; the header they open has 100. */
const MAGIC = Buffer.from('SQLite format 3\0', 'latin1');
const HEADER_BYTES = 100;

export const journalFile = (dir: string): string => join(dir, 'journal.db');
export const walFile = (database: string): string => `${database}-wal`;
export const sharedMemoryFile = (database: string): string => `${database}-shm`;

export const emptyJournal = (): Buffer => databaseImage(SCHEMA, SCHEMA_VERSION);

/** The file appears whole or not at all. A journal that exists already is never replaced. */
export function createJournal(dir: string): void {
  const file = journalFile(dir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (existsSync(file)) throw new Error(`there is a journal at ${file} already`);
  writeFileAtomic(file, emptyJournal());
  syncFolder(dirname(dir));
}

/** Opens for reading only. Throws what `JournalReader` throws, and `SchemaTooNew`. */
export function openForReading(place: JournalPlace): Database {
  const file = journalFile(place.dir);
  if (!existsSync(file)) throw new JournalMissing(file);
  return orDamage(place, () => {
    requireHeader(place, file);
    const db = openDatabase({ file, access: 'read', busyMs: BUSY_MS });
    try {
      readCarefully(db);
      requireKnownSchema(place, db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Only for the holder of the session's lock, and only after it was read without complaint. */
export function openForWriting(dir: string): Database {
  const db = openDatabase({ file: journalFile(dir), access: 'write', busyMs: BUSY_MS });
  try {
    readCarefully(db);
    useWriteAheadLog(db, 'FULL');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLite would lay a log beside a file that is no database, so its first bytes are looked at before. */
function requireHeader(place: JournalPlace, file: string): void {
  const header = Buffer.alloc(HEADER_BYTES);
  const fd = openSync(file, 'r');
  try {
    const length = readSync(fd, header, 0, HEADER_BYTES, 0);
    if (length === HEADER_BYTES && header.subarray(0, MAGIC.length).equals(MAGIC)) return;
  } finally {
    closeSync(fd);
  }
  throw allUnreadable(place, new Error('it is not an SQLite database'));
}

function requireKnownSchema(place: JournalPlace, db: Database): void {
  const found = schemaVersion(db);
  if (found > SCHEMA_VERSION) throw new SchemaTooNew(db.name, found, SCHEMA_VERSION);
  // The file is created with its version in place, so there never was a lower one.
  if (found < SCHEMA_VERSION) throw allUnreadable(place, new Error(`its schema is ${found}`));
}

function orDamage<T>(place: JournalPlace, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (isDamage(error)) throw allUnreadable(place, error);
    throw diskReason(error) === null ? error : new DiskRefuses(journalFile(place.dir), error);
  }
}

const allUnreadable = ({ dir, session }: JournalPlace, cause: unknown): JournalDamage =>
  new JournalDamage({
    session,
    file: journalFile(dir),
    seq: 1,
    what: 'unreadable',
    lastGood: 0,
    cause,
  });
