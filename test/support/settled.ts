/** Waiting in tests: for what is under way to come to rest, and for something to become true. */

/** Resolves after everything that is ready to run has run, and what became ready by that, many times over. */
export async function settled(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits for what has no event of its own; the test's own time limit ends the wait. */
export async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

/** `pending` as long as the promise has not settled by now. */
export async function stateOf<T>(promise: Promise<T>): Promise<T | 'pending'> {
  await settled(2);
  return Promise.race([promise, Promise.resolve('pending' as const)]);
}
