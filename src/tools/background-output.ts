/**
 * What a background process prints: all of it in a file, up to a cap, and its end in memory, however long it
 * goes on.
 */
import { OutputTail } from './output-tail.js';
import { SpillFile } from './spill-file.js';

export class BackgroundOutput {
  readonly #spill: SpillFile;
  readonly tail = new OutputTail();

  constructor(file: string) {
    this.#spill = new SpillFile(file);
  }

  /** Resolves when there is room for more. */
  take(chunk: Buffer): Promise<void> | undefined {
    this.tail.take(chunk);
    return this.#spill.write(chunk);
  }

  close(): Promise<void> {
    return this.#spill.close();
  }

  /** Resolves when all of it until now can be read from the file. */
  flushed(): Promise<void> {
    return this.#spill.flushed();
  }

  /** The tail is always as new as what came. */
  followed(): Promise<void> {
    return Promise.resolve();
  }
}
