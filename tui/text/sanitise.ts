/**
 * Makes foreign text (of models, tools, files, people) safe to print. Promise: what comes out holds no
 * control character but the newline, nothing invisible, and nothing whose width the screen library and the
 * terminal could disagree on. Only for showing: the journal keeps the exact text.
 */
import { displayWidth } from './width.js';

export { cutStart, cutWidth, displayWidth, fitWidth, wrap } from './width.js';

/** Already as it should be: spares most text the passes below. */
const PLAIN = /^[\x20-\x7e\n]*$/;

const LINE_ENDS = /\r+\n|[\r\v\f\u2028\u2029]+/g;

/**
 * Escape sequences, whole or cut off. A string sequence that never ends takes the rest of its line, but not
 * when its introducer is a single 8-bit character: wrongly decoded quotation marks look the same.
 */
const ESCAPES = new RegExp(
  [
    String.raw`\x1b[PX\]^_][^\x07\x1b\x80-\x9f\n]*(?:\x07|\x1b\\|\x9c)?`, // DCS SOS OSC PM APC
    String.raw`(?:\x9d\d*;|[\x90\x98\x9e\x9f])[^\x07\x1b\x80-\x9f\n]*(?:\x07|\x1b\\|\x9c)`,
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?`, // CSI
    String.raw`(?:\x1b[NO]|[\x8e\x8f])[ -~]?`, // SS2 SS3
    String.raw`\x1b[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);

/** Emoji alone, in families, with a skin tone; flags. */
const EMOJI =
  /\p{RI}{1,2}|\p{Extended_Pictographic}(?:\uFE0F|\u200D\p{Extended_Pictographic}|[\u{1F3FB}-\u{1F3FF}])*|[\u{1F3FB}-\u{1F3FF}]/gu;
/** Signs such as © and ⚠ are one cell wide when nothing asks for their coloured form. */
const TEXT_SIGN = /^(?!\p{Emoji_Presentation})[\u0080-\uFFFF]\uFE0F?$/u;

/** Rare signs and scripts on whose width the screen library and terminals disagree. */
const DISPUTED =
  /[\u06DE\u2630-\u2637\u268A-\u268F\u2FFC-\u2FFF\u312E\u312F\u31BB-\u31BF\u31E4-\u31EF\u3248-\u324F\u32FF\u4DC0-\u4DFF\uA960-\uA97F\u{16FE0}-\u{1B2FF}\u{1D300}-\u{1D37F}\u{1F200}-\u{1F2FF}]/gu;

/** Controls, marks, joiners, direction changes, tags, fillers, variation selectors, loose Hangul vowels. */
const UNSEEN =
  /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u1160-\u11FF\uD7B0-\uD7FF]|(?![\n\t])\p{Cc}/gu;
const SPACES = /[\u00A0\u1680\u2000-\u200A\u202F\u205F]/g;
const NOT_A_CHARACTER = /[\p{Cs}\p{Cn}]/gu;

const TAB_STOP = 4;

function expandTabs(line: string): string {
  const [first = '', ...cells] = line.split('\t');
  let out = first;
  let column = displayWidth(first);
  for (const cell of cells) {
    const gap = TAB_STOP - (column % TAB_STOP);
    out += ' '.repeat(gap) + cell;
    column += gap + displayWidth(cell);
  }
  return out;
}

/** Direction changes and tag characters: they make text look like other text. */
const DECEITS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu;
const CONTROLS = /(?![\n\t])\p{Cc}/gu;

/**
 * The least that makes text harmless to a terminal it is printed on as it is: emoji, accents and tabs stay.
 * For whole texts that are not laid out in cells.
 */
export const stripControls = (text: string): string =>
  text.replace(LINE_ENDS, '\n').replace(ESCAPES, '').replace(CONTROLS, '').replace(DECEITS, '');

/** Text of several lines. Sanitising twice changes nothing more. */
export function sanitise(text: string): string {
  if (PLAIN.test(text)) return text;
  const shown = text
    .replace(LINE_ENDS, '\n')
    .replace(ESCAPES, '')
    .normalize('NFC')
    .replace(EMOJI, (found) => (TEXT_SIGN.test(found) ? found : '*'))
    .replace(DISPUTED, '*')
    .replace(UNSEEN, '')
    .replace(SPACES, ' ')
    .replace(NOT_A_CHARACTER, '\uFFFD')
    // What was removed may have stood between two parts of one letter.
    .normalize('NFC');
  return shown.includes('\t') ? shown.split('\n').map(expandTabs).join('\n') : shown;
}

/** Tried once per run of line ends, not once per line end. */
const LAST_LINE_ENDS = /(?<!\n)\n+$/;

/** Text as one line: inner line ends are shown as `⏎`, those at the end are dropped. */
export const sanitiseLine = (text: string): string =>
  sanitise(text).replace(LAST_LINE_ENDS, '').replaceAll('\n', '⏎');

const spelled = (chars: string): string =>
  Array.from(chars, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`).join('');

/**
 * Like `sanitiseLine`, for what a person must judge, such as a command: what would be dropped or replaced
 * is spelled out, so that nothing can hide in it (`rm 🎉` must not be shown as `rm *`).
 */
export function reveal(text: string): string {
  if (PLAIN.test(text)) return sanitiseLine(text);
  const shown = text
    .normalize('NFC')
    .replace(EMOJI, (found) => (TEXT_SIGN.test(found) ? found : spelled(found)))
    .replace(DISPUTED, spelled)
    .replace(UNSEEN, spelled);
  return sanitiseLine(shown);
}
