/**
 * Notices that Ollama cut the conversation to its window: it does so without a word, and takes the system
 * prompt or the user's turn with it. The sign is a count of tokens far below what the text must have.
 */
import type { ModelRequest, Usage } from '../../messages/model.js';
import type { Endpoint } from './endpoint.js';
import { OLLAMA_PORT } from './protocols.js';
import type { ProtocolName } from './settings.js';

/** English has more characters in a token than anything else an agent reads, some 4.7. */
const CHARS_PER_TOKEN = 4.7;
/** A short prompt fits any window, and says little about characters in a token. */
const MIN_TOKENS = 1_500;
/** Below this share of the fewest tokens the text can have, something is missing. */
const SHARE = 0.7;

/** Runs of white space are few tokens. */
const length = (text: string): number => text.replace(/\s+/g, ' ').length;

function leastTokens({ messages, tools }: ModelRequest): number {
  const texts = messages.map((message) =>
    message.role === 'assistant' ? message.text + JSON.stringify(message.calls) : message.text,
  );
  const chars = [...texts, JSON.stringify(tools)].map(length).reduce((sum, n) => sum + n, 0);
  return Math.floor(chars / CHARS_PER_TOKEN);
}

/** Null: nothing is missing, or the server does not say. */
export function cutPromptNotice(
  request: ModelRequest,
  usage: Usage | null,
  { baseUrl, shownUrl }: Endpoint,
  protocol: ProtocolName,
): string | null {
  const isOllama = protocol === 'ollama' || new URL(baseUrl).port === OLLAMA_PORT;
  if (!isOllama || usage === null || usage.promptTokens === 0) return null;
  const expected = leastTokens(request);
  if (expected < MIN_TOKENS || usage.promptTokens > expected * SHARE) return null;
  const advice =
    protocol === 'ollama'
      ? 'Raise num_ctx of this endpoint in the configuration.'
      : 'Its compatible route cannot be told the size: leave /v1 away from the base URL, and set num_ctx for the endpoint.';
  return `${shownUrl} read ${usage.promptTokens} tokens of a conversation that has at least ${expected}: it cut it to the size of its window, and the model does not know what it was told first. ${advice}`;
}
