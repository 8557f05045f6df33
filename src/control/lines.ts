/**
 * Cuts a stream of bytes into lines at LF and nowhere else. A character that arrives in two pieces stays
 * whole, because only complete lines are decoded. What is held never exceeds one line of the largest size.
 */

const LF = 0x0a;
/** Room kept between lines; a longer line's room is given back once it was read. */
const KEPT_ROOM = 64 * 1024;

export type Split =
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  /** `lines` came before the one that is too long. Nothing after it is read. */
  | { readonly kind: 'overflow'; readonly lines: readonly string[] };

export class LineSplitter {
  readonly #maxBytes: number;
  /** The start of a line whose end has not come yet: the first `#length` bytes. */
  #held = Buffer.alloc(0);
  #length = 0;
  #overflowed = false;

  /** `maxBytes` of one line, its LF not counted. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): Split {
    const lines: string[] = [];
    let from = 0;
    while (!this.#overflowed) {
      const at = chunk.indexOf(LF, from);
      const piece = chunk.subarray(from, at === -1 ? chunk.length : at);
      if (this.#length + piece.length > this.#maxBytes) {
        this.#overflowed = true;
        this.#held = Buffer.alloc(0);
      } else if (at === -1) {
        this.#hold(piece);
        return { kind: 'lines', lines };
      } else {
        lines.push(this.#finish(piece));
        from = at + 1;
      }
    }
    return { kind: 'overflow', lines };
  }

  /** Grows by doubling, so that a line that comes byte by byte costs no more than its length. */
  #hold(piece: Buffer): void {
    const needed = this.#length + piece.length;
    if (needed > this.#held.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#held.length * 2));
      this.#held.copy(larger, 0, 0, this.#length);
      this.#held = larger;
    }
    piece.copy(this.#held, this.#length);
    this.#length = needed;
  }

  #finish(piece: Buffer): string {
    if (this.#length === 0) return piece.toString('utf8');
    this.#hold(piece);
    const line = this.#held.toString('utf8', 0, this.#length);
    this.#length = 0;
    if (this.#held.length > KEPT_ROOM) this.#held = Buffer.alloc(0);
    return line;
  }
}
