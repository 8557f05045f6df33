/** Chance that can be had again: a failure prints the seed, and the seed makes the same delays. */

/** mulberry32: small, and good enough to choose delays. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `E2E_SEED` repeats an earlier run. */
export const chosenSeed = (): number =>
  Number(process.env['E2E_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
