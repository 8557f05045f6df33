/**
 * Opens and replaces regular files only, and only the very file that was judged: a link swapped in after
 * the path was resolved is noticed. Never blocks on a FIFO.
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  read,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { codeOf, fileProblem, isFileError } from './file-errors.js';

/** `problem` goes on a sentence that began with the path. */
export type Problem = {
  readonly ok: false;
  readonly code: 'missing' | 'directory' | 'other';
  readonly problem: string;
};
export type Opened = RegularFile | Problem;

export interface RegularFile {
  readonly ok: true;
  /** The descriptor; the caller closes it. */
  readonly fd: number;
  readonly size: number;
  readonly mode: number;
}

const SAFE_READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
const SAFE_FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Bits that a replaced file keeps. */
const PERMISSION_BITS = 0o7777;
const DEFAULT_MODE = 0o666;

/** Opened and asked about at once: to wait for each step in turn takes longer than all of them. */
export function openRegular(real: string): Opened {
  let fd: number;
  try {
    fd = openSync(real, SAFE_READ);
  } catch (error) {
    return problemOf(error);
  }
  const stat = fstatSync(fd);
  const refusal = stat.isFile() ? null : notRegular(stat);
  const problem = refusal ?? (isStillAt(fd, real) ? null : MOVED);
  if (problem === null) {
    return { ok: true, fd, size: stat.size, mode: stat.mode & PERMISSION_BITS };
  }
  closeSync(fd);
  return problem;
}

function notRegular(stat: Stats): Problem {
  if (stat.isDirectory()) return { ok: false, code: 'directory', problem: 'is a directory.' };
  const kind = stat.isFIFO() ? 'a FIFO' : 'a device';
  return { ok: false, code: 'other', problem: `is ${kind}, not a regular file.` };
}

/** So much is read in less time than it takes to wait for it. */
const AT_ONCE_BYTES = 128 * 1024;

const CHUNK_BYTES = 1024 * 1024;

const readLater = promisify(read);

/** All that the file held when it was opened. */
export async function contentOf({ fd, size }: RegularFile, signal: AbortSignal): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const wanted = Math.min(size - filled, CHUNK_BYTES);
    const bytesRead =
      size <= AT_ONCE_BYTES
        ? readSync(fd, bytes, filled, wanted, filled)
        : (await readLater(fd, bytes, filled, wanted, filled)).bytesRead;
    signal.throwIfAborted();
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

const MOVED: Problem = {
  ok: false,
  code: 'other',
  problem: 'was moved or replaced while it was being opened. Try again.',
};

export function problemOf(error: unknown): Problem {
  if (!isFileError(error)) throw error;
  const code = codeOf(error);
  const kind = code === 'ENOENT' ? 'missing' : code === 'EISDIR' ? 'directory' : 'other';
  return { ok: false, code: kind, problem: fileProblem(error) };
}

/** Linux knows the path of what is open; elsewhere the path is followed once more. */
function isStillAt(fd: number, real: string): boolean {
  try {
    return (HAS_DESCRIPTOR_PATHS ? readlinkSync(pathOf(fd)) : realpathSync.native(real)) === real;
  } catch {
    return false;
  }
}

/** Linux: what is open has a path of its own. */
const HAS_DESCRIPTOR_PATHS = existsSync('/proc/self/fd');

const pathOf = (fd: number): string => `/proc/self/fd/${fd}`;

/**
 * Puts `bytes` where `real` is, whole or not at all, and on disk when this resolves. An existing file
 * keeps its mode. On Linux everything happens relative to the opened folder, so that a folder exchanged
 * for a link changes nothing. Null: written.
 */
export async function replaceFile(
  real: string,
  bytes: Uint8Array,
  mode: number | null,
  signal: AbortSignal,
): Promise<Problem | null> {
  let folder: FileHandle;
  try {
    folder = await open(dirname(real), SAFE_FOLDER);
  } catch (error) {
    return problemOf(error);
  }
  try {
    if (!isStillAt(folder.fd, dirname(real))) return MOVED;
    const base = HAS_DESCRIPTOR_PATHS ? pathOf(folder.fd) : dirname(real);
    await writeThenRename(base, basename(real), bytes, mode, signal);
    await folder.sync();
    return null;
  } catch (error) {
    signal.throwIfAborted();
    return problemOf(error);
  } finally {
    await folder.close();
  }
}

async function writeThenRename(
  base: string,
  name: string,
  bytes: Uint8Array,
  mode: number | null,
  signal: AbortSignal,
): Promise<void> {
  const temporary = `${base}/.ouro-${randomUUID()}.tmp`;
  const handle = await open(temporary, NEW_FILE, mode ?? DEFAULT_MODE);
  try {
    try {
      await handle.writeFile(bytes, { signal });
      if (mode !== null) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    signal.throwIfAborted();
    await rename(temporary, `${base}/${name}`);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}
