/**
 * Ollama's own protocol: one JSON object a line, calls that come whole and without ids, and a window whose
 * size the client says; its compatible route cannot, and then cuts the conversation without a word.
 */
import type { AssistantMessage, Message } from '../../messages/conversation.js';
import type { ModelRequest, Usage } from '../../messages/model.js';
import { EMPTY_REPLY } from './assemble.js';
import type { ReplyInProgress } from './assemble.js';
import { addWhole } from './call-deltas.js';
import { encodeArguments, encodeName, encodeTools, wellFormed } from './encode.js';
import { isRecord, listOf, parseJson, recordOf, textOf } from './json-shape.js';
import type { JsonRecord } from './json-shape.js';
import { openAiProtocol } from './openai-protocol.js';
import type { Protocol, RequestLimits } from './protocol.js';
import type { EndpointSettings } from './settings.js';
import { readUsage } from './usage.js';

/**
 * Tokens of the window when none is set. Ollama's own default of 4,096 does not hold what an agent begins
 * with; this holds a session of some length and still fits next to a small model on most machines.
 */
export const DEFAULT_NUM_CTX = 32_768;

const encodeAssistant = (message: AssistantMessage): JsonRecord => ({
  role: 'assistant',
  content: wellFormed(message.text),
  // What led to a call belongs to it; templates leave out what is of no use any more.
  ...(message.calls.length === 0 || message.reasoning === undefined
    ? {}
    : { thinking: wellFormed(message.reasoning) }),
  ...(message.calls.length === 0
    ? {}
    : {
        tool_calls: message.calls.map((call) => ({
          id: call.id,
          function: {
            name: encodeName(call.name),
            arguments: parseJson(encodeArguments(call)),
          },
        })),
      }),
});

function encodeMessage(message: Message): JsonRecord {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: wellFormed(message.text) };
    case 'assistant':
      return encodeAssistant(message);
    case 'tool':
      return {
        role: 'tool',
        tool_name: encodeName(message.name),
        tool_call_id: message.callId,
        content: wellFormed(message.text),
      };
  }
}

const optionsOf = (settings: EndpointSettings & RequestLimits): JsonRecord => ({
  num_ctx: settings.numCtx ?? DEFAULT_NUM_CTX,
  ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
  ...(settings.maxTokens === undefined ? {} : { num_predict: settings.maxTokens }),
});

const formatRequest = (
  request: ModelRequest,
  _endpoint: unknown,
  settings: EndpointSettings & RequestLimits,
): JsonRecord => ({
  model: request.model,
  messages: request.messages.map(encodeMessage),
  ...(request.tools.length === 0 ? {} : { tools: encodeTools(request.tools) }),
  stream: true,
  options: optionsOf(settings),
  ...(settings.keepAlive === undefined ? {} : { keep_alive: settings.keepAlive }),
  ...(settings.think === undefined ? {} : { think: settings.think }),
});

/** Counts come with the last line; what was in the cache is not told apart. */
const usageOf = (event: JsonRecord): Usage | null =>
  readUsage({
    prompt_tokens: event['prompt_eval_count'],
    completion_tokens: event['eval_count'],
  });

function addCalls(state: ReplyInProgress, calls: readonly unknown[]): ReplyInProgress['calls'] {
  return calls.filter(isRecord).reduce((all, call) => {
    const target = recordOf(call['function']);
    const { name, arguments: given } = target;
    return addWhole(all, { id: textOf(call['id']), name: textOf(name), arguments: given });
  }, state.calls);
}

function parseStreamEvent(state: ReplyInProgress, event: unknown): ReplyInProgress {
  if (!isRecord(event)) return state;
  const message = recordOf(event['message']);
  const [text, reasoning] = [textOf(message['content']), textOf(message['thinking'])];
  const calls = addCalls(state, listOf(message['tool_calls']));
  const ended = event['done'] === true;
  if (text === '' && reasoning === '' && calls === state.calls && !ended) return state;
  return {
    ...state,
    text: state.text + text,
    reasoning: state.reasoning + reasoning,
    calls,
    usage: usageOf(event) ?? state.usage,
    finishReason: ended ? textOf(event['done_reason']) || 'stop' : state.finishReason,
    model: state.model || textOf(event['model']),
    ended,
    added: { text, reasoning },
  };
}

export const ollamaProtocol: Protocol = {
  metadata: {
    name: 'ollama',
    travel: 'fetch',
    framing: 'lines',
    chatPath: '/api/chat',
    listPath: '/api/tags',
    wholeField: 'message',
    addressForm: 'the address of an Ollama server, such as http://127.0.0.1:11434',
  },
  headers: openAiProtocol.headers,
  formatRequest,
  parseResponse: (answer) => parseStreamEvent(EMPTY_REPLY, answer),
  parseStreamEvent,
};
