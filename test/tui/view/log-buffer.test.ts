import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LOG_TAIL } from '../../../messages/snapshot.js';
import {
  EMPTY_LOG,
  KEPT_CHARACTERS,
  KEPT_ENTRIES,
  withNew,
  type LogBuffer,
} from '../../../tui/view/log-buffer.js';
import { entries, entry } from '../example-session.js';

const numbers = ({ entries: kept }: LogBuffer): number[] => kept.map(({ n }) => n);

test('entries are taken once, however often a snapshot repeats them', () => {
  const first = withNew(EMPTY_LOG, entries(3));
  const second = withNew(first, entries(5));
  expect(numbers(second)).toEqual([1, 2, 3, 4, 5]);
  expect(second.entries[0]).toBe(first.entries[0]);
  expect(withNew(second, entries(5))).toBe(second);
});

test('entries that went by unseen are mentioned where they are missing', () => {
  const log = withNew(withNew(EMPTY_LOG, entries(3)), [entry(10, 'ten')]);
  expect(numbers(log)).toEqual([1, 2, 3, 9, 10]);
  expect(log.entries[3]).toMatchObject({
    kind: 'notice',
    text: expect.stringContaining('6 entries') as string,
  });
});

test('attaching late is no gap', () => {
  expect(numbers(withNew(EMPTY_LOG, [entry(500, 'x')]))).toEqual([500]);
});

test('the oldest entries make room for new ones', () => {
  let log = EMPTY_LOG;
  for (let n = 1; n <= KEPT_ENTRIES + 50; n += 50) {
    log = withNew(
      log,
      Array.from({ length: 50 }, (_, i) => entry(n + i, 'x')),
    );
  }
  expect(log.entries).toHaveLength(KEPT_ENTRIES);
  expect(log.entries.at(-1)?.n).toBe(KEPT_ENTRIES + 50);
});

test('long entries are bounded by their size, but what a snapshot holds is kept', () => {
  const size = KEPT_CHARACTERS / LOG_TAIL;
  const log = Array.from({ length: LOG_TAIL * 2 }, (_, i) => entry(i + 1, 'x'.repeat(size)));
  const kept = withNew(withNew(EMPTY_LOG, log.slice(0, LOG_TAIL)), log.slice(LOG_TAIL));
  expect(kept.entries).toHaveLength(LOG_TAIL);
  expect(kept.entries.at(-1)).toBe(log.at(-1));
});

test('numbers always rise and the count of characters is right', () => {
  const windows = fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 20 })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(windows, (steps) => {
      let log = EMPTY_LOG;
      let last = 0;
      for (const [advance, length] of steps) {
        last += advance;
        const from = Math.max(1, last - length + 1);
        log = withNew(
          log,
          Array.from({ length: Math.max(0, last - from + 1) }, (_, i) => entry(from + i, 'xy')),
        );
      }
      const kept = numbers(log);
      expect(kept.every((n, i) => i === 0 || n > (kept[i - 1] ?? 0))).toBe(true);
      expect(log.characters).toBe(log.entries.reduce((sum, { text }) => sum + text.length, 0));
    }),
  );
});
