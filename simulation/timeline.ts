/**
 * Virtual time. Whatever waits for something waits here, and one thing happens at a time: between two steps
 * everything that is ready runs until nothing is. Things due at the same moment happen in an order that the
 * seed decides. No step takes real time.
 */
import type { Time } from '../actors/ports.js';
import type { Chance } from './chance.js';

/** Who waits; all that one of them waits for can be dropped at once. */
export type Owner = object;

export interface Timer {
  readonly at: number;
  readonly tie: number;
  readonly owner: Owner;
  readonly run: () => void;
}

/** 2026-01-01: a session must not care when it runs. */
export const TIMELINE_START = 1_767_225_600_000;

export class Timeline implements Time {
  #now = TIMELINE_START;
  #steps = 0;
  #waiting: Timer[] = [];
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  now(): number {
    return this.#now;
  }

  /** How many things have happened. */
  get steps(): number {
    return this.#steps;
  }

  after(ms: number, run: () => void, owner: Owner): Timer {
    const timer = { at: this.#now + Math.max(0, ms), tie: this.#chance.next(), owner, run };
    this.#waiting.push(timer);
    return timer;
  }

  cancel(timer: unknown): void {
    const at = this.#waiting.indexOf(timer as Timer);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  /** Nothing that the owner waits for comes any more. */
  drop(owner: Owner): void {
    this.#waiting = this.#waiting.filter((timer) => timer.owner !== owner);
  }

  /** How much the owner waits for. */
  pending(owner: Owner): number {
    return this.#waiting.filter((timer) => timer.owner === owner).length;
  }

  /** False: nothing waits. */
  async step(): Promise<boolean> {
    const next = this.#waiting.reduce<Timer | undefined>(
      (first, timer) => (first === undefined || isBefore(timer, first) ? timer : first),
      undefined,
    );
    if (next === undefined) return false;
    this.cancel(next);
    this.#now = next.at;
    this.#steps += 1;
    next.run();
    await everythingReady();
    return true;
  }
}

const isBefore = (a: Timer, b: Timer): boolean => a.at < b.at || (a.at === b.at && a.tie < b.tie);

/** Nothing that is simulated waits for the system, so that what is ready is done when it turns to us again. */
export const everythingReady = (): Promise<void> =>
  new Promise((resolve) => void setImmediate(resolve));
