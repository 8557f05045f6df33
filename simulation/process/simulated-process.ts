/**
 * A process that can be killed at any moment: it has no other way to wait than this, and from its death on
 * nothing that it waits for comes. What it leaves behind is what it had put into its journal.
 */
import type { Time, Timers } from '../../actors/ports.js';
import type { Timeline } from '../timeline.js';

export class SimulatedProcess implements Time, Timers {
  readonly #timeline: Timeline;
  #isAlive = true;
  #died: () => void = () => undefined;
  readonly death = new Promise<void>((resolve) => (this.#died = resolve));

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Things it waits for, deadlines included. */
  get pending(): number {
    return this.#timeline.pending(this);
  }

  now(): number {
    return this.#timeline.now();
  }

  setTimeout(run: () => void, ms: number): unknown {
    return this.#isAlive ? this.#timeline.after(ms, run, this) : null;
  }

  clearTimeout(timer: unknown): void {
    this.#timeline.cancel(timer);
  }

  /** Never resolves once the process has died. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.setTimeout(resolve, ms));
  }

  /** True: the signal aborted first. */
  waitOrAbort(ms: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = this.setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve(false);
      }, ms);
      const stop = (): void => {
        this.clearTimeout(timer);
        resolve(true);
      };
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
  }

  /** What a dead process would do next. */
  never<T>(): Promise<T> {
    return new Promise(() => undefined);
  }

  die(): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    this.#timeline.drop(this);
    this.#died();
  }
}
