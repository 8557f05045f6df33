/** A signal with a limit of time, on timers that can be simulated. */
import type { Clock } from './actor-pump.js';
import { systemClock } from './system-clock.js';

export interface LimitedSignal {
  readonly signal: AbortSignal;
  /** What it was for is over: nothing waits any more. */
  release(): void;
}

/** Aborts with `signal`, or when the time is over. */
export function limitedSignal(
  signal: AbortSignal,
  ms: number,
  clock: Clock = systemClock,
): LimitedSignal {
  const over = new AbortController();
  const abort = (): void => over.abort();
  const timer: unknown = clock.setTimeout(abort, ms);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return {
    signal: over.signal,
    release: () => {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    },
  };
}
