/**
 * Lines to a stream whose reader may go away at any time. Promise: a closed pipe never throws and never
 * crashes the process; what is written afterwards is dropped.
 */
import type { Writable } from 'node:stream';

export class LineSink {
  readonly #stream: Writable;
  #broken = false;

  constructor(stream: Writable) {
    this.#stream = stream;
    // Stays for good: a write can fail long after it was made.
    stream.on('error', () => {
      this.#broken = true;
    });
  }

  get open(): boolean {
    return !this.#broken && this.#stream.writable;
  }

  /** `text` brings its own line end. */
  write(text: string): void {
    if (this.open) this.#stream.write(text);
  }

  /** Resolves when all that was written has been taken over by the system, or nobody reads any more. */
  async flushed(): Promise<void> {
    if (!this.open) return;
    await new Promise<void>((resolve) => {
      const gone = (): void => resolve();
      this.#stream.once('close', gone);
      this.#stream.write('', () => {
        this.#stream.off('close', gone);
        resolve();
      });
    });
  }
}
