/** How many tokens a request may have before anybody has counted them. Rather too many than too few. */
import type { Message } from '../../messages/conversation.js';
import type { ModelRequest, ToolDefinition } from '../../messages/model.js';

/** Bytes rather than characters: a letter beyond ASCII is often a token of its own. English has about 4. */
const BYTES_PER_TOKEN = 3;
/** What a chat template puts around each message. */
const TOKENS_A_MESSAGE = 8;

export const tokensOf = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** Messages and tools never change, so each is measured once. */
const measured = new WeakMap<Message | readonly ToolDefinition[], number>();

function measure(part: Message | readonly ToolDefinition[]): number {
  const known = measured.get(part);
  if (known !== undefined) return known;
  const tokens = tokensOf(Buffer.byteLength(JSON.stringify(part))) + TOKENS_A_MESSAGE;
  measured.set(part, tokens);
  return tokens;
}

/** A server that counts more than this finds something in a request that was never sent. */
const MOST_OFF = 10;

/** Learns how far off the estimate is for each model, upwards only. */
export class PromptEstimates {
  readonly #factors = new Map<string, number>();

  of(request: ModelRequest): number {
    return Math.ceil(promptEstimate(request) * (this.#factors.get(request.model) ?? 1));
  }

  /** `reported`: what the server counted. */
  learn(request: ModelRequest, reported: number): void {
    const factor = Math.min(reported / promptEstimate(request), MOST_OFF);
    if (factor > (this.#factors.get(request.model) ?? 1)) this.#factors.set(request.model, factor);
  }
}

const promptEstimate = ({ messages, tools }: ModelRequest): number =>
  messages.reduce((sum, message) => sum + measure(message), measure(tools));
