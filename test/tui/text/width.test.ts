import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cutStart,
  cutWidth,
  displayWidth,
  fitWidth,
  sanitise,
  wrap,
} from '../../../tui/text/sanitise.js';

const shown = fc
  .array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('中', '文字', ' ', 'word ', 'é')))
  .map((parts) => sanitise(parts.join('')));
const line = shown.map((text) => text.replaceAll('\n', ' '));
const cells = fc.integer({ min: 0, max: 60 });

test('CJK and full-width forms take two cells, everything else one', () => {
  expect(displayWidth('abc')).toBe(3);
  expect(displayWidth('中文')).toBe(4);
  expect(displayWidth('ＡB한')).toBe(5);
  expect(displayWidth('é─✓')).toBe(3);
});

test('a fitted text is padded, or cut with an ellipsis', () => {
  expect(fitWidth('abc', 5)).toBe('abc  ');
  expect(fitWidth('abcdef', 5)).toBe('abcd…');
  expect(fitWidth('abc', 0)).toBe('');
});

test('a wide character is never split', () => {
  expect(fitWidth('中文字', 4)).toBe('中… ');
  expect(cutWidth('中文字', 5)).toBe('中文…');
});

test('a fitted text has exactly the width that was asked for', () => {
  fc.assert(
    fc.property(line, cells, (text, width) => {
      expect(displayWidth(fitWidth(text, width))).toBe(width);
    }),
  );
});

test('lines break at spaces, and inside a word only when it is longer than a line', () => {
  expect(wrap('the quick brown fox', 9)).toEqual(['the quick', 'brown fox']);
  expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
  expect(wrap('a\n\nb', 10)).toEqual(['a', '', 'b']);
  expect(wrap('  indented text', 10)).toEqual(['  indented', 'text']);
  expect(wrap('', 10)).toEqual(['']);
});

test('wrapped lines are never wider than the room, and lose nothing but spaces', () => {
  const solid = (text: string): string => text.replace(/\s/g, '');
  fc.assert(
    fc.property(shown, fc.integer({ min: 2, max: 40 }), (text, width) => {
      const lines = wrap(text, width);
      expect(lines.every((one) => displayWidth(one) <= width)).toBe(true);
      expect(solid(lines.join(''))).toBe(solid(text));
    }),
  );
});

test('of a path the end is kept', () => {
  expect(cutStart('/home/me/project', 8)).toBe('…project');
  expect(cutStart('/a/中文', 5)).toBe('…中文');
  expect(cutStart('short', 8)).toBe('short');
});
