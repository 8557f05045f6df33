/** The timers of a real process. Looked up when they are used, so that a test can put its own in their place. */
import type { Clock } from './actor-pump.js';

export const systemClock: Clock = {
  setTimeout: (fn, ms) => setTimeout(fn, ms),
  clearTimeout: (timer: NodeJS.Timeout) => clearTimeout(timer),
};
