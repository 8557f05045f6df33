/**
 * Space kept in reserve: a file in the session's folder, written and not sparse, which is given back to the
 * file system piece by piece when the disk takes no more. Given back at once it would be gone at once where
 * another program is filling the disk; a piece is used in the moment in which it becomes free.
 */
import { randomFillSync } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { diskReason } from './disk-errors.js';

/** Room for some hundred actions of a person, each a few pages of the journal's log, and for the end. */
export const RESERVE_BYTES = 4 * 1024 * 1024;

/** Enough for the rows of one commit as they usually are. */
const PIECE_BYTES = 256 * 1024;

/** What is written: noise, so that a file system which compresses keeps as much space as the file is long. */
const NOISE_BYTES = 1024 * 1024;

export interface Reserve {
  /** Makes it whole again. Throws what the disk says; then it is as large as it was. */
  make(): void;
  /** Gives one piece back; false: there is nothing left of it. Does not throw. */
  readonly give: () => boolean;
  /** Gives all of it back. Does not throw. */
  remove(): void;
}

/** Does it, and where the disk has no room for it again with a piece more, as long as there is one. */
export function onReserve<T>({ give }: Pick<Reserve, 'give'>, work: () => T): T {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (diskReason(error) === null || !give()) throw error;
    }
  }
}

export const reserveFile = (dir: string): string => join(dir, 'reserve');

export function reserveIn(dir: string): Reserve {
  const file = reserveFile(dir);
  return {
    make: () => fill(file),
    give: () => shorten(file),
    remove: () => drop(file),
  };
}

function fill(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.size === RESERVE_BYTES) return;
  const fd = openSync(file, 'a', 0o600);
  const before = fstatSync(fd).size;
  try {
    const noise = randomFillSync(Buffer.allocUnsafe(NOISE_BYTES));
    for (let at = before; at < RESERVE_BYTES;) {
      at += writeSync(fd, noise, 0, Math.min(NOISE_BYTES, RESERVE_BYTES - at));
    }
    if (before > RESERVE_BYTES) ftruncateSync(fd, RESERVE_BYTES);
  } catch (error) {
    shortenTo(fd, before);
    throw error;
  } finally {
    closeSync(fd);
  }
}

function shortenTo(fd: number, bytes: number): void {
  try {
    ftruncateSync(fd, bytes);
  } catch {
    // Why it could not be written says more.
  }
}

function shorten(file: string): boolean {
  try {
    const fd = openSync(file, 'r+');
    try {
      const { size } = fstatSync(fd);
      if (size === 0) return false;
      ftruncateSync(fd, Math.max(0, size - PIECE_BYTES));
      return true;
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}

function drop(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A folder that cannot be written to: there is nothing to be gained from it either.
  }
}
