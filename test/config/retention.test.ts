import { expect, test } from 'vitest';
import { parseSize } from '../../config/byte-size.js';
import { RETENTION_SCHEMA, retentionOf } from '../../config/retention.js';

test.each([
  ['2GB', 2e9],
  ['1.5 mb', 1_500_000],
  ['500', 500],
  ['7b', 7],
  ['10TB', 1e13],
])('%s is %d bytes', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});

test.each(['', '0', '-1GB', '2GiB', 'GB', '1e9', '2000TB', '1 G B'])('%j is no amount', (text) => {
  expect(parseSize(text)).toBeNull();
});

test('what is not set has its default, and an amount is text or a number', () => {
  expect(retentionOf()).toEqual({ days: 30, perWorkspace: 20, maxBytes: 2_000_000_000 });
  expect(retentionOf(RETENTION_SCHEMA.parse({ days: 7, max_bytes: 5_000 }))).toEqual({
    ...{ days: 7, perWorkspace: 20, maxBytes: 5_000 },
  });
  expect(RETENTION_SCHEMA.safeParse({ max_bytes: 'much' }).success).toBe(false);
  expect(RETENTION_SCHEMA.safeParse({ per_workspace: 0 }).success).toBe(false);
});
