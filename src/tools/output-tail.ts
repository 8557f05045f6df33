/** The end of what a program prints, in memory, however long it goes on; and how many lines came before it. */
import { LinePage, type PageRequest } from './line-page.js';

/** Of the end: more than a result may have room for. */
const KEPT_BYTES = 24 * 1024;

const NEWLINE = 10;

export class OutputTail {
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #bytes = 0;
  #newlines = 0;
  #endsLine = true;

  /** Lines until now, one that has not ended among them. */
  get lines(): number {
    return this.#newlines + (this.#endsLine ? 0 : 1);
  }

  /** What was taken until now. */
  get bytes(): number {
    return this.#bytes;
  }

  take(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#bytes += chunk.length;
    this.#newlines += newlinesIn(chunk);
    this.#endsLine = chunk.at(-1) === NEWLINE;
    // A copy of the end only: a chunk's memory is much larger than what is kept of it.
    const end = Buffer.from(chunk.subarray(Math.max(0, chunk.length - KEPT_BYTES)));
    this.#kept.push(end);
    this.#keptBytes += end.length;
    for (let first = this.#kept[0]; first !== undefined; first = this.#kept[0]) {
      if (this.#keptBytes - first.length < KEPT_BYTES) break;
      this.#kept.shift();
      this.#keptBytes -= first.length;
    }
  }

  /** The end as text; it may begin inside of a line. */
  get end(): string {
    return Buffer.concat(this.#kept).toString();
  }

  /** The last lines, with their numbers. */
  newest(request: Omit<PageRequest, 'offset' | 'before'>): LinePage {
    const end = this.#wholeLines(request.maxBytes);
    const before = this.lines - linesIn(end);
    const offset = Math.max(before + 1, this.lines - request.limit + 1);
    const page = new LinePage({ ...request, offset, before });
    page.feed(end);
    page.end();
    return page;
  }

  /** At most so many bytes of the end, from the beginning of a line on. */
  #wholeLines(maxBytes: number): Buffer {
    const kept = Buffer.concat(this.#kept);
    // Each line is shown with its number: half of the room is text, the other half enough for those.
    const end = kept.subarray(Math.max(0, kept.length - Math.floor(maxBytes / 2)));
    return end.length < this.#bytes ? end.subarray(end.indexOf(NEWLINE) + 1) : end;
  }
}

function newlinesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** One that has not ended counts too. */
const linesIn = (bytes: Buffer): number =>
  newlinesIn(bytes) + (bytes.length === 0 || bytes.at(-1) === NEWLINE ? 0 : 1);
