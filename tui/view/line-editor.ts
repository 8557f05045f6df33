/** A one-line text field as a value: text, cursor, and what each key makes of them. Line ends may be pasted. */
import { displayWidth, sanitiseLine } from '../text/sanitise.js';

export interface LineEditor {
  /** One element a character, so that the cursor never stands inside one. */
  readonly chars: readonly string[];
  /** Between 0 and `chars.length`. */
  readonly cursor: number;
}

export const EMPTY_LINE: LineEditor = { chars: [], cursor: 0 };

export const textOf = (editor: LineEditor): string => editor.chars.join('');

export const editorWith = (text: string): LineEditor => insert(EMPTY_LINE, text);

/** Control characters other than line ends and tabs have no place in what a person says. */
const isTypable = (char: string): boolean =>
  char === '\n' || char === '\t' || (char >= ' ' && !(char >= '\x7f' && char <= '\x9f'));

export function insert({ chars, cursor }: LineEditor, text: string): LineEditor {
  const added = Array.from(text).filter(isTypable);
  return {
    chars: [...chars.slice(0, cursor), ...added, ...chars.slice(cursor)],
    cursor: cursor + added.length,
  };
}

function removed({ chars }: LineEditor, from: number, to: number): LineEditor {
  return { chars: [...chars.slice(0, from), ...chars.slice(to)], cursor: from };
}

function wordStart({ chars, cursor }: LineEditor): number {
  let at = cursor;
  while (at > 0 && chars[at - 1]?.trim() === '') at -= 1;
  while (at > 0 && chars[at - 1]?.trim() !== '') at -= 1;
  return at;
}

function wordEnd({ chars, cursor }: LineEditor): number {
  let at = cursor;
  while (at < chars.length && chars[at]?.trim() === '') at += 1;
  while (at < chars.length && chars[at]?.trim() !== '') at += 1;
  return at;
}

const moved = (editor: LineEditor, to: number): LineEditor => ({
  ...editor,
  cursor: Math.min(editor.chars.length, Math.max(0, to)),
});

const EDITS: Readonly<Record<string, (editor: LineEditor) => LineEditor>> = {
  left: (e) => moved(e, e.cursor - 1),
  right: (e) => moved(e, e.cursor + 1),
  home: (e) => moved(e, 0),
  end: (e) => moved(e, e.chars.length),
  'C-a': (e) => moved(e, 0),
  'C-e': (e) => moved(e, e.chars.length),
  'C-b': (e) => moved(e, e.cursor - 1),
  'C-f': (e) => moved(e, e.cursor + 1),
  'C-left': (e) => moved(e, wordStart(e)),
  'M-left': (e) => moved(e, wordStart(e)),
  'M-b': (e) => moved(e, wordStart(e)),
  'C-right': (e) => moved(e, wordEnd(e)),
  'M-right': (e) => moved(e, wordEnd(e)),
  'M-f': (e) => moved(e, wordEnd(e)),
  backspace: (e) => removed(e, Math.max(0, e.cursor - 1), e.cursor),
  delete: (e) => removed(e, e.cursor, e.cursor + 1),
  'C-w': (e) => removed(e, wordStart(e), e.cursor),
  'M-backspace': (e) => removed(e, wordStart(e), e.cursor),
  'C-u': (e) => removed(e, 0, e.cursor),
  'C-k': (e) => ({ ...e, chars: e.chars.slice(0, e.cursor) }),
};

/** A key that edits nothing leaves the editor as it is. */
export function edit(editor: LineEditor, key: string, text: string): LineEditor {
  const change = EDITS[key];
  if (change !== undefined) return change(editor);
  return text === '' ? editor : insert(editor, text);
}

/** The part around the cursor that fits, as shown, and the cell the cursor stands on. */
export function visiblePart(editor: LineEditor, cells: number): { text: string; cursor: number } {
  const room = Math.max(1, cells - 1);
  const shown = editor.chars.map((char) => (char === '\n' ? '⏎' : sanitiseLine(char)));
  let from = editor.cursor;
  let before = 0;
  while (from > 0 && before + displayWidth(shown[from - 1] ?? '') <= room) {
    from -= 1;
    before += displayWidth(shown[from] ?? '');
  }
  return { text: shown.slice(from).join(''), cursor: before };
}
