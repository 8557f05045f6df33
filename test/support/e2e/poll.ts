/** Waiting for something to become true: as long as a slow machine may need, and no longer than it takes. */
import { setTimeout as sleep } from 'node:timers/promises';

const LIMIT_MS = 40_000;
const EVERY_MS = 20;

/** Resolves with the first value that is neither undefined, null nor false. `what` completes "waited for …". */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | null | false | Promise<T | undefined | null | false>,
): Promise<T> {
  const giveUpAt = performance.now() + LIMIT_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    if (performance.now() > giveUpAt) throw new Error(`waited in vain for ${what}`);
    await sleep(EVERY_MS);
  }
}
