import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reveal, sanitise, sanitiseLine } from '../../../tui/text/sanitise.js';

/** Any text, rich in what terminals react to. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\x1b',
        '\x1b[31m',
        '\x1b]0;title\x07',
        '\x1bP1;2q',
        '\x9b2J',
        '\x9d52;c;x\x9c',
        '\r',
        '\r\n',
        '\t',
        '\u202e',
        '\u200d',
        '\ufe0f',
        '\u0301',
        '\u{e0041}',
        '\u{1f468}',
        '\u{1f1e9}',
        '\ud800',
        '\u09c7',
        '\u09be',
        '中',
      ),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

const rows: readonly (readonly [string, string, string])[] = [
  ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
  ['cursor moves', 'a\x1b[2;5Hb\x1b[Kc', 'abc'],
  ['a title that ends with BEL', '\x1b]0;title\x07text', 'text'],
  ['a title that ends with ST', '\x1b]0;title\x1b\\text', 'text'],
  ['a hyperlink', '\x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\', 'here'],
  ['clipboard access', '\x1b]52;c;aGk=\x07done', 'done'],
  ['DCS, APC and PM', 'a\x1bPq#0\x1b\\b\x1b_Gx\x1b\\c\x1b^p\x1b\\d', 'abcd'],
  ['SS3 and character sets', '\x1bOAx\x1b(By', 'xy'],
  ['a reset', '\x1bcx', 'x'],
  ['8-bit sequences', '\x9b31mred\x9d0;title\x9c!', 'red!'],
  ['a sequence cut off at the end', 'text\x1b[31', 'text'],
  ['a title cut off at the end', 'text\x1b]0;ti', 'text'],
  ['a lone escape', 'text\x1b', 'text'],
  ['bells and backspaces', 'a\x07b\bc\0', 'abc'],
  ['direction changes and tags', 'a\u202eb\u2066c\u{e0041}d', 'abcd'],
  ['zero-width characters', 'a\u200bb\ufeffc\u00add', 'abcd'],
];

test.each(rows)('%s leave nothing behind', (_, text, shown) => {
  expect(sanitise(text)).toBe(shown);
});

test('a title without an end takes its own line only', () => {
  expect(sanitise('a\x1b]0;ti\nnext')).toBe('a\nnext');
});

test('what a carriage return would overwrite stays readable', () => {
  expect(sanitise('10%\r20%\r\ndone')).toBe('10%\n20%\ndone');
});

test('wrongly decoded quotation marks do not swallow the text between them', () => {
  expect(sanitise('say â\x80\x9dhiâ\x80\x9c now')).toBe('say âhiâ now');
});

test('tabs become spaces up to the next stop', () => {
  expect(sanitise('a\tb\n\tc\n中\td')).toBe('a   b\n    c\n中  d');
});

test('emoji, families, skin tones and flags take one cell each', () => {
  expect(sanitise('a🤖b👨‍👩‍👧c👍🏽d🇩🇪e✅f⚡g')).toBe('a*b*c*d*e*f*g');
});

test('one-cell signs stay, also when they ask for colour', () => {
  expect(sanitise('✓ ✗ → ─ █ © ⚠️ ❤')).toBe('✓ ✗ → ─ █ © ⚠ ❤');
});

test('letters keep their accents, and loose marks are removed', () => {
  expect(sanitise('e\u0301 x\u0301 ü')).toBe('é x ü');
});

test('one line shows where its line ends were', () => {
  expect(sanitiseLine('one\r\ntwo\nthree\n')).toBe('one⏎two⏎three');
});

test('nothing can hide in a revealed command', () => {
  expect(reveal('echo \x1b]0; ; rm -rf ~\x07')).toBe('echo \\u{1b}]0; ; rm -rf ~\\u{7}');
  expect(reveal('rm 🎉\u202e\nls')).toBe('rm \\u{1f389}\\u{202e}⏎ls');
});

test('no control character comes out but the newline, and nothing invisible', () => {
  const forbidden = /(?!\n)\p{Cc}|[\p{Cf}\p{M}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
  fc.assert(
    fc.property(hostile, (text) => {
      expect(sanitise(text)).not.toMatch(forbidden);
      expect(sanitiseLine(text)).not.toMatch(/\p{Cc}/u);
      expect(reveal(text)).not.toMatch(/\p{Cc}/u);
    }),
  );
});

test('sanitising twice changes nothing more', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const once = sanitise(text);
      expect(sanitise(once)).toBe(once);
      expect(sanitiseLine(sanitiseLine(text))).toBe(sanitiseLine(text));
    }),
    { numRuns: 1_000 },
  );
});
