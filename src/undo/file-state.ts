/** What is at a path, now. A link is looked at and never followed. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileState } from '../../messages/changes.js';
import { NoRoom } from './no-room.js';

export interface Seen {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly mode: number;
  readonly size: number;
  /** The same stamp, some time later: the same content and mode. */
  readonly stamp: string;
  readonly changedAt: number;
}

const MODE_BITS = 0o7777;
const SAFE_READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Null: nothing. */
export function look(path: string): Seen | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat === undefined ? null : seenOf(stat);
  } catch {
    // Such as a path that goes through what is a file now.
    return null;
  }
}

/** Times are exact to a quarter of a microsecond, which is far finer than the clock of any file system. */
const seenOf = (stat: Stats): Seen => ({
  kind: kindOf(stat),
  mode: stat.mode & MODE_BITS,
  size: stat.size,
  stamp: `${stat.ino}/${stat.size}/${stat.mode}/${stat.mtimeMs}/${stat.ctimeMs}`,
  changedAt: stat.ctimeMs,
});

function kindOf(stat: Stats): Seen['kind'] {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'folder';
  return stat.isSymbolicLink() ? 'link' : 'other';
}

/** The nearest link above: beyond it a path leads somewhere else. Null: there is none. */
export function linkAbove(workspace: string, path: string): string | null {
  for (let above = dirname(path); above !== '.'; above = dirname(above)) {
    if (look(join(workspace, above))?.kind === 'link') return above;
  }
  return null;
}

/** What is done with the content of a file: its hash, or null where it is not kept. Throws `NoRoom`. */
export type Take = (content: Buffer) => string | null;

export interface Found {
  readonly state: FileState;
  readonly stamp: string;
  readonly changedAt: number;
}

export const NOTHING: Found = { state: { kind: 'none' }, stamp: '', changedAt: 0 };

export function findState(path: string, maxBytes: number, take: Take): Found {
  const seen = look(path);
  if (seen === null) return NOTHING;
  const { kind, mode, stamp, changedAt } = seen;
  switch (kind) {
    case 'folder':
      return { state: { kind, mode }, stamp, changedAt };
    case 'other':
      return { state: { kind }, stamp, changedAt };
    case 'link':
      return linkState(path, seen);
    case 'file':
      return fileState(path, seen, maxBytes, take);
  }
}

function linkState(path: string, { stamp, changedAt }: Seen): Found {
  try {
    return { state: { kind: 'link', target: readlinkSync(path) }, stamp, changedAt };
  } catch {
    return NOTHING;
  }
}

function fileState(path: string, seen: Seen, maxBytes: number, take: Take): Found {
  if (seen.size > maxBytes) return withoutContent(seen, 'too-large');
  let fd: number;
  try {
    fd = openSync(path, SAFE_READ);
  } catch {
    const now = look(path);
    return now === null ? NOTHING : withoutContent(now, 'unreadable');
  }
  try {
    // The stamp is older than what is read: what is written meanwhile is noticed the next time.
    const opened = seenOf(fstatSync(fd));
    const content = contentOf(fd, opened.size, maxBytes);
    if (content === null || opened.kind !== 'file') return withoutContent(opened, 'too-large');
    const hash = take(content);
    if (hash === null) return withoutContent(opened, 'full');
    const { mode, stamp, changedAt } = opened;
    return { state: { kind: 'file', mode, size: content.length, hash }, stamp, changedAt };
  } catch (error) {
    if (error instanceof NoRoom) throw error;
    return withoutContent(seen, 'unreadable');
  } finally {
    closeSync(fd);
  }
}

/** Null: it has grown beyond the limit. */
function contentOf(fd: number, size: number, maxBytes: number): Buffer | null {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    // One byte more than is expected, so that most files need one read and its end.
    const chunk = Buffer.allocUnsafe(Math.max(size - total, 0) + 1);
    const read = readSync(fd, chunk);
    if (read === 0) return Buffer.concat(chunks);
    total += read;
    if (total > maxBytes) return null;
    chunks.push(chunk.subarray(0, read));
  }
}

function withoutContent(
  { mode, size, stamp, changedAt }: Seen,
  notKept: 'too-large' | 'full' | 'unreadable',
): Found {
  return { state: { kind: 'file', mode, size, hash: null, notKept, stamp }, stamp, changedAt };
}

/** As `findState`, keeping nothing. */
export const stateNow = (path: string, maxBytes: number): Found =>
  findState(path, maxBytes, (content) => createHash('sha256').update(content).digest('hex'));
