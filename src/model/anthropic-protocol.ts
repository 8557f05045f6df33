/**
 * Anthropic's messages: an answer is a list of blocks, each begun, continued and ended by events of its
 * own. Reasoning comes with a signature, and goes back as it came.
 */
import type { ModelRequest, Usage } from '../../messages/model.js';
import { encodeAnthropicTools, encodeConversation, NAME } from './anthropic-messages.js';
import { EMPTY_REPLY } from './assemble.js';
import type { ReplyInProgress } from './assemble.js';
import { addPiece } from './call-deltas.js';
import { isRecord, listOf, recordOf, textOf } from './json-shape.js';
import type { JsonRecord } from './json-shape.js';
import type { Protocol, RequestLimits } from './protocol.js';
import type { EndpointSettings } from './settings.js';
import { readUsage } from './usage.js';

/** The protocol wants a limit. Every model of today can write this much; `model.max_tokens` sets another. */
export const DEFAULT_MAX_TOKENS = 8_192;

const VERSION = '2023-06-01';

function formatRequest(
  request: ModelRequest,
  _endpoint: unknown,
  settings: EndpointSettings & RequestLimits,
): JsonRecord {
  const { thinkingTokens, temperature, maxTokens = DEFAULT_MAX_TOKENS } = settings;
  return {
    model: request.model,
    // Reasoning counts against the limit, so it gets its own share of it.
    max_tokens: maxTokens + (thinkingTokens ?? 0),
    ...(request.tools.length === 0 ? {} : { tools: encodeAnthropicTools(request.tools) }),
    ...encodeConversation(request),
    // A model that reasons takes no other temperature than its own.
    ...(thinkingTokens === undefined
      ? temperature === undefined
        ? {}
        : { temperature }
      : { thinking: { type: 'enabled', budget_tokens: thinkingTokens } }),
    stream: true,
  };
}

const tokens = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

/** What came from the cache and what was put into it is not in `input_tokens`. */
function usageOf(before: Usage | null, value: unknown): Usage | null {
  if (!isRecord(value)) return before;
  const { input_tokens: fresh, cache_read_input_tokens: read } = value;
  const written = tokens(value['cache_creation_input_tokens']);
  const told = fresh === undefined ? undefined : tokens(fresh) + tokens(read) + written;
  const usage = readUsage({
    prompt_tokens: told ?? before?.promptTokens,
    completion_tokens: value['output_tokens'] ?? before?.completionTokens,
    prompt_tokens_details: { cached_tokens: fresh === undefined ? before?.cachedTokens : read },
  });
  const cacheWriteTokens = fresh === undefined ? (before?.cacheWriteTokens ?? 0) : written;
  return usage === null
    ? before
    : { ...usage, ...(cacheWriteTokens > 0 ? { cacheWriteTokens } : {}) };
}

const adding = (
  state: ReplyInProgress,
  { text = '', reasoning = '' }: { text?: string; reasoning?: string },
): ReplyInProgress => ({
  ...state,
  text: state.text + text,
  reasoning: state.reasoning + reasoning,
  added: { text, reasoning },
});

const quiet = (state: ReplyInProgress, change: Partial<ReplyInProgress>): ReplyInProgress => ({
  ...state,
  ...change,
  added: EMPTY_REPLY.added,
});

/** The input of a call that is streamed begins as an empty object; some servers give all of it at once. */
function openCall(state: ReplyInProgress, index: unknown, block: JsonRecord): ReplyInProgress {
  const { id, name, input } = block;
  const whole = isRecord(input) && Object.keys(input).length > 0;
  const piece = { id, index, function: { name, ...(whole ? { arguments: input } : {}) } };
  return quiet(state, { calls: addPiece(state.calls, piece) });
}

function openBlock(state: ReplyInProgress, event: JsonRecord): ReplyInProgress {
  const block = recordOf(event['content_block']);
  switch (block['type']) {
    case 'tool_use':
      return openCall(state, event['index'], block);
    case 'thinking': {
      const reasoning = textOf(block['thinking']);
      return { ...adding(state, { reasoning }), blocks: [...state.blocks, block] };
    }
    case 'redacted_thinking':
      return quiet(state, { blocks: [...state.blocks, block] });
    case 'text':
      return adding(state, { text: textOf(block['text']) });
    default:
      return state;
  }
}

/** More of the block of reasoning that was opened last. */
function extendBlock(state: ReplyInProgress, field: string, more: string): ReplyInProgress {
  const last = state.blocks.at(-1);
  if (last === undefined) return state;
  const block = { ...last, [field]: textOf(last[field]) + more };
  return { ...state, blocks: state.blocks.with(-1, block) };
}

function addDelta(state: ReplyInProgress, event: JsonRecord): ReplyInProgress {
  const delta = recordOf(event['delta']);
  switch (delta['type']) {
    case 'text_delta':
      return adding(state, { text: textOf(delta['text']) });
    case 'thinking_delta': {
      const reasoning = textOf(delta['thinking']);
      return extendBlock(adding(state, { reasoning }), 'thinking', reasoning);
    }
    case 'signature_delta':
      return quiet(extendBlock(state, 'signature', textOf(delta['signature'])), {});
    case 'input_json_delta': {
      const piece = { index: event['index'], function: { arguments: delta['partial_json'] } };
      return quiet(state, { calls: addPiece(state.calls, piece) });
    }
    default:
      return state;
  }
}

function parseStreamEvent(state: ReplyInProgress, event: unknown): ReplyInProgress {
  if (!isRecord(event)) return state;
  switch (event['type']) {
    case 'message_start': {
      const message = recordOf(event['message']);
      const usage = usageOf(state.usage, message['usage']);
      return quiet(state, { usage, model: textOf(message['model']) });
    }
    case 'content_block_start':
      return openBlock(state, event);
    case 'content_block_delta':
      return addDelta(state, event);
    case 'message_delta': {
      const reason = textOf(recordOf(event['delta'])['stop_reason']);
      const usage = usageOf(state.usage, event['usage']);
      return quiet(state, { usage, finishReason: reason || state.finishReason });
    }
    case 'message_stop':
      return quiet(state, { ended: true });
    default:
      return state;
  }
}

/** A whole answer is the same blocks without the events around them. */
function parseResponse(answer: JsonRecord): ReplyInProgress {
  const blocks = listOf(answer['content']).map((block, index) => ({
    type: 'content_block_start',
    index,
    content_block: block,
  }));
  const events = [
    { type: 'message_start', message: answer },
    ...blocks,
    { type: 'message_delta', delta: answer },
    { type: 'message_stop' },
  ];
  return events.reduce<ReplyInProgress>(parseStreamEvent, EMPTY_REPLY);
}

export const anthropicProtocol: Protocol = {
  metadata: {
    name: NAME,
    travel: 'fetch',
    framing: 'events',
    chatPath: '/v1/messages',
    listPath: '/v1/models',
    wholeField: 'content',
    addressForm:
      "an address that speaks Anthropic's messages, such as https://api.anthropic.com/v1",
  },
  headers: ({ apiKey }) => ({
    'anthropic-version': VERSION,
    ...(apiKey === null ? {} : { 'x-api-key': apiKey }),
  }),
  formatRequest,
  parseResponse,
  parseStreamEvent,
};
