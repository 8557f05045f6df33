/**
 * What a provider makes of the requests of one session: it remembers the last request, reads from its cache
 * what the next one begins with, byte for byte, and bills the rest. Shorter lives of caches and least lengths
 * of prefixes are left out: they are the same for every strategy.
 */
import { encodeMessages } from '../../src/model/encode.js';
import type { Message } from '../../messages/conversation.js';
import type { TokenCounter } from './tokens.js';

/** Dollars for a million tokens. */
export interface PriceModel {
  readonly name: string;
  /** Of prompt tokens that were not in the cache; they are in it from then on. */
  readonly fresh: number;
  readonly cached: number;
  /** Of a request that is not to be remembered. */
  readonly input: number;
  readonly output: number;
}

/** As the makers publish them: writes cost a quarter more and reads a tenth; or writes nothing more and reads a quarter. */
export const PRICE_MODELS: readonly PriceModel[] = [
  { name: 'Claude Sonnet', fresh: 3.75, cached: 0.3, input: 3, output: 15 },
  { name: 'GPT-4.1', fresh: 2, cached: 0.5, input: 2, output: 8 },
];

/** One message as it travels. */
interface Piece {
  readonly json: string;
  readonly tokens: number;
}

export interface Billed {
  readonly tokens: number;
  readonly cached: number;
  /** Of the bytes of the request before, the share that this one begins with; null: it is the first. */
  readonly kept: number | null;
}

export class Provider {
  readonly #counter: TokenCounter;
  readonly #toolTokens: number;
  readonly #pieces = new WeakMap<object, Piece>();
  #last: readonly Piece[] | null = null;

  constructor(counter: TokenCounter, tools: unknown) {
    this.#counter = counter;
    this.#toolTokens = counter.text(JSON.stringify(tools));
  }

  take(messages: readonly Message[]): Billed {
    const encoded = encodeMessages(messages);
    const pieces = encoded.map((each, i) => this.#pieceOf(each, messages[i]));
    const before = this.#last;
    this.#last = pieces;
    const tokens = pieces.reduce((sum, piece) => sum + piece.tokens, this.#toolTokens);
    if (before === null) return { tokens, cached: 0, kept: null };
    const { cached, chars } = common(before, pieces);
    const whole = before.reduce((sum, { json }) => sum + json.length, 0);
    return { tokens, cached: this.#toolTokens + cached, kept: chars / whole };
  }

  #pieceOf(encoded: object, message: Message | undefined): Piece {
    const known = this.#pieces.get(encoded);
    if (known !== undefined) return known;
    const tokens = message === undefined ? 0 : this.#counter.message(message);
    const fresh = { json: JSON.stringify(encoded), tokens };
    this.#pieces.set(encoded, fresh);
    return fresh;
  }
}

function common(
  before: readonly Piece[],
  after: readonly Piece[],
): { cached: number; chars: number } {
  let [cached, chars, i] = [0, 0, 0];
  for (; i < before.length && i < after.length; i += 1) {
    const [old, next] = [before[i], after[i]];
    if (old === undefined || next === undefined) break;
    if (old !== next && old.json !== next.json) {
      const same = sameChars(old.json, next.json);
      const share = same / next.json.length;
      return { cached: cached + Math.floor(share * next.tokens), chars: chars + same };
    }
    cached += next.tokens;
    chars += next.json.length;
  }
  return { cached, chars };
}

function sameChars(a: string, b: string): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  return same;
}

export class Bill {
  #dollars: readonly number[] = PRICE_MODELS.map(() => 0);

  /** By price model. */
  get dollars(): readonly number[] {
    return this.#dollars;
  }

  request({ tokens, cached }: Billed, answered: number): void {
    this.#add(
      ({ fresh, cached: read, output }) =>
        (tokens - cached) * fresh + cached * read + answered * output,
    );
  }

  /** One whose beginning no later request repeats. */
  aside(tokens: number, answered: number): void {
    this.#add(({ input, output }) => tokens * input + answered * output);
  }

  #add(price: (model: PriceModel) => number): void {
    this.#dollars = PRICE_MODELS.map((model, i) => (this.#dollars[i] ?? 0) + price(model) / 1e6);
  }
}
