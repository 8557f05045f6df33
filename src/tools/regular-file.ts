/**
 * Opens and replaces regular files only, and only the very file that was judged: a link swapped in after
 * the path was resolved is noticed. Never blocks on a FIFO.
 */
import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { open, readlink, realpath, rename, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { codeOf, fileProblem, isFileError } from './file-errors.js';

/** `problem` goes on a sentence that began with the path. */
export type Problem = {
  readonly ok: false;
  readonly code: 'missing' | 'directory' | 'other';
  readonly problem: string;
};
export type Opened =
  | { readonly ok: true; readonly handle: FileHandle; readonly size: number; readonly mode: number }
  | Problem;

const SAFE_READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
const SAFE_FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Bits that a replaced file keeps. */
const PERMISSION_BITS = 0o7777;
const DEFAULT_MODE = 0o666;

/** The caller closes the handle. */
export async function openRegular(real: string): Promise<Opened> {
  let handle: FileHandle;
  try {
    handle = await open(real, SAFE_READ);
  } catch (error) {
    return problemOf(error);
  }
  const refusal = await refusalOf(handle, real);
  if (refusal !== null) {
    await handle.close();
    return refusal;
  }
  const { size, mode } = await handle.stat();
  return { ok: true, handle, size, mode: mode & PERMISSION_BITS };
}

async function refusalOf(handle: FileHandle, real: string): Promise<Problem | null> {
  const stat = await handle.stat();
  if (stat.isDirectory()) return { ok: false, code: 'directory', problem: 'is a directory.' };
  if (!stat.isFile()) {
    const kind = stat.isFIFO() ? 'a FIFO' : 'a device';
    return { ok: false, code: 'other', problem: `is ${kind}, not a regular file.` };
  }
  return (await isStillAt(handle, real)) ? null : MOVED;
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
async function isStillAt(handle: FileHandle, real: string): Promise<boolean> {
  const current = HAS_DESCRIPTOR_PATHS
    ? readlink(descriptorPath(handle))
    : realpath(real).catch(() => null);
  return (await current) === real;
}

/** Linux: what is open has a path of its own. */
const HAS_DESCRIPTOR_PATHS = existsSync('/proc/self/fd');

const descriptorPath = (handle: FileHandle): string => `/proc/self/fd/${handle.fd}`;

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
    if (!(await isStillAt(folder, dirname(real)))) return MOVED;
    const base = HAS_DESCRIPTOR_PATHS ? descriptorPath(folder) : dirname(real);
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
