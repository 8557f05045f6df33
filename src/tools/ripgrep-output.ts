/**
 * Turns what ripgrep prints into the lines of a result, up to a number of matches and of bytes. ripgrep is
 * asked to put a NUL after each path, so that names with colons or newlines stay whole.
 */
import type { ClosedFiles } from './closed-files.js';
import { listed } from './shown.js';

export type LineMode = 'content' | 'count';

/** Of a matching line. */
export const MAX_COLUMNS = 500;

/** Room for the notice below. */
const NOTICE_BYTES = 200;

/** A record is a path and a line; longer ones do not occur and must not fill the memory. */
const MAX_RECORD_BYTES = 64 * 1024;

const NOTHING = Buffer.alloc(0);

const NUL = 0;
const NEWLINE = 10;

export class RipgrepRecords {
  readonly #mode: LineMode;
  readonly #limit: number;
  readonly #maxBytes: number;
  readonly #closed: ClosedFiles;
  readonly #lines: string[] = [];
  #bytes = 0;
  #count = 0;
  #full = false;
  #rest: Buffer = NOTHING;

  constructor(mode: LineMode, limit: number, maxBytes: number, closed: ClosedFiles) {
    this.#mode = mode;
    this.#limit = limit;
    this.#maxBytes = maxBytes - NOTICE_BYTES;
    this.#closed = closed;
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  /** Results, context lines not among them. */
  get count(): number {
    return this.#count;
  }

  /** There was more than fits. */
  get full(): boolean {
    return this.#full;
  }

  /** False: that is enough. */
  take(chunk: Buffer): boolean {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    for (let end = this.#endOfRecord(bytes); end >= 0; end = this.#endOfRecord(bytes)) {
      if (!this.#full) this.#add(bytes.subarray(0, end));
      bytes = bytes.subarray(end + 1);
    }
    this.#full ||= bytes.length > MAX_RECORD_BYTES;
    this.#rest = this.#full ? NOTHING : Buffer.from(bytes);
    return !this.#full;
  }

  /** A record ends with the NUL after its path, or with the first newline behind that. */
  #endOfRecord(bytes: Buffer): number {
    const path = bytes.indexOf(NUL);
    const newline = bytes.indexOf(NEWLINE);
    if (newline >= 0 && isRemark(bytes.toString('utf8', 0, newline))) return newline;
    return path < 0 ? path : bytes.indexOf(NEWLINE, path);
  }

  #add(record: Buffer): void {
    const path = pathOf(record);
    if (path !== '' && this.#closed.has(path)) return;
    const { line, isResult } = describe(record, this.#mode);
    const bytes = Buffer.byteLength(line) + 1;
    const tooMany = isResult && this.#count === this.#limit;
    if (tooMany || this.#bytes + bytes > this.#maxBytes) {
      this.#full = true;
      return;
    }
    this.#lines.push(line);
    this.#bytes += bytes;
    if (isResult) this.#count += 1;
  }
}

/** Stands between two groups of matches with context; a path always begins with `./`. */
const SEPARATOR = '--';

const BINARY = /: (?:binary file matches|WARNING: stopped searching binary file) .*$/;

/** A line without a path of its own; other newlines before a NUL are part of a path. */
const isRemark = (line: string): boolean => line === SEPARATOR || BINARY.test(line);

const withoutDot = (path: string): string => listed(path.replace(/^\.\//, ''));

/** As it is seen from the workspace; '': the record has none. */
function pathOf(record: Buffer): string {
  const end = record.indexOf(NUL);
  const text = end < 0 ? record.toString().replace(BINARY, '') : record.toString('utf8', 0, end);
  return text === SEPARATOR ? '' : text.replace(/^\.\//, '');
}

function describe(record: Buffer, mode: LineMode): { line: string; isResult: boolean } {
  const end = record.indexOf(NUL);
  if (end < 0) return describeRemark(record.toString());
  const path = withoutDot(record.toString('utf8', 0, end));
  const rest = record.toString('utf8', end + 1).replace(/\r$/, '');
  if (mode === 'count') return { line: `${path}: ${rest}`, isResult: true };
  const [, number = '', mark = ':', text = ''] = /^(\d+)([:-])(.*)$/s.exec(rest) ?? [];
  return { line: `${path}${mark}${number}${mark} ${text}`, isResult: mark === ':' };
}

function describeRemark(remark: string): { line: string; isResult: boolean } {
  const [told = ''] = BINARY.exec(remark) ?? [];
  const path = remark.slice(0, remark.length - told.length);
  return { line: told === '' ? remark : withoutDot(path) + told, isResult: told !== '' };
}
