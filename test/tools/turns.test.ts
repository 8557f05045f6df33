import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Turns } from '../../src/tools/turns.js';

test('whoever shares a name waits for those who came earlier; nobody else waits', async () => {
  const turns = new Turns();
  const order: string[] = [];
  const first = await turns.take(['a']);
  const second = turns.take(['a', 'b']).then((finished) => {
    order.push('second');
    return finished;
  });
  const third = turns.take(['b']).then(() => order.push('third'));
  await turns.take(['c']);
  await turns.take([]);
  expect(order).toEqual([]);
  first();
  (await second)();
  await third;
  expect(order).toEqual(['second', 'third']);
});

test('for any calls: no name is held twice at once, and everyone gets a turn', async () => {
  const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'));
  await fc.assert(
    fc.asyncProperty(fc.array(names, { maxLength: 12 }), async (calls) => {
      const turns = new Turns();
      const held = new Set<string>();
      let served = 0;
      await Promise.all(
        calls.map(async (wanted) => {
          const finished = await turns.take(wanted);
          for (const name of wanted) {
            expect(held.has(name)).toBe(false);
            held.add(name);
          }
          await Promise.resolve();
          for (const name of wanted) held.delete(name);
          served += 1;
          finished();
        }),
      );
      expect(served).toBe(calls.length);
    }),
  );
});
