import { expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import { LOOK_MS, SLEPT_MS, watchForWake } from '../../src/session/wake-watch.js';
import { START } from '../support/session-samples.js';

/** A machine whose timers stand still while its wall clock goes on. */
class Machine {
  readonly clock = new SimulatedClock();
  readonly slept: number[] = [];
  readonly stop: () => void;
  #asleepMs = START;

  constructor() {
    this.stop = watchForWake({
      time: { now: () => this.#asleepMs + this.clock.now() },
      clock: this.clock,
      woke: (ms) => void this.slept.push(ms),
    });
  }

  works(ms: number): void {
    for (let left = ms; left > 0; left -= 1_000) this.clock.increment(Math.min(left, 1_000));
  }

  sleeps(ms: number): void {
    this.#asleepMs += ms;
  }
}

test('a sleep is noticed soon after waking, once, and so is the next one', () => {
  const machine = new Machine();
  machine.works(60_000);
  machine.sleeps(8 * 60 * 60 * 1_000);
  machine.works(LOOK_MS);
  machine.works(60_000);
  machine.sleeps(SLEPT_MS + 1);
  machine.works(60_000);
  expect(machine.slept).toEqual([8 * 60 * 60 * 1_000, SLEPT_MS + 1]);
});

test('a short stop, and a clock that is set back, are no sleep', () => {
  const machine = new Machine();
  machine.sleeps(SLEPT_MS);
  machine.works(60_000);
  machine.sleeps(-24 * 60 * 60 * 1_000);
  machine.works(60_000);
  expect(machine.slept).toEqual([]);
});

test('once it is stopped nothing is noticed', () => {
  const machine = new Machine();
  machine.stop();
  machine.sleeps(SLEPT_MS * 2);
  machine.works(60_000);
  expect(machine.slept).toEqual([]);
});
