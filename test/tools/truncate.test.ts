import fc from 'fast-check';
import { expect, test } from 'vitest';
import { truncate, type Truncation } from '../../src/tools/truncate.js';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 3_000 }),
  fc.array(fc.string({ unit: 'grapheme', maxLength: 60 })).map((lines) => lines.join('\n')),
  fc.constantFrom('é', '漢', '😀', 'a\n').chain((unit) => fc.nat(1_500).map((n) => unit.repeat(n))),
);
const how: fc.Arbitrary<Truncation> = fc.oneof(
  fc.record({ kind: fc.constant('head' as const), maxBytes: fc.nat(2_000) }),
  fc.record({ kind: fc.constant('headLines' as const), maxLines: fc.nat(50) }),
  fc.record({
    kind: fc.constant('headAndTail' as const),
    tailRatio: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
);

test('a result is never over the limit and never holds half of a character', () => {
  fc.assert(
    fc.property(text, how, fc.nat(2_000), (full, strategy, maxBytes) => {
      const cut = truncate(full, strategy, maxBytes);
      expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(maxBytes);
      if (!full.includes('\uFFFD')) expect(cut.text).not.toContain('\uFFFD');
      if (!cut.truncated) expect(cut.text).toBe(full);
    }),
    { numRuns: 500 },
  );
});

const noLongerThan = (maxBytes: number): Truncation => ({ kind: 'head', maxBytes });

test('what fits is left alone', () => {
  expect(truncate('abc', noLongerThan(3), 100)).toEqual({ text: 'abc', truncated: false });
});

test('a head ends with a line and says how much there is', () => {
  const { text: cut } = truncate('line of text\n'.repeat(1000), noLongerThan(1000), 30_000);
  expect(cut).toMatch(
    /^(?:line of text\n)+\.\.\. \[output truncated: 13KB total, showing first 832 bytes\. Use offset\/limit for more\.\]$/,
  );
});

test('lines are counted', () => {
  const { text: cut } = truncate('a\nb\nc\n', { kind: 'headLines', maxLines: 2 }, 30_000);
  expect(cut).toBe(
    'a\nb\n... [output truncated: 6 bytes total, showing first 4 bytes. Use offset/limit for more.]',
  );
  const whole = truncate('a\nb', { kind: 'headLines', maxLines: 2 }, 30_000);
  expect(whole).toEqual({ text: 'a\nb', truncated: false });
});

test('head and tail are shared out and labelled', () => {
  const lines = Array.from({ length: 20_000 }, (_, n) => `${n}\n`).join('');
  const { text: cut } = truncate(lines, { kind: 'headAndTail', tailRatio: 0.4 }, 10_000);
  expect(cut).toMatch(/^\[first 6KB of output\]\n0\n1\n/);
  expect(cut).toMatch(/\n\.\.\. \[106KB total — 97KB omitted\] \.\.\.\n\[last 4KB of output\]\n/);
  expect(cut).toMatch(/\n19999\n$/);
});
