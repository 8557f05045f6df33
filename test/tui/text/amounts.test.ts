import { expect, test } from 'vitest';
import { count, dollars, duration, plural } from '../../../tui/text/amounts.js';

test.each([
  [-5, '0ms'],
  [999, '999ms'],
  [1_250, '1.2s'],
  [9_999, '9.9s'],
  [59_999, '59s'],
  [184_000, '3m04s'],
  [7_500_000, '2h05m'],
  [47 * 3_600_000, '47h00m'],
  [3 * 86_400_000, '3d'],
])('%i milliseconds read as %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test('counts are grouped, and one is not many', () => {
  expect([count(999), count(1_234_567)]).toEqual(['999', '1,234,567']);
  expect([plural(1, 'round'), plural(2, 'round')]).toEqual(['1 round', '2 rounds']);
});

test('an unknown price is never shown as nothing', () => {
  expect([dollars(null), dollars(0), dollars(0.0012), dollars(1.5)]).toEqual([
    'unknown',
    '$0.00',
    '$0.0012',
    '$1.50',
  ]);
});
