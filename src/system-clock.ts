/** The clock of a session that is no test. */
import type { Clock } from './session/actor-pump.js';

/** Timers of the machines: the system's own. */
export const systemClock: Clock = {
  setTimeout: (fn, ms) => setTimeout(fn, ms),
  clearTimeout: (timer: NodeJS.Timeout) => clearTimeout(timer),
};
