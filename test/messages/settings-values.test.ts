/** What may be set under way is what may be set at the start. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KEYS } from '../../config/schema.js';
import { parseDuration } from '../../config/duration.js';
import * as setting from '../../messages/settings-values.js';

const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.constantFrom(0, 1, 0.01, 1_000_000, 1_000_001, 1_000_000_000_000, 1_000_000_000_001),
);
const text = fc.oneof(fc.string(), fc.constantFrom('a', 'a b', 'x'.repeat(200), 'x'.repeat(201)));

test.each([
  ['model.name', setting.isModelName, text],
  ['budget.max_rounds', setting.isRounds, number],
  ['budget.session_tokens', setting.isTokens, number],
  ['budget.session_cost', setting.isDollars, number],
  ['permissions.mode', setting.isPermissionMode, fc.constantFrom('plan', 'bypass', 'Plan', '')],
] as const)('%s takes the same values in a file', (key, accepts, values) => {
  const schema = KEYS.get(key);
  fc.assert(
    fc.property(values as fc.Arbitrary<unknown>, (value) => {
      expect(accepts(value)).toBe(schema?.safeParse(value).success);
    }),
  );
});

test('every duration is a limit of time', () => {
  for (const typed of ['1ms', '45s', '1h30m', '366d']) {
    expect(setting.isTimeMs(parseDuration(typed))).toBe(true);
  }
  expect([0, 0.5, -1, null, 367 * 86_400_000].some(setting.isTimeMs)).toBe(false);
});

test('a name is one line with something on it', () => {
  expect(['a', 'night run', 'x'.repeat(200)].every(setting.isName)).toBe(true);
  expect(
    ['', ' ', 'a\nb', 'a\u001b[31m', 'a\u2028b', 'x'.repeat(201), 5].some(setting.isName),
  ).toBe(false);
});
