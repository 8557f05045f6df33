/**
 * Cuts a text that is too long for a model, and says so in it. What is kept never ends inside of a
 * character, ends with a line where there is one nearby, and together with its notice fits the limit.
 */
import { sizeText } from './shown.js';

export type Truncation =
  | { readonly kind: 'head'; readonly maxBytes: number }
  | { readonly kind: 'headLines'; readonly maxLines: number }
  | { readonly kind: 'headAndTail'; readonly tailRatio: number };

export interface Truncated {
  readonly text: string;
  readonly truncated: boolean;
}

/** Room for a notice with its figures. */
const NOTICE_BYTES = 160;

const NEWLINE = 10;

export function truncate(text: string, how: Truncation, maxBytes: number): Truncated {
  switch (how.kind) {
    case 'head':
      return keepHead(text, Math.min(how.maxBytes, maxBytes));
    case 'headLines':
      return keepLines(text, how.maxLines, maxBytes);
    case 'headAndTail':
      return keepBoth(text, how.tailRatio, maxBytes);
  }
}

function keepHead(text: string, maxBytes: number): Truncated {
  const bytes = tooLong(text, maxBytes);
  if (bytes === null) return { text, truncated: false };
  return noted(headOf(bytes, maxBytes - NOTICE_BYTES), bytes.length, maxBytes);
}

function keepLines(text: string, maxLines: number, maxBytes: number): Truncated {
  const end = endOfLine(text, maxLines);
  if (end === text.length) return keepHead(text, maxBytes);
  const lines = Buffer.from(text.slice(0, end));
  const head = headOf(lines, Math.min(lines.length, maxBytes - NOTICE_BYTES));
  return noted(head, Buffer.byteLength(text), maxBytes);
}

function noted(head: Buffer, total: number, maxBytes: number): Truncated {
  const notice =
    `... [output truncated: ${sizeText(total)} total, showing first ${sizeText(head.length)}. ` +
    'Use offset/limit for more.]';
  const newline = head.length === 0 || head.at(-1) === NEWLINE ? '' : '\n';
  return { text: fit(`${head.toString()}${newline}${notice}`, maxBytes), truncated: true };
}

function keepBoth(text: string, tailRatio: number, maxBytes: number): Truncated {
  const bytes = tooLong(text, maxBytes);
  if (bytes === null) return { text, truncated: false };
  const room = Math.max(0, maxBytes - NOTICE_BYTES);
  const head = headOf(bytes, Math.floor(room * (1 - tailRatio)));
  const tail = tailOf(bytes, Math.floor(room * tailRatio));
  const total = sizeText(bytes.length);
  const omitted = sizeText(bytes.length - head.length - tail.length);
  const parts = [
    `[first ${sizeText(head.length)} of output]`,
    head.toString().replace(/\n$/, ''),
    `... [${total} total — ${omitted} omitted] ...`,
    `[last ${sizeText(tail.length)} of output]`,
    tail.toString(),
  ];
  return { text: fit(parts.join('\n'), maxBytes), truncated: true };
}

/** A limit too small for its own notice still holds. */
const fit = (text: string, maxBytes: number): string =>
  headOf(tooLong(text, maxBytes) ?? Buffer.from(text), maxBytes).toString();

/** The bytes, when there are too many. */
function tooLong(text: string, maxBytes: number): Buffer | null {
  // No UTF-16 unit needs more than three bytes, so most texts need not be encoded to know.
  if (text.length * 3 <= maxBytes) return null;
  return Buffer.byteLength(text) > maxBytes ? Buffer.from(text) : null;
}

/** Index after the `count`th line. */
function endOfLine(text: string, count: number): number {
  let end = 0;
  for (let line = 0; line < count; line += 1) {
    const newline = text.indexOf('\n', end);
    if (newline < 0) return text.length;
    end = newline + 1;
  }
  return end;
}

/** The first bytes, at most `max`: up to the last line's end in the second half, else the last character's. */
export function headOf(bytes: Buffer, max: number): Buffer {
  if (bytes.length <= max) return bytes;
  let end = Math.max(0, max);
  const newline = bytes.lastIndexOf(NEWLINE, end - 1);
  if (end > 0 && newline >= end / 2) return bytes.subarray(0, newline + 1);
  while (end > 0 && continues(bytes[end])) end -= 1;
  return bytes.subarray(0, end);
}

/** The last bytes, at most `max`: from the first line's beginning in the first half, else a character's. */
export function tailOf(bytes: Buffer, max: number): Buffer {
  if (bytes.length <= max) return bytes;
  let start = bytes.length - Math.max(0, max);
  const newline = bytes.indexOf(NEWLINE, start);
  if (newline >= 0 && newline < start + max / 2) return bytes.subarray(newline + 1);
  while (start < bytes.length && continues(bytes[start])) start += 1;
  return bytes.subarray(start);
}

/** A byte in the middle of a UTF-8 character. */
const continues = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
