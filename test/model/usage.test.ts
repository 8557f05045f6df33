import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readUsage } from '../../src/model/usage.js';

test('a cost counts only when it can be one', () => {
  const cost = (value: unknown) => readUsage({ prompt_tokens: 1, cost: value })?.costUsd;
  expect(cost(0.25)).toBe(0.25);
  expect(cost(0)).toBe(0);
  for (const broken of [-1, Number.NaN, Infinity, '0.25', null])
    expect(cost(broken)).toBeUndefined();
});

test('what is left out or cannot be true is 0, and nothing at all is null', () => {
  const none = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };
  expect(readUsage({ prompt_tokens: 3, completion_tokens: -7 })).toEqual({
    ...none,
    promptTokens: 3,
  });
  expect(readUsage({ completion_tokens: 4.7 })).toEqual({ ...none, completionTokens: 4 });
  for (const nothing of [undefined, null, [], {}, { prompt_tokens: 'many' }]) {
    expect(readUsage(nothing)).toBeNull();
  }
});

test('no numbers of a server make a count negative, or more cached than was sent', () => {
  const number = fc.oneof(fc.double(), fc.integer(), fc.constant(1e308), fc.jsonValue());
  fc.assert(
    fc.property(number, number, number, (prompt, completion, cached) => {
      const usage = readUsage({
        prompt_tokens: prompt,
        completion_tokens: completion,
        prompt_tokens_details: { cached_tokens: cached },
      });
      if (usage === null) return;
      const counts = [usage.promptTokens, usage.completionTokens, usage.cachedTokens];
      expect(counts.every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true);
      expect(usage.cachedTokens).toBeLessThanOrEqual(usage.promptTokens);
    }),
  );
});
