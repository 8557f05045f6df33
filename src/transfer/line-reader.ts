/**
 * Reads a transcript line by line. A line ends at LF and nowhere else: U+2028 and U+2029 are plain
 * characters inside JSON strings. A mark of byte order at the beginning and a CR before the LF are no part
 * of a line. What is held never exceeds one line.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { TransferRefused } from './refused.js';

/** A transcript in parts has parts of this size; so no line of one can be longer. */
export const PART_BYTES = 50 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const [LF, CR] = [0x0a, 0x0d];
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

export interface FileLine {
  /** The first is 1. */
  readonly n: number;
  readonly bytes: Buffer;
  /** It has an end; a last line without one may have been cut off. */
  readonly ended: boolean;
}

/** Throws `TransferRefused` at a line longer than `maxBytes`. */
export function* linesOf(file: string, maxBytes = PART_BYTES): Generator<FileLine> {
  const fd = openSync(file, 'r');
  try {
    let n = 0;
    for (const { bytes, ended } of rawLines(fd, file, maxBytes)) {
      n += 1;
      yield { n, bytes: trimmed(bytes, n === 1), ended };
    }
  } finally {
    closeSync(fd);
  }
}

function* rawLines(fd: number, file: string, max: number): Generator<Omit<FileLine, 'n'>> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let held: Buffer[] = [];
  let length = 0;
  for (;;) {
    const read = readSync(fd, chunk);
    if (read === 0) break;
    let from = 0;
    for (;;) {
      const at = chunk.subarray(0, read).indexOf(LF, from);
      // A copy: the chunk is filled again while a line of it waits for its end.
      const piece = Buffer.from(chunk.subarray(from, at === -1 ? read : at));
      held.push(piece);
      length += piece.length;
      if (length > max) throw tooLong(file, max);
      if (at === -1) break;
      yield { bytes: Buffer.concat(held, length), ended: true };
      held = [];
      length = 0;
      from = at + 1;
    }
  }
  if (length > 0) yield { bytes: Buffer.concat(held, length), ended: false };
}

function trimmed(bytes: Buffer, isFirst: boolean): Buffer {
  const marked = isFirst && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const from = marked ? BYTE_ORDER_MARK.length : 0;
  return bytes.subarray(from, bytes.at(-1) === CR ? -1 : undefined);
}

const tooLong = (file: string, max: number): TransferRefused =>
  new TransferRefused(
    `A line of ${file} is longer than ${max} bytes, which no transcript has. Is it one?`,
  );
