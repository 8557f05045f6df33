/**
 * Finds damage that SQLite passes over in silence. It ends the write-ahead log at the first frame whose
 * checksum is wrong, which is right after a crash: that frame was being written. But each commit is on disk
 * before the next one begins, so when a later commit follows the bad frame, the frame was whole once, and
 * rows that were acknowledged would vanish. Damage inside the newest commit, or to the mark that ends the
 * one before it, looks like a crash and is taken for one. The layout is that of https://sqlite.org/fileformat2.html#walformat.
 */
import { existsSync, readFileSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The lowest bit of this number says that checksums read words big-endian. */
const MAGIC = 0x377f0682;

type Sums = readonly [number, number];

/** A writer may be at work: what it has not finished is whole when it is looked at again. */
export function walIsDamaged(file: string): boolean {
  const first = firstLostFrame(file);
  return first !== null && firstLostFrame(file) === first;
}

/** The offset of a bad frame that later commits follow, with the log's identity; null: there is none. */
function firstLostFrame(file: string): string | null {
  if (!existsSync(file)) return null;
  const log = readFileSync(file);
  if (log.length < HEADER_BYTES + FRAME_HEADER_BYTES) return null;
  const salts = log.toString('hex', 16, 24);
  if (!headerIsIntact(log)) return headerIsDamaged(log) ? `header ${salts}` : null;
  const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8);
  const bad = firstBadFrame(log, frameBytes);
  return bad !== null && commitFollows(log, bad, frameBytes) ? `${bad} ${salts}` : null;
}

function headerIsIntact(log: Buffer): boolean {
  const magic = log.readUInt32BE(0);
  if (magic !== MAGIC && magic !== MAGIC + 1) return false;
  return agrees(log, 24, sumsOf(log, 0, 24, [0, 0], magic === MAGIC));
}

/** A header that is being replaced by the next round's has nothing in common with the frames behind it. */
const headerIsDamaged = (log: Buffer): boolean => isOfThisRound(log, HEADER_BYTES);

/**
 * A new round of the log begins with two new salts, and behind its frames lie old ones that have neither.
 * One that fits is enough: the other may be what was changed.
 */
const isOfThisRound = (log: Buffer, frame: number): boolean =>
  log.readUInt32BE(frame + 8) === log.readUInt32BE(16) ||
  log.readUInt32BE(frame + 12) === log.readUInt32BE(20);

/** Null: every frame is good. */
function firstBadFrame(log: Buffer, frameBytes: number): number | null {
  const littleEndian = log.readUInt32BE(0) === MAGIC;
  let sums: Sums = [log.readUInt32BE(24), log.readUInt32BE(28)];
  for (let at = HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    sums = sumsOf(log, at, at + 8, sums, littleEndian);
    sums = sumsOf(log, at + FRAME_HEADER_BYTES, at + frameBytes, sums, littleEndian);
    if (!sameSalts(log, at) || !agrees(log, at + 16, sums)) return at;
  }
  return null;
}

/** Whether a frame of this round of the log comes after the end of a commit that is not before `bad`. */
function commitFollows(log: Buffer, bad: number, frameBytes: number): boolean {
  let committed = false;
  for (let at = bad; at + frameBytes <= log.length; at += frameBytes) {
    if (isOfThisRound(log, at)) {
      if (committed) return true;
      committed = log.readUInt32BE(at + 4) !== 0;
    }
  }
  return false;
}

const sameSalts = (log: Buffer, frame: number): boolean =>
  log.compare(log, frame + 8, frame + 16, 16, 24) === 0;

const agrees = (log: Buffer, at: number, sums: Sums): boolean =>
  log.readUInt32BE(at) === sums[0] && log.readUInt32BE(at + 4) === sums[1];

function sumsOf(log: Buffer, from: number, to: number, start: Sums, littleEndian: boolean): Sums {
  const view = new DataView(log.buffer, log.byteOffset, log.length);
  let [first, second] = start;
  for (let at = from; at < to; at += 8) {
    first = (first + view.getUint32(at, littleEndian) + second) >>> 0;
    second = (second + view.getUint32(at + 4, littleEndian) + first) >>> 0;
  }
  return [first, second];
}
