/**
 * Who starts a session's process again when it crashes, in the session's folder. The record says two things:
 * the session is meant to go on in the background, and which process sees to it. Whoever removes it calls
 * the restarts off; a process that finds another one named here has nothing to do.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Millis, SessionId } from '../../messages/ids.js';
import { writeFileAtomic } from './atomic-file.js';
import { sessionDir } from './layout.js';
import { onReserve, reserveIn } from './reserve.js';
import { isSameProcess, type ProcessIdentity } from './process-identity.js';

export interface GuardianRecord extends ProcessIdentity {
  /** When it was started again after a crash, oldest first. */
  readonly restarts: readonly Millis[];
}

export const guardianFile = (home: string, id: SessionId): string =>
  join(sessionDir(home, id), 'guardian.json');

/** Throws what the disk says if it has no room, and the session has nothing in reserve any more. */
export function writeGuardian(home: string, id: SessionId, record: GuardianRecord): void {
  const text = `${JSON.stringify(record)}\n`;
  onReserve(reserveIn(sessionDir(home, id)), () => writeFileAtomic(guardianFile(home, id), text));
}

/** Null: nobody is meant to, or the record cannot be read. */
export function readGuardian(home: string, id: SessionId): GuardianRecord | null {
  try {
    const found: unknown = JSON.parse(readFileSync(guardianFile(home, id), 'utf8'));
    return isRecord(found) ? found : null;
  } catch {
    return null;
  }
}

/** Whether somebody would start it again if it crashed now, or is about to. */
export function isGuarded(home: string, id: SessionId): boolean {
  const record = readGuardian(home, id);
  return record !== null && isSameProcess(record);
}

/** The session is not meant to go on by itself any more. */
export const forgetGuardian = (home: string, id: SessionId): void =>
  rmSync(guardianFile(home, id), { force: true });

/** Ends it, and calls off what it was about to do. False: there was nobody. Leaves the caller itself alone. */
export function endGuardian(home: string, id: SessionId): boolean {
  const record = readGuardian(home, id);
  if (record?.pid === process.pid) return false;
  forgetGuardian(home, id);
  if (record === null || !isSameProcess(record)) return false;
  try {
    return process.kill(record.pid, 'SIGKILL');
  } catch {
    return false;
  }
}

function isRecord(value: unknown): value is GuardianRecord {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Partial<Record<keyof GuardianRecord, unknown>>;
  return (
    typeof record.pid === 'number' &&
    typeof record.startTime === 'string' &&
    typeof record.bootId === 'string' &&
    Array.isArray(record.restarts) &&
    record.restarts.every((at) => typeof at === 'number')
  );
}
