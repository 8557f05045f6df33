import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth } from '../../../tui/text/sanitise.js';
import {
  edit,
  editorWith,
  insert,
  textOf,
  visiblePart,
  type LineEditor,
} from '../../../tui/view/line-editor.js';

/** The text with a bar at the cursor. */
const shown = ({ chars, cursor }: LineEditor): string =>
  `${chars.slice(0, cursor).join('')}|${chars.slice(cursor).join('')}`;

test.each([
  ['one two|', ['left'], 'one tw|o'],
  ['one two|', ['home', 'right'], 'o|ne two'],
  ['one two|', ['C-left'], 'one |two'],
  ['one two|', ['C-a', 'M-f'], 'one| two'],
  ['one two|', ['backspace'], 'one tw|'],
  ['one two|', ['C-w'], 'one |'],
  ['one two|', ['home', 'delete'], '|ne two'],
  ['one two|', ['C-left', 'C-u'], '|two'],
  ['one two|', ['C-left', 'C-k'], 'one |'],
  ['one two|', ['right', 'delete', 'f5'], 'one two|'],
  ['漢字|', ['left', 'backspace'], '|字'],
  ['a🤖|', ['backspace'], 'a|'],
])('%s after %j is %s', (before, keys, after) => {
  const start = editorWith(before.replace('|', ''));
  expect(shown(keys.reduce((editor, key) => edit(editor, key, ''), start))).toBe(after);
});

test('typed and pasted text goes to the cursor, without control characters', () => {
  const editor = edit(editorWith('ac'), 'left', '');
  expect(shown(insert(editor, 'b\x1b\x07\nB'))).toBe('ab\nB|c');
});

test('the cursor is always in sight, and the text before it fits', () => {
  const anyText = fc.string({ unit: fc.constantFrom('a', '漢', '\n', ' ', '🤖') });
  fc.assert(
    fc.property(anyText, fc.nat(30), fc.integer({ min: 3, max: 20 }), (text, back, cells) => {
      let editor = editorWith(text);
      for (let i = 0; i < back; i += 1) editor = edit(editor, 'left', '');
      const part = visiblePart(editor, cells);
      expect(part.cursor).toBeLessThan(cells);
      expect(displayWidth(part.text)).toBeGreaterThanOrEqual(part.cursor);
    }),
  );
});

test('any keys keep the cursor inside the text', () => {
  const keys = fc.constantFrom(
    'left',
    'right',
    'C-w',
    'C-k',
    'C-u',
    'backspace',
    'delete',
    'C-right',
    'home',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(keys, fc.constant('x'))), (typed) => {
      let editor = editorWith('start here');
      for (const key of typed) editor = edit(editor, key, key.length === 1 ? key : '');
      expect(editor.cursor).toBeGreaterThanOrEqual(0);
      expect(editor.cursor).toBeLessThanOrEqual(editor.chars.length);
      expect(Array.from(textOf(editor))).toHaveLength(editor.chars.length);
    }),
  );
});
