/**
 * Counts in a text what tokenizers make tokens of: words, digits, punctuation, gaps, wide characters. One
 * pass, nothing allocated per character. The estimate of tokens is a weighted sum of these counts.
 */

/** How often each kind of piece occurs in a text. */
export interface Measure {
  /** Runs of letters; a capital after a small letter begins a new one. */
  readonly words: number;
  /** Letters beyond the seventh of a word: rare words and encoded data are cut into more tokens. */
  readonly longLetters: number;
  /** Runs of digits; each third digit ends one. */
  readonly digits: number;
  /** ASCII punctuation; a repeated mark counts less, since rules and borders become one token. */
  readonly marks: number;
  /** Line ends, and gaps of two or more blanks. */
  readonly gaps: number;
  /** Chinese, Japanese and Korean characters. */
  readonly wide: number;
  /** Everything else, in UTF-16 units. */
  readonly other: number;
}

export type Piece = keyof Measure;

export const PIECES: readonly Piece[] = [
  'words',
  'longLetters',
  'digits',
  'marks',
  'gaps',
  'wide',
  'other',
];

const NOTHING: Measure = {
  words: 0,
  longLetters: 0,
  digits: 0,
  marks: 0,
  gaps: 0,
  wide: 0,
  other: 0,
};

const WORD_LETTERS = 7;
const DIGITS = 3;
const REPEATED_MARK = 0.15;
const NEWLINE = 10;

type CharKind = 'letter' | 'digit' | 'blank' | 'mark' | 'wide' | 'other';

export function measure(text: string): Measure {
  const counts = { ...NOTHING };
  let before: CharKind | null = null;
  let last = -1;
  let run = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    const kind = kindOf(code);
    run = kind === before && !(isCapital(code) && isSmall(last)) ? run + 1 : 1;
    switch (kind) {
      case 'letter':
        if (run === 1) counts.words += 1;
        if (run > WORD_LETTERS) counts.longLetters += 1;
        break;
      case 'digit':
        if (run % DIGITS === 1) counts.digits += 1;
        break;
      case 'blank':
        if (run === 2 || (run === 1 && code === NEWLINE)) counts.gaps += 1;
        break;
      case 'mark':
        counts.marks += code === last ? REPEATED_MARK : 1;
        break;
      case 'wide':
      case 'other':
        counts[kind] += 1;
    }
    before = kind;
    last = code;
  }
  return counts;
}

export function sum(measures: Iterable<Measure>): Measure {
  const counts = { ...NOTHING };
  for (const one of measures) for (const piece of PIECES) counts[piece] += one[piece];
  return counts;
}

const isSmall = (code: number): boolean => code >= 97 && code <= 122;
const isCapital = (code: number): boolean => code >= 65 && code <= 90;

function kindOf(code: number): CharKind {
  if (isSmall(code) || isCapital(code)) return 'letter';
  if (code >= 48 && code <= 57) return 'digit';
  if (code === 32 || (code >= 9 && code <= 13)) return 'blank';
  if (code < 128) return 'mark';
  // Latin letters with accents.
  if (code >= 0xc0 && code < 0x250) return 'letter';
  if (code >= 0xff00 || (code >= 0xf900 && code < 0xfb00)) return 'wide';
  return code >= 0x2e80 && code < 0xd7b0 ? 'wide' : 'other';
}
