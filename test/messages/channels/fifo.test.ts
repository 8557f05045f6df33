import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fifo } from '../../../messages/channels/fifo.js';

test('it does what an array does', () => {
  const steps = fc.array(fc.option(fc.nat(), { nil: null }), { maxLength: 600, size: 'max' });
  fc.assert(
    fc.property(steps, (script) => {
      const fifo = new Fifo<number>();
      const model: number[] = [];
      for (const value of script) {
        if (value === null) expect(fifo.shift()).toBe(model.shift());
        else {
          fifo.push(value);
          model.push(value);
        }
        expect(fifo.length).toBe(model.length);
      }
    }),
  );
});

test('the order holds also over more items than it keeps in one piece', () => {
  const fifo = new Fifo<number>();
  const read: (number | undefined)[] = [];
  for (let n = 0; n < 1_000; n += 1) {
    fifo.push(n);
    if (n % 3 > 0) read.push(fifo.shift());
  }
  while (fifo.length > 0) read.push(fifo.shift());
  expect(read).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
  expect(fifo.shift()).toBeUndefined();
});

test('undefined can be an item', () => {
  const fifo = new Fifo<undefined>();
  fifo.push(undefined);
  expect(fifo.length).toBe(1);
  fifo.shift();
  expect(fifo.length).toBe(0);
});
