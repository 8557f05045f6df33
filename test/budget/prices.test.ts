import { expect, test } from 'vitest';
import type { Prices } from '../../messages/budget.js';
import type { Usage } from '../../messages/model.js';
import { costOf, highestCost, priceList } from '../../src/budget/prices.js';

const builtIn = priceList({}, false);

test.each([
  ['anthropic/claude-sonnet-4', 3, 15],
  ['claude-sonnet-4-20250514', 3, 15],
  ['anthropic/claude-opus-4.1', 15, 75],
  ['claude-opus-4-1-20250805', 15, 75],
  ['claude-3-opus-20240229', 15, 75],
  ['claude-opus-4-5', 5, 25],
  ['anthropic/claude-3-haiku', 0.25, 1.25],
  ['gpt-4o-mini', 0.15, 0.6],
  ['openai/GPT-4o-mini-2024-07-18', 0.15, 0.6],
  ['gpt-4o', 2.5, 10],
  ['gpt-4o-2024-08-06', 2.5, 10],
  ['o1', 15, 60],
  ['o1-preview', 15, 60],
  ['gemini-1.5-flash-latest', 0.075, 0.3],
  ['google/gemini-1.5-pro', 1.25, 5],
  ['deepseek/deepseek-chat', 0.27, 1.1],
])('the list price of %s', (model, input, output) => {
  const price = builtIn.priceOf(model);
  expect(price === null ? [null, null] : [price.input, price.output]).toEqual([input, output]);
});

test.each(['gpt-4o-realtime', 'gpt-5-pro', 'foo1', 'my-gpt-4o', 'claude', '', 'o1x', 'qwen3:8b'])(
  'a model that is not listed has no price: "%s"',
  (model) => {
    expect(builtIn.priceOf(model)).toBeNull();
  },
);

const configured: Prices = {
  '*': { input: 1, output: 1 },
  'openrouter/*': { input: 2, output: 2 },
  'openrouter/big*': { input: 3, output: 3 },
  'gpt-4o': { input: 4, output: 4 },
  'a.b': { input: 5, output: 5 },
};

test.each([
  ['anything', 1],
  ['openrouter/small', 2],
  ['openrouter/bigger', 3],
  ['openai/gpt-4o-2024-08-06', 4],
  ['GPT-4o', 4],
  ['claude-sonnet-4', 1],
  ['axb', 1],
  ['a.b', 5],
])('the longest of the configured prices counts, before the built-in ones: %s', (model, input) => {
  expect(priceList(configured, false).priceOf(model)?.input).toBe(input);
});

test('a server on this machine costs nothing, unless the configuration says so', () => {
  expect(priceList({}, true).priceOf('gpt-4o')).toEqual({ input: 0, output: 0 });
  expect(priceList({ 'gpt-4o': { input: 1, output: 2 } }, true).priceOf('gpt-4o')?.output).toBe(2);
});

const usage = (part: Partial<Usage> = {}): Usage => ({
  promptTokens: 1_000_000,
  completionTokens: 100_000,
  cachedTokens: 0,
  ...part,
});
const price = { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 };

test.each([
  ['plain tokens', usage(), price, 4.5],
  ['cached tokens', usage({ cachedTokens: 500_000 }), price, 1.5 + 0.15 + 1.5],
  ['written tokens', usage({ cacheWriteTokens: 1_000_000 }), price, 3.75 + 1.5],
  ['no price for cached ones', usage({ cachedTokens: 500_000 }), { input: 3, output: 15 }, 4.5],
  ['more cached than there are', usage({ cachedTokens: 9_000_000 }), price, 0.3 + 1.5],
  ['what the server says', usage({ costUsd: 0.07 }), price, 0.07],
  ['what the server says of an unknown model', usage({ costUsd: 0.07 }), null, 0.07],
  ['an unknown model', usage(), null, null],
])('the cost of %s', (_, used, by, expected) => {
  const cost = costOf(used, by);
  if (expected === null) expect(cost).toBeNull();
  else expect(cost).toBeCloseTo(expected, 10);
});

test('no use of so many tokens costs more than the highest cost', () => {
  const highest = highestCost(price, 1_000_000, 100_000);
  for (const part of [{}, { cachedTokens: 400_000 }, { cacheWriteTokens: 1_000_000 }]) {
    expect(costOf(usage(part), price)).toBeLessThanOrEqual(highest);
  }
});
