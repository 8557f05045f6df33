import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LogEntry } from '../../../messages/snapshot.js';
import { lineCount, plainText } from '../plain-text.js';
import {
  foldTarget,
  scrolled,
  visibleLines,
  type LogPosition,
  type LogView,
} from '../../../tui/view/log-window.js';
import { entries, entry } from '../example-session.js';

const view = (log: readonly LogEntry[], rows = 5, expanded: number[] = []): LogView => ({
  entries: log,
  rows,
  width: 30,
  expanded: new Set(expanded),
});

const texts = (shown: LogView, position: LogPosition | null): string[] =>
  visibleLines(shown, position).map(({ line }) => plainText([line]).trim());

const long = (n: number, lines: number): LogEntry =>
  entry(n, Array.from({ length: lines }, (_, i) => `${n}.${i + 1}`).join('\n'), { kind: 'result' });

test('following shows the end', () => {
  expect(texts(view(entries(9), 3), null)).toEqual(['● entry 7', '● entry 8', '● entry 9']);
});

test('a position stays on its entry while others arrive', () => {
  const position = scrolled(view(entries(9), 3), null, -2);
  expect(texts(view(entries(9), 3), position)).toEqual(['● entry 5', '● entry 6', '● entry 7']);
  expect(texts(view(entries(20), 3), position)).toEqual(['● entry 5', '● entry 6', '● entry 7']);
});

test('scrolling down to the end follows again, and up stops at the beginning', () => {
  const shown = view(entries(9), 3);
  expect(scrolled(shown, { n: 5, line: 0 }, 2)).toBeNull();
  expect(scrolled(shown, { n: 5, line: 0 }, Infinity)).toBeNull();
  expect(scrolled(shown, null, -100)).toEqual({ n: 1, line: 0 });
});

test('a log that fits cannot be scrolled', () => {
  expect(scrolled(view(entries(3), 5), null, -1)).toBeNull();
  expect(scrolled(view([], 5), null, -1)).toBeNull();
});

test('a position whose entry is gone is the next entry there is', () => {
  expect(texts(view(entries(9).slice(4), 2), { n: 2, line: 7 })[0]).toBe('● entry 5');
});

test('a long entry is shortened until it is expanded', () => {
  expect(texts(view([long(1, 9)], 20), null)).toEqual([
    '✓ 1.1',
    '1.2',
    '1.3',
    '1.4',
    '… 5 more lines',
  ]);
  expect(texts(view([long(1, 9)], 20, [1]), null)).toHaveLength(10);
});

test('the expand key means the newest long entry at the end, the first one in sight elsewhere', () => {
  const shown = view([long(1, 9), ...entries(20).slice(1, 3), long(4, 9), long(5, 9)], 11);
  expect(foldTarget(shown, null)?.n).toBe(5);
  expect(foldTarget(shown, { n: 1, line: 0 })?.n).toBe(1);
  expect(foldTarget(view(entries(3)), null)).toBeNull();
});

test('a position beyond the end, since lines have gone, shows the end', () => {
  const shown = view([long(1, 9), long(2, 9)], 4);
  expect(texts(shown, { n: 2, line: 4 })).toEqual(texts(shown, null));
});

const anyLog = fc
  .array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 30 })
  .map((heights) => heights.map((height, index) => long(index + 1, height)));

test('the window is full whenever there is enough to show', () => {
  fc.assert(
    fc.property(
      anyLog,
      fc.integer({ min: 1, max: 15 }),
      fc.array(fc.integer({ min: -9, max: 9 })),
      (log, rows, moves) => {
        const shown = view(log, rows);
        let position: LogPosition | null = null;
        for (const move of moves) position = scrolled(shown, position, move);
        expect(visibleLines(shown, position)).toHaveLength(Math.min(rows, lineCount(shown)));
      },
    ),
  );
});

test('going up and down by the same number of lines returns to the same place', () => {
  fc.assert(
    fc.property(
      anyLog,
      fc.integer({ min: 1, max: 8 }),
      fc.nat(40),
      fc.nat(40),
      (log, rows, first, move) => {
        const shown = view(log, rows);
        const from = scrolled(shown, null, -first);
        const there = scrolled(shown, from, -move);
        // At the beginning there is nothing further up to come back from.
        if (there?.n === 1 && there.line === 0) return;
        expect(scrolled(shown, there, move)).toEqual(from);
      },
    ),
  );
});
