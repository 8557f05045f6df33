/** Waiting that leaves no timer behind: for a while, for something to become true, for a far deadline. */

/** Timers cannot be set further ahead; a longer wait is made of several. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Resolves after that time, or as soon as `until` aborts. */
export function rest(ms: number, until?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      until?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (until?.aborted === true) end();
    else until?.addEventListener('abort', end);
  });
}

export interface Patience {
  readonly limitMs: number;
  readonly everyMs: number;
  readonly until?: AbortSignal;
}

/** Asks again and again. False: the time was over, or it was called off, before it became true. */
export async function becomesTrue(holds: () => boolean, patience: Patience): Promise<boolean> {
  const giveUpAt = performance.now() + patience.limitMs;
  while (!holds()) {
    if (performance.now() >= giveUpAt || patience.until?.aborted === true) return false;
    await rest(patience.everyMs, patience.until);
  }
  return true;
}

/** While `work` runs, the signal it was given aborts once that time is over; null: never. */
export async function withDeadline<T>(
  ms: number | null,
  work: (over: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const finished = new AbortController();
  const watch = async (limitMs: number): Promise<void> => {
    const end = performance.now() + limitMs;
    while (performance.now() < end && !finished.signal.aborted) {
      await rest(Math.min(end - performance.now(), LONGEST_TIMER_MS), finished.signal);
    }
    over.abort();
  };
  if (ms !== null) void watch(ms);
  try {
    return await work(over.signal);
  } finally {
    finished.abort();
  }
}
