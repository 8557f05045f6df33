import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Oneshot, ReplyRegistry } from '../../../messages/channels/oneshot.js';
import { stateOf } from '../../support/settled.js';

test('the first answer counts, and every later one is refused', async () => {
  const oneshot = new Oneshot<string>();
  expect(oneshot.settled).toBe(false);
  expect(await stateOf(oneshot.answer)).toBe('pending');
  expect(oneshot.settle('yes')).toBe(true);
  expect(oneshot.settled).toBe(true);
  expect(oneshot.settle('no')).toBe(false);
  expect(await oneshot.answer).toBe('yes');
});

test('a question is settled exactly once, however many answers come', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { minLength: 1 }), async (answers) => {
      const oneshot = new Oneshot<number>();
      const accepted = answers.filter((value) => oneshot.settle(value));
      expect(accepted).toEqual(answers.slice(0, 1));
      expect(await oneshot.answer).toBe(answers[0]);
    }),
  );
});

test('an answer finds its question by name', async () => {
  const registry = new ReplyRegistry<string, number>();
  const first = registry.ask('first');
  const second = registry.ask('second');
  expect(registry.size).toBe(2);
  expect(registry.settle('second', 2)).toBe(true);
  expect(registry.settle('first', 1)).toBe(true);
  expect(await Promise.all([first, second])).toEqual([1, 2]);
  expect(registry.size).toBe(0);
});

test('a late, second or misdirected answer finds nobody', async () => {
  const registry = new ReplyRegistry<string, number>();
  const answer = registry.ask('q');
  expect(registry.settle('other', 0)).toBe(false);
  expect(registry.settle('q', 1)).toBe(true);
  expect(registry.settle('q', 2)).toBe(false);
  expect(await answer).toBe(1);
});

test('two open questions cannot have the same name', () => {
  const registry = new ReplyRegistry<string, number>();
  void registry.ask('q');
  expect(() => registry.ask('q')).toThrow('a question named q is already open');
});

test('every question gets its own answer, whatever the order of the answers', async () => {
  const orders = fc
    .uniqueArray(fc.nat(), { maxLength: 30, size: 'max' })
    .chain((names) => fc.tuple(fc.constant(names), fc.shuffledSubarray(names)));
  await fc.assert(
    fc.asyncProperty(orders, async ([names, answered]) => {
      const registry = new ReplyRegistry<number, string>();
      const answers = new Map(names.map((name) => [name, registry.ask(name)]));
      for (const name of answered) expect(registry.settle(name, `answer ${name}`)).toBe(true);
      for (const name of answered) expect(registry.settle(name, 'late')).toBe(false);
      for (const name of answered) expect(await answers.get(name)).toBe(`answer ${name}`);
      expect(registry.size).toBe(names.length - answered.length);
    }),
  );
});
