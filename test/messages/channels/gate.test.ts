import { expect, test } from 'vitest';
import { Gate } from '../../../messages/channels/gate.js';
import { stateOf } from '../../support/settled.js';

test('everyone who waits is let through at once', async () => {
  const gate = new Gate();
  const waiting = [gate.opened(), gate.opened(), gate.opened()];
  expect(await stateOf(Promise.race(waiting))).toBe('pending');
  gate.open();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined, undefined]);
});

test('an open gate lets nobody through who comes later', async () => {
  const gate = new Gate();
  gate.open();
  const late = gate.opened();
  expect(await stateOf(late)).toBe('pending');
  gate.open();
  expect(await stateOf(late)).toBeUndefined();
});

test('who is let through may wait again at once', async () => {
  const gate = new Gate();
  let passed = 0;
  const walker = (async () => {
    for (; passed < 3; passed += 1) await gate.opened();
  })();
  while (passed < 3) {
    gate.open();
    await Promise.resolve();
  }
  await walker;
  expect(passed).toBe(3);
});
