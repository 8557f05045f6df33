/**
 * Small whole files that are either all there or not at all: written beside their place, forced to disk and
 * renamed into it. A crash leaves the old file, at worst with a `.tmp` file beside it.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Returns once it would survive a loss of power. Replaces what stood there. */
export function writeFileAtomic(file: string, data: string | Uint8Array, mode = 0o600): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const fd = openSync(draft, 'wx', mode);
    try {
      writeFileSync(fd, data);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(dirname(file));
}

/** Forces names to disk: a file's own fsync does not cover the entry in its folder. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
