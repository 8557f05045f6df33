/**
 * How many tokens a message or a request has, for one model: weights for kinds of text, corrected by what
 * the server reports. Starts within about 15 % for English, code, JSON, listings, logs and CJK text (hex: a
 * quarter too high); the weights were fitted by least squares to the o200k and cl100k encodings over such texts.
 */
import type { Message } from '../../messages/conversation.js';
import type { ToolDefinition } from '../../messages/model.js';
import { measure, PIECES, sum, type Measure, type Piece } from './text-measure.js';

/** Tokens for each piece. */
export type Weights = Readonly<Record<Piece, number>>;

export const FIRST_WEIGHTS: Weights = {
  words: 1.15,
  longLetters: 0.42,
  digits: 1.38,
  marks: 0.32,
  gaps: 1.3,
  wide: 0.71,
  other: 1,
};

/** What a chat format adds around a message, and what else a call needs. */
const MESSAGE_TOKENS = 4;
const CALL_TOKENS = 8;

/** Share of an error that one report corrects: one odd request must not upset the rest. */
const LEARNING_RATE = 0.2;

/** Pieces of text below which a report says more about the format of requests than about the text. */
const LITTLE = 100;

/** No tokenizer in use is further from the first weights than this; a report beyond it is wrong. */
const FURTHEST = 3;

/** What a stretch of a request consists of: its text, and the tokens that no text accounts for. */
export interface Bulk {
  readonly text: Measure;
  readonly fixed: number;
}

const EMPTY: Bulk = { text: measure(''), fixed: 0 };

export function addBulk(bulks: Iterable<Bulk>): Bulk {
  const all = [...bulks];
  return {
    text: sum(all.map(({ text }) => text)),
    fixed: all.reduce((total, { fixed }) => total + fixed, 0),
  };
}

/** Messages never change, so each is measured once; an entry goes with its message. */
const measured = new WeakMap<Message, Bulk>();

export function bulkOf(message: Message): Bulk {
  const known = measured.get(message);
  if (known !== undefined) return known;
  const fresh = measureMessage(message);
  measured.set(message, fresh);
  return fresh;
}

function measureMessage(message: Message): Bulk {
  const text = measure(message.text);
  if (message.role !== 'assistant') return { text, fixed: MESSAGE_TOKENS };
  const calls = message.calls.map(({ name, args, invalid }) =>
    measure(`${name} ${invalid ?? JSON.stringify(args)}`),
  );
  return { text: sum([text, ...calls]), fixed: MESSAGE_TOKENS + CALL_TOKENS * calls.length };
}

export const bulkOfTools = (tools: readonly ToolDefinition[]): Bulk =>
  tools.length === 0
    ? EMPTY
    : { text: measure(JSON.stringify(tools)), fixed: MESSAGE_TOKENS * tools.length };

/** What one stretch has beyond another that it begins with. */
export function beyond(whole: Bulk, beginning: Bulk): Bulk {
  const counts = PIECES.map((piece) => [piece, whole.text[piece] - beginning.text[piece]]);
  return {
    text: Object.fromEntries(counts) as Record<Piece, number>,
    fixed: whole.fixed - beginning.fixed,
  };
}

export class Estimator {
  #weights: Weights;

  constructor(weights: Weights = FIRST_WEIGHTS) {
    this.#weights = weights;
  }

  /** To be kept for the next session with this model. */
  get weights(): Weights {
    return this.#weights;
  }

  tokens({ text, fixed }: Bulk): number {
    const weighted = PIECES.reduce((total, piece) => total + this.#weights[piece] * text[piece], 0);
    return Math.ceil(weighted + fixed);
  }

  of(messages: Iterable<Message>): number {
    return this.tokens(addBulk([...messages].map(bulkOf)));
  }

  /**
   * Learns from a request of this bulk that the server counted as `reported` prompt tokens (normalised least
   * mean squares: each weight moves in proportion to its share of the request). Reports that cannot be are left out.
   */
  learn(bulk: Bulk, reported: number): void {
    const expected = this.tokens(bulk);
    const ratio = reported / expected;
    if (!(ratio > 1 / FURTHEST && ratio < FURTHEST)) return;
    const power = PIECES.reduce((total, piece) => total + bulk.text[piece] ** 2, 0);
    if (power === 0) return;
    const step = (LEARNING_RATE * (reported - expected)) / (power + LITTLE ** 2);
    this.#weights = eachPiece((piece) => this.#weights[piece] + step * bulk.text[piece]);
  }
}

/** Weights that may come from anywhere, brought to where a tokenizer can be. */
export const withinReach = (weights: Weights): Weights => eachPiece((piece) => weights[piece]);

const eachPiece = (weight: (piece: Piece) => number): Weights =>
  Object.fromEntries(
    PIECES.map((piece) => {
      const first = FIRST_WEIGHTS[piece];
      return [piece, Math.min(first * FURTHEST, Math.max(first / FURTHEST, weight(piece)))];
    }),
  ) as Record<Piece, number>;
