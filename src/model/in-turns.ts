/**
 * Lets other work have its turn while an answer is read. What has arrived is handed on without any wait in
 * between, so a server that sends much at once would keep the session from everything else.
 */
import { setImmediate } from 'node:timers/promises';

/** A turn may take so long; a part of the 50 ms after which a session counts as not answering at once. */
const TURN_MS = 10;

/** The same items in the same order. Ends what it reads from when it is ended itself. */
export async function* inTurns<T>(items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  let begun = performance.now();
  for await (const item of items) {
    yield item;
    if (performance.now() - begun < TURN_MS) continue;
    await setImmediate();
    begun = performance.now();
  }
}
