/**
 * A lock that dies with its holder: an exclusive transaction kept open on a small file, so that the kernel
 * frees it however the process ends. Beside it stands who holds it, for showing and for killing; that file
 * may be stale, the lock never is.
 *
 * Kernel locks of this kind belong to the process and are lost when it closes any other handle of the file.
 * So the lock file is opened here and nowhere else, and only through SQLite, which knows about this.
 */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeFileAtomic } from './atomic-file.js';
import { isBusy, openDatabase } from './database.js';
import type { Database } from './database.js';
import { PlaceUnusable } from './place-unusable.js';
import { identityOf } from './process-identity.js';
import type { ProcessIdentity } from './process-identity.js';

export interface LockOwner extends ProcessIdentity {
  /** What it is held for, in words. */
  readonly what: string;
  readonly session?: string;
}

export interface Lock {
  readonly file: string;
  /** A second call does nothing. */
  release(): void;
}

/** A probe holds a shared lock for a moment; waiting this long tells it from a real holder. */
const PROBE_GRACE_MS = 250;

const ownerFile = (file: string): string => `${file}.owner.json`;

/** Null: another process, or this one, holds it. */
export function acquireLock(file: string, held: Pick<LockOwner, 'what' | 'session'>): Lock | null {
  createLockFile(file);
  const db = openDatabase({ file, access: 'write', busyMs: PROBE_GRACE_MS });
  try {
    // Nothing is ever written, and in memory there is no journal file that a kill could leave behind.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    const self = identityOf(process.pid);
    if (self === null) throw new Error('this process cannot read its own start time');
    writeFileAtomic(ownerFile(file), `${JSON.stringify({ ...self, ...held })}\n`);
  } catch (error) {
    db.close();
    if (isBusy(error)) return null;
    throw unusable(file, error);
  }
  return { file, release: () => release(db, file) };
}

/** Whether somebody holds it. Creates nothing and waits for nobody. */
export function isLocked(file: string): boolean {
  if (!existsSync(file)) return false;
  const db = openDatabase({ file, access: 'read', busyMs: 0 });
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw unusable(file, error);
  } finally {
    db.close();
  }
}

/** Who took the lock last; ask `isLocked` whether that still holds. Null: nobody, or it cannot be read. */
export function readOwner(file: string): LockOwner | null {
  try {
    const owner: unknown = JSON.parse(readFileSync(ownerFile(file), 'utf8'));
    return isOwner(owner) ? owner : null;
  } catch {
    return null;
  }
}

function release(db: Database, file: string): void {
  if (!db.open) return;
  // While the lock is still held: later it would be the next holder's.
  rmSync(ownerFile(file), { force: true });
  db.close();
}

/** Creates what is missing, and leaves what is there alone. */
export function createLockFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    // `wx` never opens an existing file, which would end a lock that this process holds.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function isOwner(value: unknown): value is LockOwner {
  if (typeof value !== 'object' || value === null) return false;
  const owner = value as Partial<Record<keyof LockOwner, unknown>>;
  return (
    typeof owner.pid === 'number' &&
    typeof owner.startTime === 'string' &&
    typeof owner.bootId === 'string' &&
    typeof owner.what === 'string' &&
    (owner.session === undefined || typeof owner.session === 'string')
  );
}

const unusable = (file: string, cause: unknown): PlaceUnusable =>
  new PlaceUnusable(
    `The lock file ${file} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}. ` +
      `If no ouro process is running, delete it and try again.`,
    { cause },
  );
