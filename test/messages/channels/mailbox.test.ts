import { expect, test } from 'vitest';
import { Mailbox } from '../../../messages/channels/mailbox.js';
import { settled, stateOf } from '../../support/settled.js';

const box = (capacity: number, controlCapacity = 2): Mailbox<string> =>
  new Mailbox<string>({ capacity, controlCapacity });

async function readAll<T>(mailbox: Mailbox<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const item of mailbox) read.push(item);
  return read;
}

test('what is offered is read in the same order', async () => {
  const mailbox = box(3);
  expect(['a', 'b', 'c'].map((item) => mailbox.offer(item))).toEqual([true, true, true]);
  mailbox.close();
  expect(await readAll(mailbox)).toEqual(['a', 'b', 'c']);
});

test('a full mailbox refuses an offer, and accepts again once something was taken', () => {
  const mailbox = box(1);
  expect(mailbox.offer('a')).toBe(true);
  expect(mailbox.offer('b')).toBe(false);
  expect(mailbox.take()).toBe('a');
  expect(mailbox.offer('c')).toBe(true);
  expect(mailbox.take()).toBe('c');
  expect(mailbox.take()).toBeUndefined();
});

test('put waits for room, and those who wait get in one by one in their order', async () => {
  const mailbox = box(1);
  mailbox.offer('a');
  const waiting = ['b', 'c', 'd'].map((item) => mailbox.put(item));
  expect(await Promise.all(waiting.map(stateOf))).toEqual(['pending', 'pending', 'pending']);

  expect(mailbox.take()).toBe('a');
  expect(await Promise.all(waiting.map(stateOf))).toEqual([true, 'pending', 'pending']);
  expect([mailbox.take(), mailbox.take(), mailbox.take()]).toEqual(['b', 'c', 'd']);
  expect(await Promise.all(waiting)).toEqual([true, true, true]);
});

test('an offer does not overtake those who wait for room', async () => {
  const mailbox = box(1);
  mailbox.offer('a');
  const waiting = mailbox.put('b');
  mailbox.take();
  expect(mailbox.offer('c')).toBe(false);
  expect(await waiting).toBe(true);
  expect(mailbox.take()).toBe('b');
});

test('the control lane is read first', () => {
  const mailbox = box(2);
  mailbox.offer('a');
  mailbox.offer('b');
  mailbox.offer('stop', 'control');
  expect([mailbox.take(), mailbox.take(), mailbox.take()]).toEqual(['stop', 'a', 'b']);
});

test('a full inbox with a queue in front of it does not stand in the way of control', async () => {
  const mailbox = box(1);
  mailbox.offer('a');
  void mailbox.put('b');
  expect(mailbox.offer('pause', 'control')).toBe(true);
  expect(await stateOf(mailbox.put('quit', 'control'))).toBe(true);
  expect([mailbox.take(), mailbox.take(), mailbox.take(), mailbox.take()]).toEqual([
    'pause',
    'quit',
    'a',
    'b',
  ]);
});

test('the control lane is bounded as well', () => {
  const mailbox = box(5, 1);
  expect(mailbox.offer('pause', 'control')).toBe(true);
  expect(mailbox.offer('quit', 'control')).toBe(false);
  expect(mailbox.offer('a')).toBe(true);
});

test('depth counts both lanes and the high-water mark stays', () => {
  const mailbox = box(3);
  expect([mailbox.depth, mailbox.highWater, mailbox.capacity]).toEqual([0, 0, 3]);
  mailbox.offer('a');
  mailbox.offer('b');
  mailbox.offer('quit', 'control');
  expect([mailbox.depth, mailbox.highWater]).toEqual([3, 3]);
  mailbox.take();
  mailbox.take();
  expect([mailbox.depth, mailbox.highWater]).toEqual([1, 3]);
});

test('after closing, what was accepted is read and those who wait are refused', async () => {
  const mailbox = box(1);
  mailbox.offer('a');
  mailbox.offer('quit', 'control');
  const waiting = mailbox.put('b');
  mailbox.close();
  expect(mailbox.closed).toBe(true);
  expect(await waiting).toBe(false);
  expect(mailbox.offer('c')).toBe(false);
  expect(await mailbox.put('d')).toBe(false);
  expect(await mailbox.put('e', 'control')).toBe(false);
  expect(await readAll(mailbox)).toEqual(['quit', 'a']);
});

test('closing twice is closing once', async () => {
  const mailbox = box(1);
  mailbox.offer('a');
  mailbox.close();
  mailbox.close();
  expect(await readAll(mailbox)).toEqual(['a']);
});

test('a reader that waits is woken by an item, and let go by the close', async () => {
  const mailbox = box(1);
  const read = readAll(mailbox);
  await settled(2);
  mailbox.offer('a');
  await settled(2);
  mailbox.offer('quit', 'control');
  await settled(2);
  mailbox.close();
  expect(await read).toEqual(['a', 'quit']);
});
