/** Keeps only the latest value. A slow reader skips values; it never delays the writer. */
import { Gate } from './gate.js';

export class Watch<T> {
  readonly #changed = new Gate();
  #current: T;

  constructor(initial: T) {
    this.#current = initial;
  }

  get current(): T {
    return this.#current;
  }

  /** A value identical to the current one wakes nobody. */
  publish(next: T): void {
    if (next === this.#current) return;
    this.#current = next;
    this.#changed.open();
  }

  /** The current value now, then the latest one each time the reader comes back for more. */
  async *changes(until: AbortSignal): AsyncGenerator<T> {
    const wake = (): void => this.#changed.open();
    until.addEventListener('abort', wake);
    try {
      let seen: { value: T } | null = null;
      while (!until.aborted) {
        if (seen !== null && seen.value === this.#current) await this.#changed.opened();
        else {
          seen = { value: this.#current };
          yield this.#current;
        }
      }
    } finally {
      until.removeEventListener('abort', wake);
    }
  }

  /** The first value, from now on, that `accepts`; undefined when `until` aborts before there is one. */
  async when(accepts: (value: T) => boolean, until: AbortSignal): Promise<T | undefined> {
    for await (const value of this.changes(until)) if (accepts(value)) return value;
    return undefined;
  }
}
