/**
 * How often each place of each conversation was asked since it last got a whole answer, and which failing
 * turns were served there. It is all that a server forgets when it is started again.
 */
import { createHash } from 'node:crypto';
import type { ChatMessage } from './chat-request.js';

/** Places remembered: every agent has one at a time, so this is far more than one session needs. */
const MAX_PLACES = 1024;
/**
 * Characters of the first words that tell conversations apart. What a client puts at the end of a message
 * may change from one attempt to the next (the time, a budget).
 */
const SIGNIFICANT_CHARS = 256;

export interface Place {
  asked: number;
  /** Times each failing turn was served here, by its index. */
  readonly faults: Map<number, number>;
}

export class Attempts {
  readonly #places = new Map<string, Place>();

  /** Counts one more attempt. */
  begin(key: string): Place {
    const place = this.#places.get(key) ?? { asked: 0, faults: new Map<number, number>() };
    place.asked += 1;
    this.#places.delete(key);
    this.#places.set(key, place);
    for (const oldest of this.#places.keys()) {
      if (this.#places.size <= MAX_PLACES) break;
      this.#places.delete(oldest);
    }
    return place;
  }

  /** It got a whole answer: a conversation that comes by here again is another one. */
  settle(key: string): void {
    this.#places.delete(key);
  }
}

/** The same for every attempt at one answer, whatever was said or changed at the end meanwhile. */
export function placeKey(messages: readonly ChatMessage[], agent: string, round: number): string {
  const firstWords = messages.find((message) => message.role === 'user')?.text ?? '';
  const lastAnswer = messages.findLast((message) => message.role === 'assistant') ?? null;
  return createHash('sha1')
    .update(JSON.stringify([agent, round, firstWords.slice(0, SIGNIFICANT_CHARS), lastAnswer]))
    .digest('base64');
}
