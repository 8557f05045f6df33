/**
 * Chat completions with what OpenRouter adds: who asks, plugins, reasoning that has to be sent back, what
 * a request cost, and the sources of a web search.
 */
import type { Message } from '../../messages/conversation.js';
import type { ModelRequest } from '../../messages/model.js';
import { EMPTY_REPLY, step } from './assemble.js';
import type { ReplyInProgress } from './assemble.js';
import { listOf, recordOf, textOf } from './json-shape.js';
import type { JsonRecord } from './json-shape.js';
import { chatCompletionsBody, openAiProtocol } from './openai-protocol.js';
import type { Protocol } from './protocol.js';
import type { EndpointSettings } from './settings.js';

const NAME = 'openrouter';

/** OpenRouter lists programs by these. It wants an address, and ouro has no home page. */
const WHO_ASKS = { 'HTTP-Referer': 'http://localhost', 'X-Title': 'ouro' };

/** More than a person would look at. */
const MAX_SOURCES = 20;

function reasoningOf(settings: EndpointSettings): JsonRecord {
  const reasoning = {
    ...(settings.reasoningEffort === undefined ? {} : { effort: settings.reasoningEffort }),
    ...(settings.reasoningTokens === undefined ? {} : { max_tokens: settings.reasoningTokens }),
    ...(settings.hideReasoning === undefined ? {} : { exclude: settings.hideReasoning }),
  };
  return Object.keys(reasoning).length === 0 ? {} : { reasoning };
}

/** Providers refuse a call whose reasoning does not come back as they sent it; other models' they refuse too. */
function carriedBy(message: Message | undefined, { model }: ModelRequest): JsonRecord {
  const carried = message?.role === 'assistant' ? message.carried : undefined;
  const own = carried?.protocol === NAME && carried.model === model;
  return own ? { reasoning_details: carried.blocks } : {};
}

/** Pieces of one detail come apart like text; what begins another has another number or kind. */
function addDetail(blocks: readonly JsonRecord[], detail: JsonRecord): readonly JsonRecord[] {
  const last = blocks.at(-1);
  const same = last?.['type'] === detail['type'] && last?.['index'] === detail['index'];
  if (last === undefined || !same || detail['type'] === 'reasoning.encrypted')
    return [...blocks, detail];
  const joined: Record<string, unknown> = { ...last };
  for (const [key, value] of Object.entries(detail)) {
    const isPiece = key === 'text' || key === 'summary';
    joined[key] = isPiece ? textOf(last[key]) + textOf(value) : (value ?? last[key]);
  }
  return blocks.with(-1, joined);
}

function sourceOf(annotation: unknown): string {
  const citation = recordOf(recordOf(annotation)['url_citation']);
  const [url, title] = [textOf(citation['url']), textOf(citation['title'])];
  return title === '' || url === '' ? url : `${title}: ${url}`;
}

function parseEvent(state: ReplyInProgress, event: unknown): ReplyInProgress {
  const choice = recordOf(listOf(recordOf(event)['choices'])[0]);
  const delta = recordOf(choice['delta'] ?? choice['message']);
  const details = listOf(delta['reasoning_details']).map(recordOf);
  const found = listOf(delta['annotations']).map(sourceOf);
  const sources = [...new Set([...state.sources, ...found.filter((source) => source !== '')])];
  const next = step(state, event);
  if (details.length === 0 && sources.length === state.sources.length) return next;
  return {
    ...next,
    // A chunk may hold these alone; it then adds nothing to what is watched.
    ...(next === state ? { added: EMPTY_REPLY.added } : {}),
    blocks: details.reduce(addDetail, state.blocks),
    sources: sources.slice(0, MAX_SOURCES),
  };
}

export const openRouterProtocol: Protocol = {
  metadata: {
    ...openAiProtocol.metadata,
    name: NAME,
    addressForm: 'https://openrouter.ai/api/v1',
  },
  headers: (endpoint) => ({ ...openAiProtocol.headers(endpoint), ...WHO_ASKS }),
  formatRequest(request, endpoint, settings) {
    const body = chatCompletionsBody(request, endpoint, settings);
    const messages = listOf(body['messages']).map((message, at) => ({
      ...recordOf(message),
      ...carriedBy(request.messages[at], request),
    }));
    const plugins = (settings.plugins ?? []).map((id) => ({ id }));
    return {
      ...body,
      messages,
      usage: { include: true },
      ...reasoningOf(settings),
      ...(plugins.length === 0 ? {} : { plugins }),
    };
  },
  parseResponse: (answer) => parseEvent(EMPTY_REPLY, answer),
  parseStreamEvent: parseEvent,
};
