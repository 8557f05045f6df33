/**
 * Chance that repeats: everything that a seed leaves open is drawn from here. Streams with different names do
 * not disturb each other, so that a new draw in one part of the simulator does not change all the others.
 */
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

function numberOf(name: string): number {
  let mixed = FNV_START;
  for (const char of name) mixed = Math.imul(mixed ^ (char.codePointAt(0) ?? 0), FNV_PRIME);
  return mixed >>> 0;
}

/** What is chosen, and how often beside the others. */
export type Weighted<T> = readonly [T, number];

export class Chance {
  readonly #name: string;
  #state: number;

  constructor(name: string) {
    this.#name = name;
    this.#state = numberOf(name);
  }

  stream(name: string): Chance {
    return new Chance(`${this.#name}/${name}`);
  }

  /** From 0 up to, but not, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Both ends can come. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** Mostly near `least`, now and then far from it: how long things take. */
  skewed(least: number, most: number): number {
    return least + Math.floor(this.next() ** 4 * (most - least + 1));
  }

  happens(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  }

  weighted<T>(choices: readonly Weighted<T>[]): T {
    const whole = choices.reduce((sum, [, weight]) => sum + weight, 0);
    let left = this.next() * whole;
    for (const [choice, weight] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    throw new Error('the weights are all 0');
  }
}
