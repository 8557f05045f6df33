/**
 * Finds the text that is to be replaced and replaces it. Works on strings of single bytes ("latin1"), so
 * that everything outside of the match, valid UTF-8 or not, keeps its bytes.
 */

export interface EditRequest {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

export type EditResult =
  | {
      readonly kind: 'edited';
      readonly bytes: Buffer;
      readonly places: readonly Place[];
      readonly how: Match;
    }
  | { readonly kind: 'ambiguous'; readonly lines: readonly number[] }
  | { readonly kind: 'not-found' };

/** Lines of the new text that hold a replacement, counted from 1. */
export interface Place {
  readonly first: number;
  readonly last: number;
}

/** `indentation`: only the leading whitespace of lines was different. */
export type Match = 'exact' | 'indentation';

/** A part of the file and what takes its place. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function editText(file: Buffer, request: EditRequest): EditResult {
  const text = file.toString('latin1');
  const oldText = latin1Of(request.oldText);
  const newText = latin1Of(request.newText);
  const exact = exactMatches(text, oldText, newText);
  const found = exact.length > 0 ? exact : indentedMatches(text, oldText, newText);
  if (found.length === 0) return { kind: 'not-found' };
  if (found.length > 1 && !request.replaceAll) {
    return {
      kind: 'ambiguous',
      lines: lineNumbers(
        text,
        found.map(({ start }) => start),
      ),
    };
  }
  const how = exact.length > 0 ? 'exact' : 'indentation';
  return { kind: 'edited', ...applyAll(text, found), how };
}

const latin1Of = (text: string): string => Buffer.from(text).toString('latin1');

/** As it stands; else with the file's line ends, which the reader of a file is not shown. */
function exactMatches(text: string, oldText: string, newText: string): Replacement[] {
  const crlf = usesCrlf(text);
  const asIs = occurrences(text, oldText);
  if (asIs.length > 0) {
    const single = !oldText.includes('\n');
    return asIs.map((at) => ({ ...at, text: single && crlf ? withCrlf(newText) : newText }));
  }
  if (!crlf) return [];
  return occurrences(text, withCrlf(oldText)).map((at) => ({ ...at, text: withCrlf(newText) }));
}

const withCrlf = (text: string): string => text.replace(/\r?\n/g, '\r\n');

/** Most of its lines end so. */
function usesCrlf(text: string): boolean {
  const crlf = occurrences(text, '\r\n').length;
  return crlf > 0 && crlf * 2 > occurrences(text, '\n').length;
}

function occurrences(text: string, part: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (
    let start = text.indexOf(part);
    start >= 0;
    start = text.indexOf(part, start + part.length)
  ) {
    found.push({ start, end: start + part.length });
  }
  return found;
}

interface Line {
  readonly indent: string;
  /** Without indentation and line end. */
  readonly body: string;
  readonly start: number;
  /** Before the line end. */
  readonly end: number;
  readonly next: number;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 ? text.length + 1 : newline + 1;
    const stop = newline < 0 ? text.length : newline;
    const end = text[stop - 1] === '\r' && stop > start ? stop - 1 : stop;
    const whole = text.slice(start, end);
    const body = whole.replace(/^[ \t]+/, '');
    lines.push({ indent: whole.slice(0, whole.length - body.length), body, start, end, next });
    start = next;
  }
  return lines;
}

/** Whole lines that are the same but for their indentation; the new text gets the file's. */
function indentedMatches(text: string, oldText: string, newText: string): Replacement[] {
  const endsLine = oldText.endsWith('\n');
  const wanted = linesOf(endsLine ? oldText.slice(0, -1) : oldText);
  if (wanted.every(({ body }) => body === '')) return [];
  const lines = linesOf(text);
  const crlf = usesCrlf(text);
  const found: Replacement[] = [];
  for (let at = 0; at + wanted.length <= lines.length;) {
    const region = lines.slice(at, at + wanted.length);
    const [first, last] = [region[0], region.at(-1)];
    const same = region.every(({ body }, index) => body === wanted[index]?.body);
    if (!same || first === undefined || last === undefined) {
      at += 1;
      continue;
    }
    const indented = reindent(newText, wanted, region);
    const end = endsLine ? Math.min(last.next, text.length) : last.end;
    found.push({ start: first.start, end, text: crlf ? withCrlf(indented) : indented });
    at += wanted.length;
  }
  return found;
}

/** Each indentation of the old text stands for the one the file has on the same line. */
function reindent(newText: string, wanted: readonly Line[], region: readonly Line[]): string {
  const known = new Map<string, string>();
  wanted.forEach(({ indent, body }, index) => {
    const actual = region[index]?.indent;
    if (body !== '' && actual !== undefined && !known.has(indent)) known.set(indent, actual);
  });
  const longestFirst = [...known].sort(([a], [b]) => b.length - a.length);
  const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';
  return newText
    .split('\n')
    .map((line) => {
      if (line.trim() === '') return line;
      const indent = indentOf(line);
      const base = longestFirst.find(([old]) => indent.startsWith(old));
      return base === undefined ? line : base[1] + line.slice(base[0].length);
    })
    .join('\n');
}

function applyAll(
  text: string,
  replacements: readonly Replacement[],
): { bytes: Buffer; places: Place[] } {
  const parts: string[] = [];
  const bounds: number[] = [];
  let copied = 0;
  let length = 0;
  for (const { start, end, text: replacement } of replacements) {
    parts.push(text.slice(copied, start), replacement);
    length += start - copied;
    const visible = replacement.replace(/\r?\n$/, '').length;
    bounds.push(length, length + visible);
    length += replacement.length;
    copied = end;
  }
  const result = parts.join('') + text.slice(copied);
  const numbers = lineNumbers(result, bounds);
  const places = replacements.map((_, index) => ({
    first: numbers[index * 2] ?? 1,
    last: numbers[index * 2 + 1] ?? 1,
  }));
  return { bytes: Buffer.from(result, 'latin1'), places };
}

/** The lines, counted from 1, on which ascending positions are. */
function lineNumbers(text: string, positions: readonly number[]): number[] {
  let line = 1;
  let seen = 0;
  return positions.map((position) => {
    for (;;) {
      const newline = text.indexOf('\n', seen);
      if (newline < 0 || newline >= position) return line;
      line += 1;
      seen = newline + 1;
    }
  });
}
