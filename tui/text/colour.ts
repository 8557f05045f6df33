/** Colours for lines of text, as plain SGR codes; the caller decides whether colour is wanted at all. */

export type Tone = 'plain' | 'dim' | 'bold' | 'good' | 'warn' | 'bad' | 'accent';

const CODES: Readonly<Record<Exclude<Tone, 'plain'>, number>> = {
  dim: 2,
  bold: 1,
  good: 32,
  warn: 33,
  bad: 31,
  accent: 36,
};

export const paint = (text: string, tone: Tone, colour: boolean): string =>
  !colour || tone === 'plain' || text === '' ? text : `\x1b[${CODES[tone]}m${text}\x1b[0m`;
