/**
 * Counts the time a session works, and calls when a limit is reached. Time in which every
 * agent is held does not count. A resumed session starts to count anew: the limit is on one run of the process.
 */
import type { Time } from '../../actors/ports.js';
import type { Millis } from '../../messages/ids.js';
import { isOpen } from '../../messages/pause.js';
import type { Snapshot } from '../../messages/snapshot.js';
import type { Clock } from './actor-pump.js';
import { systemClock } from './system-clock.js';

/** The longest wait a JavaScript timer can hold. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Also while the main agent is held, as long as another one is not. */
export const isAtWork = ({
  state,
  agents,
  holds,
}: Pick<Snapshot, 'state' | 'agents' | 'holds'>): boolean =>
  (state === 'running' || state === 'held') &&
  agents.some(
    // A request that waits for its place is nobody's work.
    ({ id, end, phase }) => end === null && phase !== 'queued' && isOpen(holds, id),
  );

export class WorkClock {
  readonly #time: Time;
  #limitMs: number | null;
  readonly #reached: () => void;
  #worked = 0;
  #since: Millis | null = null;
  #timer: unknown;
  readonly #clock: Clock;

  constructor(time: Time, limitMs: number | null, reached: () => void, clock: Clock = systemClock) {
    this.#clock = clock;
    this.#time = time;
    this.#limitMs = limitMs;
    this.#reached = reached;
  }

  /** Told with every change of the session's state; being told the same twice changes nothing. */
  set(working: boolean): void {
    if (working === (this.#since !== null)) return;
    if (working) this.#since = this.#time.now();
    else {
      this.#worked = this.workedMs;
      this.#since = null;
    }
    this.#arm();
  }

  /** What was worked so far counts against it. */
  setLimit(limitMs: number | null): void {
    this.#limitMs = limitMs;
    this.#arm();
  }

  /** The machine slept: nobody worked meanwhile. */
  forget(sleptMs: number): void {
    if (this.#since === null) return;
    this.#since = Math.min(this.#since + sleptMs, this.#time.now());
    this.#arm();
  }

  get workedMs(): number {
    return this.#worked + (this.#since === null ? 0 : this.#time.now() - this.#since);
  }

  #arm(): void {
    this.#clock.clearTimeout(this.#timer);
    if (this.#limitMs === null || this.#since === null) return;
    const left = this.#limitMs - this.workedMs;
    if (left <= 0) this.#reached();
    else this.#timer = this.#clock.setTimeout(() => this.#arm(), Math.min(left, LONGEST_TIMER_MS));
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#since = null;
  }
}
