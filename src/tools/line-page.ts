/**
 * Takes a page of lines out of a stream of bytes. Holds no more than the page: the length of the file and
 * of its lines does not matter.
 */
import { StringDecoder } from 'node:string_decoder';
import type { Redact } from './redaction.js';
import { cutText } from './shown.js';

export interface PageRequest {
  /** The first line wanted, counted from 1. */
  readonly offset: number;
  readonly limit: number;
  /** Lines that come before what is fed, and are counted but not seen. */
  readonly before?: number;
  /** Room for the lines as they are shown. */
  readonly maxBytes: number;
  /** Used before a long line is cut: half a secret is one that nobody recognises any more. */
  readonly redact: Redact;
}

/** Longer lines are data rather than text, and one of them would fill the page. */
const MAX_LINE_CHARACTERS = 500;

/** Kept of a line: whatever is cut off, no secret of usual length is cut in two. */
const KEPT_CHARACTERS = 8 * MAX_LINE_CHARACTERS;

const RETURN = 13;
const BYTE_ORDER_MARK = '\uFEFF';

export class LinePage {
  readonly #request: PageRequest;
  readonly #decoder = new StringDecoder('utf8');
  readonly #lines: string[] = [];
  #bytes = 0;
  #full = false;
  /** Lines that have ended. */
  #ended: number;
  /** The beginning of a line that has not ended. */
  #part = '';
  /** Something of it was seen, although perhaps not kept. */
  #isOpen = false;

  constructor(request: PageRequest) {
    this.#request = request;
    this.#ended = request.before ?? 0;
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
    this.#take(this.#decoder.write(chunk));
  }

  /** No more bytes follow: a last line without a newline counts too. */
  end(): void {
    this.#take(this.#decoder.end());
    if (this.#isOpen) this.#endLine(this.#part);
  }

  #take(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.#endLine(this.#isWanted() ? this.#part + keptOf(text, start, end) : '');
      start = end + 1;
    }
    if (start === text.length) return;
    this.#isOpen = true;
    if (this.#isWanted() && this.#part.length < KEPT_CHARACTERS) {
      this.#part += keptOf(text, start, text.length);
    }
  }

  #isWanted(): boolean {
    return !this.#full && this.#ended + 1 >= this.#request.offset;
  }

  #endLine(text: string): void {
    if (this.#isWanted()) this.#show(this.#ended + 1, text);
    this.#ended += 1;
    this.#part = '';
    this.#isOpen = false;
  }

  #show(number: number, text: string): void {
    const line = `L${number}: ${this.#bare(number, text)}`;
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

  #bare(number: number, text: string): string {
    const start = number === 1 && text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
    const end = text.charCodeAt(text.length - 1) === RETURN ? text.length - 1 : text.length;
    const bare = text.slice(start, end);
    if (bare.length <= MAX_LINE_CHARACTERS) return bare;
    const mark = `... [line truncated at ${MAX_LINE_CHARACTERS} chars]`;
    return cutText(this.#request.redact(bare), MAX_LINE_CHARACTERS, mark);
  }
}

const keptOf = (text: string, start: number, end: number): string =>
  text.slice(start, Math.min(end, start + KEPT_CHARACTERS));
