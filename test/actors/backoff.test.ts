import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWorthWaiting, retryDelay, retryDelayMs } from '../../actors/backoff.js';

test('delays double, are spread, and stop growing', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7].map((attempt) => retryDelayMs(attempt));
  expect(delays).toEqual([375, 900, 1_200, 3_400, 6_000, 7_200, 4_800]);
});

test('what the server asked for wins, up to a minute', () => {
  expect(retryDelayMs(1, 0)).toBe(0);
  expect(retryDelayMs(3, 2_500)).toBe(2_500);
  expect(retryDelayMs(1, 3_600_000)).toBe(60_000);
  expect(retryDelayMs(1, undefined)).toBe(375);
});

test('a wait that makes no sense counts as none', () => {
  expect(retryDelayMs(1, Number.NaN)).toBe(375);
  expect(retryDelayMs(1, -1)).toBe(375);
});

test('no attempt waits longer than eight seconds by itself', () => {
  fc.assert(
    fc.property(fc.nat(), (attempt) => {
      const delay = retryDelayMs(attempt);
      expect(delay).toBeGreaterThan(0);
      expect(delay).toBeLessThanOrEqual(8_000);
    }),
  );
});

test('a model that said nothing is asked again after half a second more each time', () => {
  const empty = { kind: 'empty', message: '' } as const;
  expect([1, 2, 3].map((attempt) => retryDelay(attempt, empty))).toEqual([500, 1_000, 1_500]);
  expect(retryDelay(1, { kind: 'server', message: '', retryAfterMs: 2_000 })).toBe(2_000);
});

test.each([
  [undefined, true],
  [0, true],
  [60_000, true],
  [60_001, false],
])('whether a wait of %s is taken between attempts: %s', (ms, worth) => {
  expect(isWorthWaiting(ms)).toBe(worth);
});
