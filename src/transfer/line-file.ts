/**
 * Lines on their way into a file that nobody else may read. It appears under its name when it is whole, and
 * is forced to disk before; until then a draft stands beside it.
 */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const BUFFER_BYTES = 1024 * 1024;
const LF = Buffer.from('\n');

export class LineFile {
  readonly path: string;
  readonly #draft: string;
  readonly #fd: number;
  readonly #hash = createHash('sha256');
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #bytes = 0;

  constructor(path: string) {
    this.path = path;
    this.#draft = `${path}.${process.pid}.tmp`;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#fd = openSync(this.#draft, 'w', 0o600);
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Where the line begins. */
  write(line: Buffer): number {
    const at = this.#bytes;
    for (const piece of [line, LF]) {
      this.#waiting.push(piece);
      this.#waitingBytes += piece.length;
      this.#bytes += piece.length;
      this.#hash.update(piece);
    }
    if (this.#waitingBytes >= BUFFER_BYTES) this.#flush();
    return at;
  }

  #flush(): void {
    const all = Buffer.concat(this.#waiting);
    for (let done = 0; done < all.length;) done += writeSync(this.#fd, all, done);
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  /** Puts it in its place. Returns the SHA-256 of all of it. */
  finish(): string {
    this.#flush();
    fsyncSync(this.#fd);
    closeSync(this.#fd);
    renameSync(this.#draft, this.path);
    return this.#hash.digest('hex');
  }

  /** Leaves nothing. */
  abandon(): void {
    closeSync(this.#fd);
    rmSync(this.#draft, { force: true });
  }
}
