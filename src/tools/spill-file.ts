/**
 * A file that takes a program's output as it comes, up to a cap. A disk that takes no more costs the file,
 * not the program.
 */
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A program that prints without end must not fill the disk. */
export const SPILL_CAP = 64 * 1024 * 1024;

export class SpillFile {
  readonly path: string;
  #stream: WriteStream | null = null;
  #bytes = 0;
  #newest: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(path: string) {
    this.path = path;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      this.#stream = createWriteStream(path, { mode: 0o600 });
      this.#stream.on('error', () => this.#fail());
    } catch {
      this.#fail();
    }
  }

  /** The disk did not take all that it should have. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Resolves when there is room for more. */
  write(chunk: Buffer): Promise<void> | undefined {
    const stream = this.#stream;
    const part = chunk.subarray(0, SPILL_CAP - this.#bytes);
    if (stream === null || part.length === 0) return undefined;
    this.#bytes += part.length;
    let release: () => void = () => undefined;
    this.#newest = new Promise<void>((resolve) => (release = resolve));
    // Called for a part that could not be written too.
    const isRoom = stream.write(part, (error) => {
      if (error) this.#fail();
      release();
    });
    return isRoom ? undefined : this.#newest;
  }

  /** Resolves when what was written until now can be read from the file. */
  flushed(): Promise<void> {
    return this.#newest;
  }

  /** The file is complete when this resolves. */
  async close(): Promise<void> {
    const stream = this.#stream;
    if (stream === null || stream.destroyed) return;
    await new Promise<void>((resolve) => {
      stream.end((error?: Error | null) => {
        if (error) this.#fail();
        resolve();
      });
    });
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }

  #fail(): void {
    this.#stream = null;
    this.#hasFailed = true;
  }
}
