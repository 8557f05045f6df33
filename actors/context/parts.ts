/**
 * The text a model is given to condense: each piece of work in a frame that names its files, and as many whole
 * pieces in one part as belong there. A part is never longer than one request may hold; a single turn that is
 * loses its end.
 */
import type { SegmentNote } from '../../messages/context.js';
import type { Message } from '../../messages/conversation.js';
import { clip } from './clip.js';
import { segmentsOf, type Segment, type Turn } from './segments.js';
import { described } from './summary.js';

/** Four summaries: their tokens cost several times those they are made from, so a request for less does not pay. */
const MIN_PART_CHARS = 24_000;

/** A part waits for the summary of the one before it, and the agent for all of them. */
const MOST_PARTS = 8;

/** Files in a frame: enough to tell pieces apart. */
const LABEL_FILES = 5;
const MAX_LABEL_CHARS = 200;
/** The frame without its files. */
const FRAME_CHARS = 30;

export interface PartSize {
  readonly maxChars: number;
  /** Each piece by itself, so that the model has one thing before it; else as few parts as possible. */
  readonly byPiece: boolean;
}

export interface Parts {
  readonly texts: readonly string[];
  readonly segments: readonly SegmentNote[];
}

export function partsToCondense(messages: readonly Message[], size: PartSize): Parts {
  const { maxChars, byPiece } = size;
  const labelChars = Math.min(MAX_LABEL_CHARS, Math.floor(maxChars / 4));
  const room = maxChars - labelChars - FRAME_CHARS;
  const textOf = (turn: Turn): string => turn.map(described).join('').slice(0, room);
  const segments = segmentsOf(messages, { of: (turn) => textOf(turn).length, max: room });
  const framed = segments.flatMap(({ turns, files }) => {
    const text = turns.map(textOf).join('');
    return text === '' ? [] : [`<work${labelOf(files, labelChars)}>\n${text}</work>\n`];
  });
  const total = framed.reduce((sum, text) => sum + text.length, 0);
  const enough = byPiece ? Math.max(MIN_PART_CHARS, total / MOST_PARTS) : maxChars;
  return { texts: packed(framed, enough, maxChars), segments: segments.map(noteOf) };
}

/** What is not `enough` yet takes in the next one, where that fits. */
function packed(texts: readonly string[], enough: number, max: number): string[] {
  const parts: string[] = [];
  for (const text of texts) {
    const last = parts.at(-1);
    if (last === undefined || last.length >= enough || last.length + text.length > max)
      parts.push(text);
    else parts[parts.length - 1] = last + text;
  }
  return parts;
}

function labelOf(files: readonly string[], chars: number): string {
  if (files.length === 0) return '';
  const named = files
    .slice(0, LABEL_FILES)
    .join(', ')
    .replace(/["<>\s]+/g, ' ');
  return ` on="${clip(named, chars)}"`;
}

const noteOf = ({ begins, turns, files }: Segment): SegmentNote => ({
  begins,
  messages: turns.flat().length,
  files: files.slice(0, LABEL_FILES).map((file) => clip(file, MAX_LABEL_CHARS)),
});
