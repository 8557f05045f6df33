import { expect, test } from 'vitest';
import { limitedSignal } from '../../src/session/limited-signal.js';

/** Timers that are run by hand. */
function handClock() {
  const waiting = new Map<number, () => void>();
  let made = 0;
  return {
    waiting,
    setTimeout: (run: () => void) => {
      waiting.set((made += 1), run);
      return made;
    },
    clearTimeout: (timer: unknown) => void waiting.delete(timer as number),
  };
}

test('it aborts when its time is over, and when what it stands for aborts', () => {
  const clock = handClock();
  const stop = new AbortController();
  const late = limitedSignal(stop.signal, 10, clock);
  const stopped = limitedSignal(stop.signal, 10, clock);
  [...clock.waiting.values()][0]?.();
  expect([late.signal.aborted, stopped.signal.aborted]).toEqual([true, false]);
  stop.abort();
  expect(stopped.signal.aborted).toBe(true);
  expect(limitedSignal(stop.signal, 10, clock).signal.aborted).toBe(true);
});

test('once it is released nothing waits any more', () => {
  const clock = handClock();
  const stop = new AbortController();
  const limited = limitedSignal(stop.signal, 10, clock);
  limited.release();
  stop.abort();
  expect(clock.waiting.size).toBe(0);
  expect(limited.signal.aborted).toBe(false);
});
