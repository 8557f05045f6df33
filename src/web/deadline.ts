/** One time limit over several requests, joined with the caller's own wish to stop. */

export interface Deadline {
  /** Aborted when the time is over or the caller stops. */
  readonly signal: AbortSignal;
  /** Must be called when the work is over: it holds a timer and a listener. */
  end(): void;
}

/** With a timer of its own: a timeout signal that is only referred to by another signal can be lost. */
export function startDeadline(caller: AbortSignal, ms: number): Deadline {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const timer = setTimeout(stop, ms);
  if (caller.aborted) stop();
  else caller.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      caller.removeEventListener('abort', stop);
    },
  };
}

/** Null: the signal aborted first. What was waited for goes on, and nobody hears of it. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return null;
  let stop = (): void => undefined;
  const aborted = new Promise<null>((resolve) => {
    stop = () => resolve(null);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
