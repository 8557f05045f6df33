import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editText } from '../../src/tools/text-edit.js';

const edited = (file: string, oldText: string, newText: string, replaceAll = false): string => {
  const result = editText(Buffer.from(file), { oldText, newText, replaceAll });
  return result.kind === 'edited' ? result.bytes.toString() : result.kind;
};

const bytes = fc.uint8Array({ maxLength: 200 }).map((all) => Buffer.from(all));
/** Occurs in nothing that random bytes hold. */
const MARK = '«only here, and at length»';

test('everything outside of the match keeps its bytes', () => {
  fc.assert(
    fc.property(bytes, bytes, fc.string(), (before, after, newText) => {
      const file = Buffer.concat([before, Buffer.from(MARK), after]);
      const result = editText(file, { oldText: MARK, newText, replaceAll: false });
      if (result.kind !== 'edited') throw new Error(result.kind);
      expect(result.bytes.subarray(0, before.length)).toEqual(before);
      expect(result.bytes.subarray(result.bytes.length - after.length)).toEqual(after);
      const middle = result.bytes.subarray(before.length, result.bytes.length - after.length);
      const asWritten = newText.replace(/\r?\n/g, '\n');
      expect(middle.toString().replace(/\r?\n/g, '\n')).toBe(Buffer.from(asWritten).toString());
    }),
  );
});

test('replacing every match is what splitting and joining does', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n'), maxLength: 40 });
  fc.assert(
    fc.property(text, text, text, (file, oldText, newText) => {
      fc.pre(oldText !== '' && file.includes(oldText));
      expect(edited(file, oldText, newText, true)).toBe(file.split(oldText).join(newText));
    }),
  );
});

test('lines of a match with other indentation are replaced, their neighbours are not', () => {
  const line = fc.string({ unit: fc.constantFrom('x', 'y', 'z', '\t'), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(line), fc.array(line), (before, after) => {
      const file = [...before, '\t\tif (q) {', '\t\t\tgo();', '\t\t}', ...after].join('\n');
      const expected = [...before, '\t\tif (r) {', '\t\t\tgo();', '\t\t}', ...after].join('\n');
      const wanted = '  if (q) {\n    go();\n  }';
      expect(edited(file, wanted, wanted.replace('q', 'r'))).toBe(expected);
    }),
  );
});

test.each([
  ['  a\n', 'a\n', 'b\n', '  b\n'],
  ['\ta\n\tb', '    a\n    b', '    c\n    d', '\tc\n\td'],
  ['\ta\r\n\tb\r\n', ' a\n b\n', ' c\n', '\tc\r\n'],
  ['  a\n\n  b\n', 'a\n\nb', 'a\nb', '  a\n  b\n'],
])('in %j, %j becomes %j: %j', (file, oldText, newText, expected) => {
  expect(edited(file, oldText, newText)).toBe(expected);
});

test('a dollar sign in the new text has no meaning', () => {
  expect(edited('a', 'a', '$& $1 $$')).toBe('$& $1 $$');
});

test('text that occurs nowhere is not found, and blank lines alone are no match', () => {
  expect(edited('a\n', 'b', 'c')).toBe('not-found');
  expect(edited('a\n  \nb', ' \t\n', 'c')).toBe('not-found');
});

test('lines with carriage returns in a file that mostly has none keep theirs', () => {
  expect(edited('a\nb\nc\r\nd\n', 'b', 'x\ny')).toBe('a\nx\ny\nc\r\nd\n');
});
