/** A page of a file that is open, and what is said below it: the same for everything that is read in pages. */
import { closeSync, fstatSync, openSync, read } from 'node:fs';
import { promisify } from 'node:util';
import type { ToolOutcome } from '../../messages/tools.js';
import { LinePage, type PageRequest } from './line-page.js';
import { done } from './outcomes.js';
import { countText } from './shown.js';

/** Lines of a page, where less is not asked for. */
export const PAGE_LINES = 2000;

/** Room below a page for what is said about it, names apart. */
export const NOTICE_BYTES = 200;
export const NOTICE_LINES = 2;

const CHUNK_BYTES = 256 * 1024;

const readLater = promisify(read);

/** The lines of a file up to this length are all counted; of a longer one, nothing behind the page is read. */
export const COUNTED_BYTES = 10 * 1024 * 1024;

/** False: the file goes on. */
export async function fillPage(fd: number, page: LinePage, signal: AbortSignal): Promise<boolean> {
  const isCounted = fstatSync(fd).size <= COUNTED_BYTES;
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; isCounted || !page.full;) {
    signal.throwIfAborted();
    const { bytesRead } = await readLater(fd, chunk, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) {
      page.end();
      return true;
    }
    page.feed(chunk.subarray(0, bytesRead));
    position += bytesRead;
  }
  return false;
}

export interface FilePage {
  readonly page: LinePage;
  /** Null: nobody counted the lines. */
  readonly total: number | null;
}

/** Of a file of our own; null: there is none. */
export async function pageOfFile(
  path: string,
  request: PageRequest,
  signal: AbortSignal,
): Promise<FilePage | null> {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    const page = new LinePage(request);
    const isWhole = await fillPage(fd, page, signal);
    return { page, total: isWhole ? page.total : null };
  } finally {
    closeSync(fd);
  }
}

export interface PageNotice {
  readonly offset: number;
  readonly limit: number;
  /** Lines there are; null: nobody counted them. */
  readonly total: number | null;
  /** What is paged through, after "past the end: ". */
  readonly what: string;
  /** How to ask for it: `read_file(path='a'`. */
  readonly call: string;
}

export const isPastEnd = ({ offset, total }: PageNotice): boolean =>
  total !== null && offset > total;

export const pastEnd = ({ offset, total, what }: PageNotice): string =>
  `offset ${offset} is past the end: ${what} has ${countText(total ?? 0, 'line')}.`;

export function describePage(page: LinePage, notice: PageNotice): ToolOutcome {
  const { offset, limit, total, call } = notice;
  const last = offset + page.lines.length - 1;
  if (total !== null && last >= total) return done(page.lines.join('\n'));
  const next = `offset=${last + 1}, limit=${Math.min(limit, PAGE_LINES)}`;
  const notices = [
    ...(total === null ? [] : [`[truncated: ${total} total lines in file]`]),
    `[Showing lines ${offset}-${last} of ${total ?? 'a very large file'}. ` +
      `Next page: ${call}, ${next})]`,
  ];
  return done([...page.lines, ...notices].join('\n'), true);
}
