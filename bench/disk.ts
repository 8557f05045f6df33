/** What one forced write costs on the disk that journals lie on: the floor of every commit. */
import { closeSync, fsyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** One page of a write-ahead log. */
const PAGE_BYTES = 4096;

/** A log grows to about this and is then written over again, which is cheaper: so that is what is measured. */
const LOG_PAGES = 1000;

export class FsyncProbe {
  readonly #page = Buffer.alloc(PAGE_BYTES, 'ouro');
  readonly #path: string;
  readonly #file: number;
  #next = 0;

  constructor(folder: string) {
    this.#path = join(folder, 'fsync-probe');
    this.#file = openSync(this.#path, 'w+', 0o600);
    writeSync(this.#file, Buffer.alloc(LOG_PAGES * PAGE_BYTES));
    fsyncSync(this.#file);
  }

  /** Milliseconds for one page, written over an old one and forced to disk. */
  sample(): number {
    const start = performance.now();
    writeSync(this.#file, this.#page, 0, PAGE_BYTES, this.#next * PAGE_BYTES);
    fsyncSync(this.#file);
    this.#next = (this.#next + 1) % LOG_PAGES;
    return performance.now() - start;
  }

  close(): void {
    closeSync(this.#file);
    unlinkSync(this.#path);
  }
}
