/** The text of HTML without parsing it: what is left when a page cannot be parsed. In one pass, however it is nested. */

/** A page of this kind is read by its beginning: this runs on the thread that everything else runs on. */
const MAX_CHARACTERS = 300_000;

const SILENT = /^<(script|style|noscript|template|svg|head)\b/i;
const BREAKS =
  /^<\/?(?:p|div|br|hr|li|ul|ol|tr|table|h[1-6]|section|article|header|footer|nav|pre|blockquote|dt|dd|title)\b/i;

/** Enough to tell which element a tag belongs to. */
const TAG_START = 12;

export function plainText(html: string): string {
  const source = html.slice(0, MAX_CHARACTERS);
  const parts: string[] = [];
  let at = 0;
  while (at < source.length) {
    const open = source.indexOf('<', at);
    if (open === -1) break;
    parts.push(source.slice(at, open));
    const { end, text } = markup(source, open);
    parts.push(text);
    at = end;
  }
  parts.push(source.slice(at));
  return tidy(unescaped(parts.join('')));
}

/** Where the markup that begins here ends, and what stands for it. */
function markup(source: string, open: number): { readonly end: number; readonly text: string } {
  const start = source.slice(open, open + TAG_START);
  if (start.startsWith('<!--')) return { end: after(source, '-->', open), text: '' };
  if (!/^<[a-z/!?]/i.test(start)) return { end: open + 1, text: '<' };
  const silent = SILENT.exec(start)?.[1];
  if (silent === undefined) {
    return { end: after(source, '>', open), text: BREAKS.test(start) ? '\n' : '' };
  }
  const closing = new RegExp(`</${silent}[^>]{0,100}>`, 'gi');
  closing.lastIndex = open;
  return closing.test(source)
    ? { end: closing.lastIndex, text: '\n' }
    : { end: source.length, text: '' };
}

function after(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  return found === -1 ? source.length : found + mark.length;
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

const LAST_CODE_POINT = 0x10ffff;

export const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, ten, sixteen, name) => {
    if (typeof name === 'string') return NAMED[name.toLowerCase()] ?? whole;
    const code = typeof ten === 'string' ? Number(ten) : Number.parseInt(String(sixteen), 16);
    return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : whole;
  });

/** Lines without their margins, and at most one empty line in a row. */
function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  return lines
    .filter((line, at) => line !== '' || lines[at - 1] !== '')
    .join('\n')
    .trim();
}
