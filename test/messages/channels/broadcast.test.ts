import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  Broadcast,
  LossyQueue,
  SUBSCRIBER_QUEUE,
  type Received,
} from '../../../messages/channels/broadcast.js';
import { stateOf } from '../../support/settled.js';

const item = <T>(value: T): Received<T> => ({ type: 'item', item: value });
const lagged = (dropped: number): Received<never> => ({ type: 'lagged', dropped });

async function readAll<T>(queue: LossyQueue<T>): Promise<Received<T>[]> {
  const read: Received<T>[] = [];
  for await (const received of queue) read.push(received);
  return read;
}

test('a reader that keeps up gets everything in order', async () => {
  const broadcast = new Broadcast<number>();
  const queue = broadcast.subscribe();
  for (let n = 0; n < SUBSCRIBER_QUEUE; n += 1) broadcast.publish(n);
  broadcast.close();
  expect(await readAll(queue)).toEqual(Array.from({ length: SUBSCRIBER_QUEUE }, (_, n) => item(n)));
});

test('a reader that falls behind loses the oldest and is told how many', async () => {
  const broadcast = new Broadcast<number>();
  const queue = broadcast.subscribe(3);
  for (let n = 0; n < 10; n += 1) broadcast.publish(n);
  broadcast.close();
  expect(await readAll(queue)).toEqual([lagged(7), item(7), item(8), item(9)]);
});

test('one slow reader takes nothing from another', async () => {
  const broadcast = new Broadcast<string>();
  const slow = broadcast.subscribe(1);
  const roomy = broadcast.subscribe(5);
  for (const text of ['a', 'b', 'c']) broadcast.publish(text);
  broadcast.close();
  expect(await readAll(slow)).toEqual([lagged(2), item('c')]);
  expect(await readAll(roomy)).toEqual([item('a'), item('b'), item('c')]);
});

test('a reader that waits is woken by the next item', async () => {
  const queue = new LossyQueue<string>(2);
  const reader = queue[Symbol.asyncIterator]();
  const next = reader.next();
  expect(await stateOf(next)).toBe('pending');
  queue.push('a');
  expect(await next).toEqual({ done: false, value: item('a') });
});

test('who gave its queue back gets what was waiting and nothing more', async () => {
  const broadcast = new Broadcast<string>();
  const queue = broadcast.subscribe();
  broadcast.publish('a');
  broadcast.unsubscribe(queue);
  broadcast.publish('b');
  expect(await readAll(queue)).toEqual([item('a')]);
});

test('a listener hears everything at once and in order until it stops', () => {
  const broadcast = new Broadcast<number>();
  const heard: number[] = [];
  const stop = broadcast.on((n) => void heard.push(n));
  for (let n = 0; n < 3; n += 1) broadcast.publish(n);
  stop();
  broadcast.publish(3);
  expect(heard).toEqual([0, 1, 2]);
});

test('a closed broadcast says nothing more', async () => {
  const broadcast = new Broadcast<number>();
  const heard: number[] = [];
  broadcast.on((n) => void heard.push(n));
  const queue = broadcast.subscribe();
  broadcast.close();
  broadcast.publish(1);
  expect(heard).toEqual([]);
  expect(await readAll(queue)).toEqual([]);
});

const steps = fc.array(fc.constantFrom('push' as const, 'read' as const), {
  maxLength: 120,
  size: 'max',
});

/** Publishes 0, 1, 2 …, reads in between as told, closes and reads the rest. */
async function play(capacity: number, script: readonly ('push' | 'read')[]) {
  const queue = new LossyQueue<number>(capacity);
  const reader = queue[Symbol.asyncIterator]();
  const read: Received<number>[] = [];
  let published = 0;
  const behind = (): number =>
    published - read.reduce((sum, r) => sum + (r.type === 'item' ? 1 : r.dropped), 0);
  for (const step of script) {
    if (step === 'push') queue.push(published++);
    else if (behind() > 0) {
      const next = await stateOf(reader.next());
      if (next === 'pending') throw new Error(`${behind()} items are unaccounted for`);
      if (next.done !== true) read.push(next.value);
    }
  }
  queue.close();
  for (let next = await reader.next(); next.done !== true; next = await reader.next())
    read.push(next.value);
  return { published, read };
}

const capacities = fc.integer({ min: 1, max: 5 });

test('what was received and what was dropped is what was published, in order', async () => {
  await fc.assert(
    fc.asyncProperty(capacities, steps, async (capacity, script) => {
      const { published, read } = await play(capacity, script);
      const items = read.flatMap((received) => (received.type === 'item' ? [received.item] : []));
      const dropped = read.flatMap((r) => (r.type === 'lagged' ? [r.dropped] : []));
      expect(items.length + dropped.reduce((sum, n) => sum + n, 0)).toBe(published);
      expect(items).toEqual([...items].sort((a, b) => a - b));
      expect(dropped.every((n) => n > 0)).toBe(true);
    }),
  );
});

test('a gap is announced before the item that follows it', async () => {
  await fc.assert(
    fc.asyncProperty(capacities, steps, async (capacity, script) => {
      const { read } = await play(capacity, script);
      let accounted = 0;
      for (const received of read) {
        if (received.type === 'lagged') accounted += received.dropped;
        else expect(received.item).toBe(accounted++);
      }
    }),
  );
});
