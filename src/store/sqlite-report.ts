/** Whether SQLite keeps its promises in a folder: new enough, and a log that reaches the disk. */
import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, useWriteAheadLog } from './database.js';

export type SqliteReport =
  | { readonly works: true; readonly version: string }
  /** With what to do about it. */
  | { readonly works: false; readonly reason: string };

/** Of a file that nobody else looks at. */
const BUSY_MS = 0;

/** Tries it out on a database of its own, and leaves nothing behind. Does not throw. */
export function sqliteReport(folder: string): SqliteReport {
  const file = join(folder, `check-${process.pid}.db`);
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return { works: true, version: versionIn(file) };
  } catch (error) {
    return { works: false, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  }
}

function versionIn(file: string): string {
  const db = openDatabase({ file, access: 'write', busyMs: BUSY_MS });
  try {
    useWriteAheadLog(db, 'FULL');
    db.exec('CREATE TABLE written (at INTEGER) STRICT');
    return String(db.prepare('SELECT sqlite_version()').pluck().get());
  } finally {
    db.close();
  }
}
