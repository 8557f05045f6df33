/**
 * How many terminal cells a text takes, and cutting, padding and wrapping by cells. Expects sanitised text:
 * there every character is one or two cells wide, and the screen library and the terminal agree on which.
 */

/** Wide in every terminal and in the screen library alike; what they disagree on, `sanitise` replaces. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f], // Hangul letters
  [0x2e80, 0x303e], // CJK radicals and punctuation
  [0x3040, 0xa4cf], // kana to Yi
  [0xac00, 0xd7a3], // Hangul syllables
  [0xf900, 0xfaff], // CJK compatibility
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60], // full-width forms
  [0xffe0, 0xffe6],
  [0x20000, 0x2fffd], // CJK extensions
  [0x30000, 0x3fffd],
];
const FIRST_WIDE = 0x1100;
/** Nothing in it needs a table. */
const NARROW_ONLY = /^[\x20-\x7e]*$/;
/** A line this narrow holds any one character. */
const NARROWEST = 2;

function charWidth(char: string): 1 | 2 {
  const code = char.codePointAt(0) ?? 0;
  return code >= FIRST_WIDE && WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

export function displayWidth(text: string): number {
  if (NARROW_ONLY.test(text)) return text.length;
  let cells = 0;
  for (const char of text) cells += charWidth(char);
  return cells;
}

/** The longest beginning that fits. Costs as much as what fits, however long the text is. */
function head(text: string, cells: number): string {
  let used = 0;
  let end = 0;
  for (const char of text) {
    used += charWidth(char);
    if (used > cells) break;
    end += char.length;
  }
  return text.slice(0, end);
}

/** At most that many cells; what was cut ends in `…`. */
export function cutWidth(text: string, cells: number): string {
  if (cells <= 0) return '';
  return displayWidth(text) <= cells ? text : `${head(text, cells - 1)}…`;
}

/** Like `cutWidth`, but keeps the end: of a path it says more than the beginning. */
export function cutStart(text: string, cells: number): string {
  if (cells <= 0) return '';
  if (displayWidth(text) <= cells) return text;
  const backwards = (one: string): string => Array.from(one).reverse().join('');
  return `…${backwards(head(backwards(text), cells - 1))}`;
}

/** Exactly that many cells: cut with `…`, or padded with spaces. */
export function fitWidth(text: string, cells: number): string {
  const cut = cutWidth(text, cells);
  return cut + ' '.repeat(Math.max(0, cells - displayWidth(cut)));
}

function wrapLine(line: string, cells: number): string[] {
  const lines: string[] = [];
  let rest = line;
  let full = head(rest, cells);
  while (full.length < rest.length) {
    const space = rest[full.length] === ' ' ? full.length : Math.max(0, full.lastIndexOf(' '));
    // Breaking inside the indentation would yield an empty line: then the word itself is broken.
    const end = full.slice(0, space).trim() === '' ? full.length : space;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).replace(/^ +/, '');
    full = head(rest, cells);
  }
  return rest === '' && lines.length > 0 ? lines : [...lines, rest];
}

/** Lines of at most that many cells, broken at spaces where there are any; at least one line. */
export function wrap(text: string, cells: number): string[] {
  const room = Math.max(NARROWEST, cells);
  return text.split('\n').flatMap((line) => wrapLine(line, room));
}
