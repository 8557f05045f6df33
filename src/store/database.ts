/**
 * The only file that loads SQLite. Opens database files and says what an error of theirs means; what is in
 * them is the business of the stores.
 */
import { readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

export type Database = Sqlite.Database;

/** Versions from 3.7.0 up to this one could lose commits in write-ahead mode. */
const OLDEST_SAFE_VERSION = '3.51.3';

/** Rows are read once and in order, so a large page cache would only cost memory. */
const CACHE_KIB = 2_000;

/** What `PRAGMA synchronous` reads back as. */
const SYNCHRONOUS = { NORMAL: 1, FULL: 2 } as const;

let versionChecked = false;

function requireSafeVersion(): void {
  if (versionChecked) return;
  const db = new Sqlite(':memory:');
  const version = String(db.prepare('SELECT sqlite_version()').pluck().get());
  db.close();
  if (version.localeCompare(OLDEST_SAFE_VERSION, 'en', { numeric: true }) < 0) {
    throw new Error(
      `better-sqlite3 was built with SQLite ${version}, which can lose commits. ` +
        `Install a build with SQLite ${OLDEST_SAFE_VERSION} or newer: npm rebuild better-sqlite3`,
    );
  }
  versionChecked = true;
}

interface OpenOptions {
  readonly file: string;
  /** The file must exist either way: whoever owns it creates it, with the mode it needs. */
  readonly access: 'read' | 'write';
  /** How long a statement waits for another process before it fails as busy. */
  readonly busyMs: number;
}

/** What the file holds by itself, without a log beside it; in memory, and not to be written to. */
export function openCopy(file: string): Database {
  requireSafeVersion();
  const bytes = readFileSync(file);
  // As if it never had a log: one in memory cannot have one.
  bytes.fill(1, LOG_VERSIONS.from, LOG_VERSIONS.to);
  const db = new Sqlite(bytes);
  db.pragma('query_only = ON');
  return db;
}

/** Bytes of the header that say whether the file has a log; 1: it has none. */
const LOG_VERSIONS = { from: 18, to: 20 };

/** Reads and writes nothing yet: a file that is no database is noticed by the first statement. */
export function openDatabase({ file, access, busyMs }: OpenOptions): Database {
  requireSafeVersion();
  return new Sqlite(file, { readonly: access === 'read', fileMustExist: true, timeout: busyMs });
}

/** Settings for a database that is read in bulk: little memory, and pages that make no sense are refused. */
export function readCarefully(db: Database): void {
  db.pragma(`cache_size = -${CACHE_KIB}`);
  db.pragma('cell_size_check = ON');
}

/** Turns on write-ahead logging. Throws when either setting did not take: durability hangs on both. */
export function useWriteAheadLog(db: Database, synchronous: keyof typeof SYNCHRONOUS): void {
  const mode = db.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal') {
    throw new Error(
      `${db.name} cannot use a write-ahead log (SQLite chose "${String(mode)}"). ` +
        `Network file systems do not allow it: set OURO_HOME to a folder on a local disk.`,
    );
  }
  db.pragma(`synchronous = ${synchronous}`);
  // Without this macOS only hands the data to the drive's own cache. Other systems ignore it.
  if (synchronous === 'FULL') db.pragma('fullfsync = ON');
  const level = db.pragma('synchronous', { simple: true });
  if (level !== SYNCHRONOUS[synchronous]) {
    throw new Error(`${db.name}: synchronous = ${synchronous} was not accepted`);
  }
}

/** A database of the given schema as the bytes of a file, so that it can be created in one step. */
export function databaseImage(schema: string, version: number): Buffer {
  requireSafeVersion();
  const db = new Sqlite(':memory:');
  try {
    db.exec(schema);
    db.pragma(`user_version = ${version}`);
    return db.serialize();
  } finally {
    db.close();
  }
}

export const schemaVersion = (db: Database): number =>
  Number(db.pragma('user_version', { simple: true }));

/** The file was written by a newer program. Nothing in it was changed. */
export class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew';
  readonly file: string;
  readonly found: number;
  readonly known: number;

  constructor(file: string, found: number, known: number) {
    super(
      `${file} was written by a newer version of ouro (its schema is ${found}, this program knows ` +
        `${known}). Nothing was changed. Use the newer version, or another OURO_HOME.`,
    );
    this.file = file;
    this.found = found;
    this.known = known;
  }
}

/** SQLite's name for what went wrong, such as `SQLITE_FULL`; null: it is not SQLite's error. */
export const sqliteCode = (error: unknown): string | null =>
  error instanceof Sqlite.SqliteError ? error.code : null;

export const isBusy = (error: unknown): boolean =>
  /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error) ?? '');

/** They say something about who may open the file, who uses it, or whether the disk takes what is written. */
const NO_DAMAGE =
  /^SQLITE_(BUSY|LOCKED|CANTOPEN|PERM|AUTH|READONLY|PROTOCOL|FULL|IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|SHM|MMAP))/;

/** An error that says something about the bytes of the file. */
export const isDamage = (error: unknown): boolean => {
  const code = sqliteCode(error);
  return code !== null && !NO_DAMAGE.test(code);
};
