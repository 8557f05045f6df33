/** Tokens as a server would count them: the encoding o200k over text, and what a chat format adds. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { encodeArguments } from '../../src/model/encode.js';
import type { Message } from '../../messages/conversation.js';

export type CountTokens = (text: string) => number;

/** What a chat format adds to a message and to a call, as the makers of that encoding state it. */
const MESSAGE_TOKENS = 4;
const CALL_TOKENS = 8;

/** Nothing in a text is a command to the tokenizer. */
export const o200k: CountTokens = (text) => countTokens(text, { disallowedSpecial: new Set() });

/** Counts each text once, however many strategies send it. */
export function remembering(count: CountTokens): CountTokens {
  const known = new Map<string, number>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const fresh = count(text);
    known.set(text, fresh);
    return fresh;
  };
}

export class TokenCounter {
  readonly #count: CountTokens;
  readonly #messages = new WeakMap<Message, number>();

  constructor(count: CountTokens) {
    this.#count = remembering(count);
  }

  text(text: string): number {
    return text === '' ? 0 : this.#count(text);
  }

  message(message: Message): number {
    const known = this.#messages.get(message);
    if (known !== undefined) return known;
    const calls = message.role === 'assistant' ? message.calls : [];
    const fresh = calls.reduce(
      (sum, call) => sum + CALL_TOKENS + this.text(`${call.name} ${encodeArguments(call)}`),
      MESSAGE_TOKENS + this.text(message.text),
    );
    this.#messages.set(message, fresh);
    return fresh;
  }
}
