/** What was reported, in order, and a way to wait for more of it. */
import { Gate } from '../../messages/channels/gate.js';

export class Recorder<T> {
  readonly items: T[] = [];
  readonly #changed = new Gate();

  push(item: T): void {
    this.items.push(item);
    this.#changed.open();
  }

  /** The first item that fits, from the beginning or yet to come; the test's time limit ends the wait. */
  async find(fits: (item: T) => boolean): Promise<T> {
    return (await this.first(1, fits))[0] as T;
  }

  /** The first `count` items that fit. */
  async first(count: number, fits: (item: T) => boolean): Promise<T[]> {
    for (;;) {
      const found = this.items.filter(fits);
      if (found.length >= count) return found.slice(0, count);
      await this.#changed.opened();
    }
  }
}

type Typed = { readonly type: string };

/** The items of one type, typed as such. */
export const ofType = <T extends Typed, K extends T['type']>(
  items: readonly T[],
  type: K,
): Extract<T, { type: K }>[] =>
  items.filter((item): item is Extract<T, { type: K }> => item.type === type);
