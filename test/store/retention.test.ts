import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionId } from '../../messages/ids.js';
import { beyondRetention, type KeptSession } from '../../src/store/retention.js';

const DAY = 86_400_000;
const NOW = 1_000 * DAY;
const LIMITS = { days: 30, perWorkspace: 2, maxBytes: 100 };

const sessionOf = (id: string, change: Partial<KeptSession> = {}): KeptSession => ({
  id: id as SessionId,
  workspace: '/w',
  updatedAt: NOW,
  bytes: 1,
  isKept: false,
  ...change,
});

test('old ones go, then those beyond the number of a workspace, then the oldest until there is room', () => {
  const sessions = [
    sessionOf('old', { updatedAt: NOW - 31 * DAY }),
    sessionOf('third', { updatedAt: NOW - 3 * DAY }),
    sessionOf('second', { updatedAt: NOW - 2 * DAY, bytes: 60 }),
    sessionOf('first', { updatedAt: NOW - DAY, bytes: 60 }),
    sessionOf('elsewhere', { updatedAt: NOW - 20 * DAY, workspace: '/x', bytes: 30 }),
  ];
  expect(beyondRetention(sessions, LIMITS, NOW)).toEqual([
    { id: 'old', why: 'age' },
    { id: 'elsewhere', why: 'size' },
    { id: 'third', why: 'number' },
    { id: 'second', why: 'size' },
  ]);
});

const anySessions = fc.uniqueArray(fc.nat(50), { maxLength: 15 }).chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc.record({
        id: fc.constant(String(id) as SessionId),
        workspace: fc.constantFrom('/a', '/b'),
        updatedAt: fc.integer({ min: NOW - 60 * DAY, max: NOW }),
        bytes: fc.nat(60),
        isKept: fc.boolean(),
      }),
    ),
  ),
);

test('whatever there is: what is kept stays, and what remains is within the limits', () => {
  fc.assert(
    fc.property(anySessions, (sessions) => {
      const over = new Set(beyondRetention(sessions, LIMITS, NOW).map(({ id }) => id));
      const left = sessions.filter(({ id }) => !over.has(id));
      for (const { id, isKept } of sessions) if (isKept) expect(over.has(id)).toBe(false);
      const free = left.filter(({ isKept }) => !isKept);
      expect(free.every(({ updatedAt }) => NOW - updatedAt <= 30 * DAY)).toBe(true);
      const bytes = left.reduce((sum, one) => sum + one.bytes, 0);
      if (free.some((one) => one.bytes > 0)) expect(bytes).toBeLessThanOrEqual(100);
      for (const workspace of ['/a', '/b'])
        expect(free.filter((one) => one.workspace === workspace).length).toBeLessThanOrEqual(2);
    }),
  );
});
