/**
 * Takes a page of lines out of a stream of bytes. Holds no more than the page: the length of the file and
 * of its lines does not matter.
 */
import { cutText } from './shown.js';

export interface PageRequest {
  /** The first line wanted, counted from 1. */
  readonly offset: number;
  readonly limit: number;
  /** Room for the lines as they are shown. */
  readonly maxBytes: number;
}

/** Longer lines are data rather than text, and one of them would fill the page. */
const MAX_LINE_CHARACTERS = 500;

/** Enough bytes to know that a line is longer than that, whatever its characters. */
const KEPT_LINE_BYTES = 4 * (MAX_LINE_CHARACTERS + 1);

const NEWLINE = 10;
const BYTE_ORDER_MARK = /^\uFEFF/;

export class LinePage {
  readonly #request: PageRequest;
  readonly #lines: string[] = [];
  #bytes = 0;
  #full = false;
  /** Lines that have ended. */
  #ended = 0;
  #lineBytes = 0;
  #kept: Buffer[] = [];
  #keptBytes = 0;

  constructor(request: PageRequest) {
    this.#request = request;
  }

  /** The lines as they are shown: `L12: text`. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Nothing that follows can be part of the page. */
  get full(): boolean {
    return this.#full;
  }

  /** Lines seen; after `end`, all of them. */
  get total(): number {
    return this.#ended;
  }

  feed(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, start);
      const end = newline < 0 ? chunk.length : newline;
      this.#lineBytes += end - start;
      if (this.#wanted()) this.#keep(chunk.subarray(start, end));
      if (newline < 0) return;
      this.#endLine();
      start = newline + 1;
    }
  }

  /** No more bytes follow: a last line without a newline counts too. */
  end(): void {
    if (this.#lineBytes > 0) this.#endLine();
  }

  #wanted(): boolean {
    return !this.#full && this.#ended + 1 >= this.#request.offset;
  }

  #keep(part: Buffer): void {
    const room = KEPT_LINE_BYTES - this.#keptBytes;
    if (room <= 0) return;
    // A copy: the chunk's memory is used again for the next one.
    const kept = Buffer.from(part.subarray(0, room));
    this.#kept.push(kept);
    this.#keptBytes += kept.length;
  }

  #endLine(): void {
    if (this.#wanted()) this.#show(this.#ended + 1);
    this.#ended += 1;
    this.#lineBytes = 0;
    this.#kept = [];
    this.#keptBytes = 0;
  }

  #show(number: number): void {
    const text = Buffer.concat(this.#kept).toString();
    const bare = (number === 1 ? text.replace(BYTE_ORDER_MARK, '') : text).replace(/\r$/, '');
    const mark = `... [line truncated at ${MAX_LINE_CHARACTERS} chars]`;
    const line = `L${number}: ${cutText(bare, MAX_LINE_CHARACTERS, mark)}`;
    const bytes = Buffer.byteLength(line) + 1;
    // One line is always shown: a page without any would never end.
    if (this.#lines.length > 0 && this.#bytes + bytes > this.#request.maxBytes) {
      this.#full = true;
      return;
    }
    this.#lines.push(line);
    this.#bytes += bytes;
    this.#full = this.#lines.length >= this.#request.limit;
  }
}
