/** Reads a small text file that somebody else may have planted: never blocks, never throws, never reads much. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Far more than any configuration holds; a file above it is not one. */
const MAX_FILE_BYTES = 1024 * 1024;

type SettingsFile =
  | { readonly status: 'read'; readonly text: string }
  | { readonly status: 'missing' }
  | { readonly status: 'unreadable'; readonly why: string };

export function readSettingsFile(path: string): SettingsFile {
  let fd: number;
  try {
    // Opening a FIFO for reading would otherwise wait for a writer for ever.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? { status: 'missing' }
      : { status: 'unreadable', why: `it cannot be opened (${code})` };
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return { status: 'unreadable', why: 'it is not a regular file' };
    if (stats.size > MAX_FILE_BYTES)
      return { status: 'unreadable', why: `it is larger than ${MAX_FILE_BYTES} bytes` };
    return { status: 'read', text: readFileSync(fd, 'utf8').replace(/^\uFEFF/, '') };
  } catch (error) {
    return { status: 'unreadable', why: `it cannot be read (${codeOf(error)})` };
  } finally {
    closeSync(fd);
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
