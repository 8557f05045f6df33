import { expect, test } from 'vitest';
import { inTurns } from '../../src/model/in-turns.js';

/** Everything is there at once; each item takes a while to be used. */
async function* burst(count: number, onEnd: () => void): AsyncGenerator<number> {
  try {
    for (let n = 1; n <= count; n += 1) yield await Promise.resolve(n);
  } finally {
    onEnd();
  }
}

const useFor = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

test('items come whole and in order, and other work has its turn in between', async () => {
  const seen: number[] = [];
  const turns: number[] = [];
  const other = setInterval(() => turns.push(seen.length), 0);
  for await (const item of inTurns(burst(40, () => undefined))) {
    seen.push(item);
    useFor(4);
  }
  clearInterval(other);
  expect(seen).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
  expect(turns.filter((after) => after > 0 && after < 40).length).toBeGreaterThan(2);
});

test('without turns nothing else would have come in between', async () => {
  const turns: number[] = [];
  let seen = 0;
  const other = setInterval(() => turns.push(seen), 0);
  for await (const item of burst(10, () => undefined)) {
    seen = item;
    useFor(4);
  }
  clearInterval(other);
  expect(turns).toEqual([]);
});

test('whoever stops reading ends what is read from', async () => {
  let ended = 0;
  for await (const item of inTurns(burst(10, () => (ended += 1)))) if (item === 3) break;
  expect(ended).toBe(1);
});
