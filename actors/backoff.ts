/** How many milliseconds to wait before a failed model request is made again. */
import type { ModelError } from '../messages/model.js';

const INITIAL_MS = 500;
const MULTIPLIER = 2;
const MAX_MS = 8_000;
/** Spread without chance, so that a replay waits as long as the original did. */
const JITTER = [0.75, 0.9, 0.6, 0.85] as const;
/** A server that asks for more is not waited for here: that is a hold, which a person can see and lift. */
const MAX_RETRY_AFTER_MS = 60_000;

/** A model that said nothing is asked again after so much more each time. */
const EMPTY_STEP_MS = 500;

/** `attempt`: how many have failed, from 1. */
export const retryDelay = (attempt: number, { kind, retryAfterMs }: ModelError): number =>
  kind === 'empty' ? EMPTY_STEP_MS * attempt : retryDelayMs(attempt, retryAfterMs);

/** Whether a server that asks for such a wait is asked again within it; longer is the business of a hold. */
export const isWorthWaiting = (retryAfterMs: number | undefined): boolean =>
  retryAfterMs === undefined || retryAfterMs <= MAX_RETRY_AFTER_MS;

/** `attempt`: how many have failed, from 1. What the server asked for wins over the formula. */
export function retryDelayMs(attempt: number, retryAfterMs?: number): number {
  if (retryAfterMs !== undefined && retryAfterMs >= 0) {
    return Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
  }
  const nth = Math.max(0, attempt - 1);
  const factor = JITTER[nth % JITTER.length] ?? 1;
  return Math.min(INITIAL_MS * MULTIPLIER ** nth, MAX_MS) * factor;
}
