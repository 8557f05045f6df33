import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSplitter } from '../../src/control/lines.js';

/** Lines as a client may send them: any text but LF, also of several bytes a character. */
const line = fc
  .string({ unit: 'binary', maxLength: 40 })
  .map((text) => Buffer.from(text.replaceAll('\n', '\u2028')).toString('utf8'));

const cutsOf = (bytes: Buffer, cuts: readonly number[]): Buffer[] => {
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
  at.sort((a, b) => a - b);
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
};

test('however the bytes are cut, the same lines come out', () => {
  fc.assert(
    fc.property(fc.array(line), line, fc.array(fc.nat(4_000)), (lines, unfinished, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join('') + unfinished);
      const splitter = new LineSplitter(4_000);
      const splits = cutsOf(bytes, cuts).map((chunk) => splitter.push(chunk));
      expect(splits.flatMap((split) => split.lines)).toEqual(lines);
      expect(splits.every((split) => split.kind === 'lines')).toBe(true);
    }),
  );
});

test('however the bytes are cut, a line that is too long ends the reading after those before it', () => {
  fc.assert(
    fc.property(fc.array(line), fc.array(line), fc.array(fc.nat(9_000)), (before, after, cuts) => {
      const all = [...before, 'x'.repeat(201), ...after];
      const bytes = Buffer.from(all.map((text) => `${text}\n`).join(''));
      const splitter = new LineSplitter(200);
      const splits = cutsOf(bytes, cuts).map((chunk) => splitter.push(chunk));
      expect(splits.flatMap((split) => split.lines)).toEqual(before);
      expect(splits.at(-1)?.kind).toBe('overflow');
    }),
  );
});

test('a line of exactly the largest size is read', () => {
  const splitter = new LineSplitter(5);
  expect(splitter.push(Buffer.from('12345\n'))).toEqual({ kind: 'lines', lines: ['12345'] });
  expect(splitter.push(Buffer.from('123456'))).toEqual({ kind: 'overflow', lines: [] });
  expect(splitter.push(Buffer.from('\nabc\n'))).toEqual({ kind: 'overflow', lines: [] });
});

test('a character cut in the middle stays whole, and separators other than LF do not end a line', () => {
  const splitter = new LineSplitter(100);
  const bytes = Buffer.from('a\u2028ü漢🙂\r\n');
  const lines = [...bytes].flatMap((byte) => splitter.push(Buffer.of(byte)).lines);
  expect(lines).toEqual(['a\u2028ü漢🙂\r']);
});
