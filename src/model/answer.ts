/**
 * Reads the body of an answer as a sequence of chunks, whatever it calls itself: an event stream, one JSON
 * object a line, or one JSON object from a server that does not stream.
 */
import { ReadableStream } from 'node:stream/web';
import { readStart, wholeLines } from './body-text.js';
import { jsonLines } from './event-stream.js';
import { ForeignAnswer, ServerFault } from './errors.js';
import { isRecord, parseJson } from './json-shape.js';
import type { JsonRecord } from './json-shape.js';

/** A whole file may come as one event; what is longer is not worth the memory. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;
/** Many times what any model can say in one reply. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** How long a connection may take to end after the answer did, to be used again. */
const DRAIN_MS = 1_000;
/** How much of a foreign answer is quoted. */
const QUOTE_LENGTH = 200;

/** A reader of event streams; the SDK's is loaded late. */
export type EventReader = (
  response: Response,
  controller: AbortController,
) => AsyncIterable<unknown>;

interface Answer {
  /** Throws what `errorOf` understands. May end early and silently after `abort`. */
  readonly chunks: AsyncIterable<unknown>;
  /** Whether the server said that nothing more would come. Asked after the last chunk. */
  readonly isComplete: () => boolean;
  /** Whether the newest chunk is a whole answer rather than a piece of one. */
  readonly isWhole: () => boolean;
  /** The server has said by its last chunk that it is done: the rest is not worth waiting for. */
  readonly finish: () => void;
}

export interface HowToRead {
  readonly readEvents: EventReader;
  readonly framing: 'events' | 'lines';
  /** A field that only a whole answer has. */
  readonly wholeField: string;
}

const EVENT_LINE = /^(data|event|id|retry)?:/;
const DONE_LINE = /(^|[\r\n])data: ?\[DONE\]/;

const saysDone = (lines: Buffer): boolean =>
  lines.includes('[DONE]') && DONE_LINE.test(lines.toString('latin1'));

const NAME_LINE = /(^|[\r\n])event:[^\r\n]*/g;

/** For events of certain names the SDK writes to the terminal what it cannot read; names mean nothing here. */
const withoutNames = (lines: Buffer): Buffer =>
  lines.includes('event:')
    ? Buffer.from(lines.toString('latin1').replace(NAME_LINE, '$1:'), 'latin1')
    : lines;

const tooLong = (): never => {
  throw new ForeignAnswer(`a line of more than ${MAX_LINE_BYTES / 1024 / 1024} MB`);
};

async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) {
      throw new ForeignAnswer(`more than ${MAX_ANSWER_BYTES / 1024 / 1024} MB in one answer`);
    }
    yield piece;
  }
}

/** Lets the connection be used again when its answer ends soon, and gives it up when it does not. */
async function drain(rest: AsyncGenerator<Uint8Array>, controller: AbortController): Promise<void> {
  const giveUp = setTimeout(() => controller.abort(), DRAIN_MS);
  giveUp.unref();
  try {
    while ((await rest.next()).done !== true);
  } catch {
    // The answer is complete; how its connection ends changes nothing.
  } finally {
    clearTimeout(giveUp);
  }
}

/** An error can come as any event of a stream, or instead of a whole answer. */
const isFault = (chunk: JsonRecord): boolean =>
  Boolean(chunk['error']) || chunk['object'] === 'error' || chunk['type'] === 'error';

function checked(chunk: unknown): unknown {
  if (isRecord(chunk) && isFault(chunk)) throw new ServerFault(chunk['error'] ?? chunk);
  return chunk;
}

function parseWhole(text: string, wholeField: string): unknown {
  const json = parseJson(text);
  if (isRecord(json) && (wholeField in json || isFault(json))) return json;
  // Gemini's compatible route puts its error into a list.
  if (Array.isArray(json)) throw new ServerFault(json);
  const quote = text.replace(/\s+/g, ' ').trim().slice(0, QUOTE_LENGTH);
  throw new ForeignAnswer(quote === '' ? 'nothing' : `something else than an answer: "${quote}"`);
}

/** Passes lines on until the server says that it is done; a last line without an end gets one. */
async function* events(
  first: Buffer,
  rest: AsyncGenerator<Buffer>,
  onDone: () => void,
): AsyncGenerator<Uint8Array> {
  let lines = first;
  for (;;) {
    yield withoutNames(lines);
    if (saysDone(lines)) {
      onDone();
      break;
    }
    const next = await rest.next();
    if (next.done === true) break;
    lines = next.value;
  }
  yield Buffer.from('\n\n');
}

async function firstLines(lines: AsyncGenerator<Buffer>): Promise<Buffer> {
  for (;;) {
    const next = await lines.next();
    if (next.done === true) return Buffer.alloc(0);
    if (next.value.toString('utf8').trim() !== '') return next.value;
  }
}

/** Whoever stops reading leaves `rest` open, to be drained. */
async function* withFirst(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    yield next.value;
  }
}

/** `controller` ends the request; it is aborted when a finished answer keeps its connection open. */
export function readAnswer(
  response: Response,
  controller: AbortController,
  { readEvents, framing, wholeField }: HowToRead,
): Answer {
  let complete = false;
  let whole = false;
  const body = response.body as AsyncIterable<Uint8Array> | null;
  const lines = body === null ? null : wholeLines(bounded(body), MAX_LINE_BYTES, tooLong);
  const finish = (): void => {
    complete = true;
    if (lines !== null) void drain(lines, controller);
  };

  async function* chunks(): AsyncGenerator {
    if (lines === null) return;
    const first = await firstLines(lines);
    if (first.length === 0) return;
    const start = first.toString('utf8').trimStart();
    if (framing === 'lines' && start.startsWith('{')) {
      for await (const chunk of jsonLines(withFirst(first, lines))) yield checked(chunk);
      return;
    }
    if (!EVENT_LINE.test(start)) {
      const text = await readStart(withFirst(first, lines), MAX_ANSWER_BYTES);
      whole = true;
      complete = true;
      yield checked(parseWhole(text, wholeField));
      return;
    }
    const stream = ReadableStream.from(events(first, lines, finish));
    const framed = new Response(stream);
    for await (const chunk of readEvents(framed, controller)) yield checked(chunk);
  }
  return { chunks: chunks(), isComplete: () => complete, isWhole: () => whole, finish };
}
