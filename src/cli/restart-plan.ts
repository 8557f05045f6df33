/** When a session whose process crashed is started again, and when no more. Pure. */
import type { Millis } from '../../messages/ids.js';

/** Before the first restart of an hour, the second, and every further one. */
const DELAYS_MS = [1_000, 10_000, 60_000] as const;

/** What crashes more often than this would go on crashing. */
export const MOST_RESTARTS = 5;
const WINDOW_MS = 60 * 60 * 1000;

export type RestartPlan =
  | {
      readonly kind: 'restart';
      readonly delayMs: number;
      /** Counts the restarts of the last hour, this one included. */
      readonly nth: number;
      /** Those that still count. */
      readonly recent: readonly Millis[];
    }
  | { readonly kind: 'give-up' };

export function planRestart(restarts: readonly Millis[], now: Millis): RestartPlan {
  // A clock that was set back must not keep a restart in the count for ever.
  const recent = restarts.filter((at) => at > now - WINDOW_MS && at <= now);
  if (recent.length >= MOST_RESTARTS) return { kind: 'give-up' };
  const delayMs = DELAYS_MS[Math.min(recent.length, DELAYS_MS.length - 1)] ?? 60_000;
  return { kind: 'restart', delayMs, nth: recent.length + 1, recent };
}
