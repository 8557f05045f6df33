import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { Watch } from '../../../messages/channels/watch.js';
import { settled, stateOf } from '../../support/settled.js';

const never = new AbortController().signal;
const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

test('it holds the latest value', () => {
  const watch = new Watch(1);
  watch.publish(2);
  watch.publish(3);
  expect(watch.current).toBe(3);
});

test('a reader gets the current value at once and then each change', async () => {
  const watch = new Watch('a');
  const changes = watch.changes(never);
  expect(await changes.next()).toEqual({ done: false, value: 'a' });
  const next = changes.next();
  expect(await stateOf(next)).toBe('pending');
  watch.publish('b');
  expect(await next).toEqual({ done: false, value: 'b' });
});

test('a slow reader skips what it was too slow for, and delays nobody', async () => {
  const watch = new Watch(0);
  const slow = watch.changes(never);
  const fast = watch.changes(never);
  await slow.next();
  await fast.next();
  const seen: number[] = [];
  for (let value = 1; value <= 5; value += 1) {
    watch.publish(value);
    const next = await fast.next();
    if (next.done !== true) seen.push(next.value);
  }
  expect(seen).toEqual([1, 2, 3, 4, 5]);
  expect(await slow.next()).toEqual({ done: false, value: 5 });
});

test('an identical value wakes nobody', async () => {
  const same = { n: 1 };
  const watch = new Watch(same);
  const changes = watch.changes(never);
  await changes.next();
  const next = changes.next();
  watch.publish(same);
  expect(await stateOf(next)).toBe('pending');
  watch.publish({ n: 1 });
  expect(await stateOf(next)).toEqual({ done: false, value: { n: 1 } });
});

test('undefined is a value like any other', async () => {
  const watch = new Watch<number | undefined>(undefined);
  const changes = watch.changes(never);
  expect(await changes.next()).toEqual({ done: false, value: undefined });
  expect(await stateOf(changes.next())).toBe('pending');
});

test('an abort ends the iteration of a reader that waits, and leaves no listener behind', async () => {
  const watch = new Watch(0);
  const until = new AbortController();
  const seen: number[] = [];
  const reading = (async () => {
    for await (const value of watch.changes(until.signal)) seen.push(value);
  })();
  await settled(2);
  expect(listeners(until.signal)).toBe(1);
  until.abort();
  await reading;
  expect(seen).toEqual([0]);
  expect(listeners(until.signal)).toBe(0);
});

test('an abort lets go only the readers that it is for', async () => {
  const watch = new Watch(0);
  const until = new AbortController();
  const other = watch.changes(never);
  await other.next();
  const waiting = other.next();
  const ended = watch.when((value) => value > 0, until.signal);
  until.abort();
  expect(await ended).toBeUndefined();
  expect(await stateOf(waiting)).toBe('pending');
});

test('a reader that leaves early leaves no listener behind', async () => {
  const watch = new Watch(0);
  const until = new AbortController();
  for await (const value of watch.changes(until.signal)) {
    expect(value).toBe(0);
    break;
  }
  expect(listeners(until.signal)).toBe(0);
});

test('an aborted reader sees nothing at all', async () => {
  const changes = new Watch(0).changes(AbortSignal.abort());
  expect(await changes.next()).toEqual({ done: true, value: undefined });
});

test('when gives the first value that fits, also the one that is there already', async () => {
  const until = new AbortController();
  const watch = new Watch(1);
  expect(await watch.when((value) => value === 1, until.signal)).toBe(1);
  const even = watch.when((value) => value % 2 === 0, until.signal);
  watch.publish(3);
  expect(await stateOf(even)).toBe('pending');
  watch.publish(4);
  expect(await even).toBe(4);
  expect(listeners(until.signal)).toBe(0);
});
