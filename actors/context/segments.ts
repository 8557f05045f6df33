/**
 * Divides messages into pieces of work, in order and without a gap. A piece ends where a person speaks, where
 * the set of files that is worked on changes, and where it would be too long for one request. An answer is
 * never apart from the results of its calls. Pure: the same messages give the same pieces.
 */
import type { SegmentCause } from '../../messages/context.js';
import type { Message } from '../../messages/conversation.js';
import { changesIn } from './file-changes.js';
import { isOwnWords } from './summary.js';
import { filesNamedBy } from './work-files.js';

/** An answer with its results, or a message by itself. */
export type Turn = readonly Message[];

export interface Segment {
  readonly begins: SegmentCause;
  readonly turns: readonly Turn[];
  /** What its calls name, that which most turns name first. */
  readonly files: readonly string[];
}

export interface SegmentSize {
  readonly of: (turn: Turn) => number;
  /** A single turn may be longer. */
  readonly max: number;
}

export function segmentsOf(messages: readonly Message[], size: SegmentSize): Segment[] {
  return spansOf(turnsOf(messages)).flatMap((span, i) =>
    piecesOf(span, i === 0 ? 'start' : 'turn').flatMap((piece) => ofSize(piece, size)),
  );
}

export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Message[][] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.role === 'tool' && last !== undefined) last.push(message);
    else turns.push([message]);
  }
  return turns;
}

/** From what a person says to what they say next; words in a row belong together. */
function spansOf(turns: readonly Turn[]): Turn[][] {
  const spans: Turn[][] = [];
  let spokeBefore = false;
  for (const turn of turns) {
    const speaks = turn.some(isOwnWords);
    const last = spans.at(-1);
    if (last === undefined || (speaks && !spokeBefore)) spans.push([turn]);
    else last.push(turn);
    spokeBefore = speaks;
  }
  return spans;
}

function piecesOf(span: readonly Turn[], begins: SegmentCause): Segment[] {
  const starts = [0, ...changesIn(span.map(filesOf))];
  return starts.map((start, i) =>
    segment(i === 0 ? begins : 'files', span.slice(start, starts[i + 1])),
  );
}

function ofSize({ begins, turns }: Segment, { of, max }: SegmentSize): Segment[] {
  const pieces: Turn[][] = [];
  let length = 0;
  for (const turn of turns) {
    const added = of(turn);
    const last = pieces.at(-1);
    if (last === undefined || length + added > max) {
      pieces.push([turn]);
      length = added;
    } else {
      last.push(turn);
      length += added;
    }
  }
  return pieces.map((piece, i) => segment(i === 0 ? begins : 'size', piece));
}

const segment = (begins: SegmentCause, turns: readonly Turn[]): Segment => ({
  begins,
  turns,
  files: byFrequency(turns.flatMap(filesOf)),
});

const filesOf = (turn: Turn): readonly string[] =>
  turn.flatMap((message) => (message.role === 'assistant' ? filesNamedBy(message) : []));

function byFrequency(files: readonly string[]): string[] {
  const times = new Map<string, number>();
  for (const file of files) times.set(file, (times.get(file) ?? 0) + 1);
  return [...times].sort(([, a], [, b]) => b - a).map(([file]) => file);
}
