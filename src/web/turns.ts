/** Lets one at a time through, in the order they came. */
import { Oneshot } from '../../messages/channels/oneshot.js';
import { orAborted } from './deadline.js';

export interface Turns {
  /** Resolves when it is one's turn, with how to give it back. Null: the signal aborted first. */
  take(signal: AbortSignal): Promise<(() => void) | null>;
}

export function createTurns(): Turns {
  let last: Promise<boolean> = Promise.resolve(true);
  return {
    async take(signal) {
      const before = last;
      const mine = new Oneshot<boolean>();
      last = mine.answer;
      const giveBack = (): void => void mine.settle(true);
      if ((await orAborted(before, signal)) !== null) return giveBack;
      // Those behind it still wait for the one in front.
      void before.then(giveBack);
      return null;
    },
  };
}
