/** Ctrl+C as an abort signal, for verbs that go on until somebody ends them. */
import type { VerbContext } from './verb-context.js';

/** What a shell reports for a program that ended by Ctrl+C. */
export const EXIT_INTERRUPTED = 130;

/** While `work` runs, SIGINT aborts the signal it was given; a second one ends the process as usual. */
export async function interruptible<T>(
  { signals = process }: Pick<VerbContext, 'signals'>,
  work: (interrupted: AbortSignal) => Promise<T>,
): Promise<T> {
  const interruption = new AbortController();
  const interrupt = (): void => {
    signals.off('SIGINT', interrupt);
    interruption.abort();
  };
  signals.on('SIGINT', interrupt);
  try {
    return await work(interruption.signal);
  } finally {
    signals.off('SIGINT', interrupt);
  }
}
