import type { Usage } from '../../messages/model.js';
import { expect, test } from 'vitest';
import { NO_TOTALS, withCall, withRound } from '../../actors/totals.js';
import { okOutcome, specOf, usageOf } from '../support/session-samples.js';

const scripted = specOf({ rehearsal: 'survey' });
const real = specOf({ rehearsal: null });
const priced = (costUsd: number) => ({ ...usageOf(10, 1), cachedTokens: 4, costUsd });

test('rounds and tokens add up', () => {
  const once = withRound(NO_TOTALS, priced(0.5), real);
  expect(withRound(once, usageOf(5, 2), real)).toMatchObject({
    rounds: 2,
    promptTokens: 15,
    completionTokens: 3,
    cachedTokens: 4,
  });
});

test('a round without reported tokens is a round all the same', () => {
  expect(withRound(NO_TOTALS, null, real)).toMatchObject({ rounds: 1, promptTokens: 0 });
});

test('a scripted server costs nothing', () => {
  expect(withRound(NO_TOTALS, usageOf(10, 1), scripted).costUsd).toBe(0);
  expect(withRound(NO_TOTALS, null, scripted).costUsd).toBe(0);
});

test('a server on this machine costs nothing', () => {
  const local = specOf({ rehearsal: null, local: true });
  expect(withRound(NO_TOTALS, usageOf(10, 1), local).costUsd).toBe(0);
});

test('what the server says it costs adds up', () => {
  const once = withRound(NO_TOTALS, priced(0.25), real);
  expect(withRound(once, priced(0.5), real).costUsd).toBe(0.75);
});

test('one unknown price makes the sum unknown for good', () => {
  const unknown = withRound(withRound(NO_TOTALS, priced(0.25), real), usageOf(10, 1), real);
  expect(unknown.costUsd).toBeNull();
  expect(withRound(unknown, priced(0.5), real).costUsd).toBeNull();
});

test('before the first round nothing was spent', () => {
  expect(NO_TOTALS.costUsd).toBe(0);
});

test('calls are counted, and the denied ones apart', () => {
  const once = withCall(NO_TOTALS, okOutcome(), real);
  const twice = withCall(once, { status: 'denied', rule: 'default', text: '' }, real);
  expect([twice.toolCalls, twice.denials]).toEqual([2, 1]);
});

test('what a tool asked of a model costs tokens and money, and is no round', () => {
  const use = (usage: Usage | null) => ({ model: 'small', usage });
  const outcome = { ...okOutcome(), modelUse: [use({ ...usageOf(100, 7), costUsd: 0.5 })] };
  expect(withCall(NO_TOTALS, outcome, real)).toMatchObject({
    rounds: 0,
    toolCalls: 1,
    promptTokens: 100,
    completionTokens: 7,
    costUsd: 0.5,
  });
  const unpriced = { ...okOutcome(), modelUse: [use(usageOf(1, 1)), use(null)] };
  expect(withCall(NO_TOTALS, unpriced, real)).toMatchObject({ promptTokens: 1, costUsd: null });
  expect(withCall(NO_TOTALS, unpriced, specOf({ local: true })).costUsd).toBe(0);
});
