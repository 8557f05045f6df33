/** The output of a program that writes its file without us: read from there as far as it has come. */
import { open, type FileHandle } from 'node:fs/promises';
import { OutputTail } from './output-tail.js';

const CHUNK_BYTES = 256 * 1024;

export class KeptOutput {
  readonly #file: string;
  #tail = new OutputTail();
  /** Of the file that was read; another one stands in its place once it was shortened. */
  #inode: number | null = null;
  /** One look follows the other. */
  #newest: Promise<void> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  get tail(): OutputTail {
    return this.#tail;
  }

  flushed(): Promise<void> {
    return Promise.resolve();
  }

  followed(): Promise<void> {
    this.#newest = this.#newest.then(() => this.#follow());
    return this.#newest;
  }

  /** A file that cannot be read tells nothing new. */
  async #follow(): Promise<void> {
    const file = await open(this.#file, 'r').catch(() => null);
    if (file === null) return;
    try {
      await this.#read(file);
    } catch {
      return;
    } finally {
      await file.close();
    }
  }

  async #read(file: FileHandle): Promise<void> {
    const { ino, size } = await file.stat();
    if (ino !== this.#inode || size < this.#tail.bytes) this.#tail = new OutputTail();
    this.#inode = ino;
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    while (this.#tail.bytes < size) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, this.#tail.bytes);
      if (bytesRead === 0) return;
      this.#tail.take(chunk.subarray(0, bytesRead));
    }
  }
}
