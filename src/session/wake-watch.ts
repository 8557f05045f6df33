/**
 * Notices that the machine, or this process, was asleep: between two looks more time has passed on the wall
 * than timers count, which stand still meanwhile. Says so once for each sleep.
 */
import type { Time } from '../../actors/ports.js';
import type { Clock } from './actor-pump.js';

/** Between two looks: how long after waking it is noticed at the latest. */
export const LOOK_MS = 5_000;

/** A machine that is only busy is late by less. */
export const SLEPT_MS = 30_000;

export interface WakePorts {
  /** The wall's. */
  readonly time: Time;
  /** Its timers stand still while the machine sleeps. */
  readonly clock: Clock;
  readonly woke: (sleptMs: number) => void;
}

/** Returns how to stop. */
export function watchForWake({ time, clock, woke }: WakePorts): () => void {
  let last = time.now();
  const look = (): void => {
    const now = time.now();
    const sleptMs = now - last - LOOK_MS;
    last = now;
    timer = clock.setTimeout(look, LOOK_MS);
    if (sleptMs > SLEPT_MS) woke(sleptMs);
  };
  let timer: unknown = clock.setTimeout(look, LOOK_MS);
  return () => clock.clearTimeout(timer);
}
