import { expect, test } from 'vitest';
import { DEFAULTS, type Config } from '../../config/settings.js';
import { budgetChanges, budgetOf } from '../../src/cli/session-limits.js';

const configOf = (budget: Partial<Config['budget']> = {}): Config => ({
  ...DEFAULTS,
  budget: { ...DEFAULTS.budget, ...budget },
});
const paid = { model: 'gpt-4o', local: false, rehearsal: null };
const unknown = { model: 'nobody/knows', local: false, rehearsal: null };
const local = { model: 'qwen3:8b', local: true, rehearsal: null };

/** Session, day, month, tokens. */
const limits = (config: Config, server: typeof paid, headless = false) => {
  const { sessionUsd, dayUsd, monthUsd, sessionTokens } = budgetOf(config, server, headless);
  return [sessionUsd, dayUsd, monthUsd, sessionTokens];
};

test.each([
  ['a paid server in the background', {}, paid, false, [2, 5, 50, null]],
  ['a paid server in a pipeline', {}, paid, true, [2, null, null, null]],
  ['a server on this machine', {}, local, false, [null, null, null, null]],
  ['a model without a price', {}, unknown, false, [2, 5, 50, null]],
  ['the same with a limit of tokens', { sessionTokens: 9 }, unknown, false, [null, null, null, 9]],
  ['a limit of tokens with a price', { sessionTokens: 9 }, paid, false, [2, 5, 50, 9]],
  ['a higher limit than that of a day', { sessionCost: 70 }, paid, false, [70, 70, 70, null]],
  ['no limit', { sessionCost: 'none' }, paid, false, [null, null, null, null]],
  [
    'no limit but that of a day',
    { sessionCost: 'none', dayCost: 3 },
    paid,
    true,
    [null, 3, null, null],
  ],
  [
    'limits of a server that is free',
    { sessionCost: 1, monthCost: 2 },
    local,
    false,
    [1, null, 2, null],
  ],
] as const)('the limits of %s', (_, budget, server, headless, expected) => {
  expect(limits(configOf(budget), { ...server }, headless)).toEqual(expected);
});

test('a resumed session keeps its limits but for those the command line names', () => {
  const config = configOf({ sessionCost: 7, sessionTokens: 100 });
  expect(budgetChanges(config, () => false, true)).toEqual({});
  const byCost = (key: string): boolean => key === 'budget.session_cost';
  expect(budgetChanges(config, byCost, true)).toEqual({ budget: { sessionUsd: 7 } });
});

test('a session that goes on with another server has the limits of that one', () => {
  const config = {
    ...configOf(),
    model: { ...DEFAULTS.model, baseUrl: 'https://paid.example/v1' },
  };
  const { budget } = budgetChanges(config, (key) => key === 'model.base_url', false);
  expect(budget).toMatchObject({ sessionUsd: 2, dayUsd: 5 });
});
