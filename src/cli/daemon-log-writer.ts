/**
 * What a daemon says about itself, on its stderr, which is its log file. Bounded: a file that has grown to its
 * limit becomes the older one, in the place of the one before it, and the daemon goes on with an empty one. A
 * disk that takes no more costs lines, not the session, and not the log.
 */
import { copyFileSync, fstatSync, ftruncateSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';

/** Weeks of warnings, or a day of a session that is watched closely; twice that is kept at most. */
export const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** The one before it, beside it. */
export const olderLog = (file: string): string => `${file}.1`;

export interface LogTarget {
  readonly file: string;
  /** Open for appending to that file, also in other processes: what any of them writes next is its new end. */
  readonly fd: number;
  readonly maxBytes?: number;
}

export function daemonLogWriter({ file, fd, maxBytes = MAX_LOG_BYTES }: LogTarget): Writable {
  // What others write counts too, but need not be looked for at each line.
  let expected = fstatSync(fd).size;
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      expected += chunk.length;
      if (expected > maxBytes) expected = makeRoom(file, fd, maxBytes) + chunk.length;
      try {
        writeSync(fd, chunk);
      } catch {
        // The next line may find room again.
      }
      done();
    },
  });
}

/** The file is the same one before and after, since others have it open. Returns how long it is now. */
function makeRoom(file: string, fd: number, maxBytes: number): number {
  const { size } = fstatSync(fd);
  if (size < maxBytes) return size;
  try {
    copyFileSync(file, olderLog(file));
    ftruncateSync(fd);
  } catch {
    // There is no room for both. It is tried again after as much as a whole file.
  }
  return 0;
}
