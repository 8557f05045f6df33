/**
 * Ends a request whose caller lost interest or whose server went silent. Silence is measured in what the
 * model said, not in bytes: keep-alive comments and empty chunks do not count. The time before the first
 * token has a limit of its own, since a long prompt is read before anything is said.
 */

export interface SilenceLimits {
  readonly firstTokenTimeoutMs: number;
  readonly silenceTimeoutMs: number;
}

/** A longer one would end at once: timers count in 31 bits. Some 25 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const within = (ms: number): number => Math.min(ms, MAX_TIMER_MS);

export type EndedBy = 'caller' | 'first-token-limit' | 'silence-limit';

export class Watchdog {
  readonly #controller: AbortController;
  readonly #caller: AbortSignal;
  readonly #silenceMs: number;
  readonly #onCallerAbort = (): void => this.#end('caller');
  #timer: NodeJS.Timeout;
  #speaking = false;
  #endedBy: EndedBy | null = null;

  constructor(limits: SilenceLimits, caller: AbortSignal, controller: AbortController) {
    this.#controller = controller;
    this.#caller = caller;
    this.#silenceMs = within(limits.silenceTimeoutMs);
    const firstMs = within(limits.firstTokenTimeoutMs);
    this.#timer = setTimeout(() => this.#end('first-token-limit'), firstMs);
    caller.addEventListener('abort', this.#onCallerAbort, { once: true });
    if (caller.aborted) this.#end('caller');
  }

  /** Null: nobody ended it from here. The SDK does not always throw when it is aborted; this knows. */
  get endedBy(): EndedBy | null {
    return this.#endedBy;
  }

  /** The model said something. */
  progress(): void {
    if (this.#speaking) {
      this.#timer.refresh();
      return;
    }
    this.#speaking = true;
    clearTimeout(this.#timer);
    if (this.#endedBy !== null) return;
    this.#timer = setTimeout(() => this.#end('silence-limit'), this.#silenceMs);
  }

  /** The request is over; what happens from now on is nobody's fault. */
  release(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener('abort', this.#onCallerAbort);
  }

  #end(by: EndedBy): void {
    this.#endedBy ??= by;
    clearTimeout(this.#timer);
    this.#controller.abort();
  }
}
