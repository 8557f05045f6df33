/**
 * Our conversation in the words of chat completions. The same conversation always gives the same bytes, so
 * that a server's prompt cache holds, and what is sent is valid whatever a model once wrote: some servers
 * answer every later request with an error after one bad message.
 */
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import type { AssistantMessage, Message, ToolCall } from '../../messages/conversation.js';
import type { ToolDefinition } from '../../messages/model.js';
import { isRecord } from './json-shape.js';

/** Enough of broken arguments for the model to see its mistake; more would be paid for in every round. */
const MAX_INVALID_ARGUMENTS = 500;
/** What servers accept as the name of a function, in length and letters. */
const MAX_NAME = 64;

/** Half of a character, as a cut in its middle leaves it, is refused by strict JSON readers. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD');

const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? wellFormed(part) : part,
  );

const invalidArguments = (text: string): string =>
  toJson({ invalid_arguments: text.slice(0, MAX_INVALID_ARGUMENTS) });

export function encodeArguments(call: ToolCall): string {
  if (call.invalid !== undefined) return invalidArguments(call.invalid);
  try {
    const json = toJson(call.args ?? null);
    return isRecord(call.args) ? json : invalidArguments(json);
  } catch {
    // Reading JSON has no limit on nesting, but writing it has.
    return invalidArguments('nested too deeply');
  }
}

export const encodeName = (name: string): string =>
  name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_NAME) || 'unnamed';

const encodeCall = (call: ToolCall): ChatCompletionMessageFunctionToolCall => ({
  id: call.id,
  type: 'function',
  function: { name: encodeName(call.name), arguments: encodeArguments(call) },
});

function encodeAssistant(message: AssistantMessage): ChatCompletionAssistantMessageParam {
  const text = wellFormed(message.text);
  if (message.calls.length === 0) return { role: 'assistant', content: text };
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    tool_calls: message.calls.map(encodeCall),
  };
}

function encodeMessage(message: Message): ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: wellFormed(message.text) };
    case 'assistant':
      return encodeAssistant(message);
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: wellFormed(message.text) };
  }
}

/** Messages never change, so each is translated once; an entry goes with its message. */
const translated = new WeakMap<Message, ChatCompletionMessageParam>();

export function encodeMessages(messages: readonly Message[]): ChatCompletionMessageParam[] {
  return messages.map((message) => {
    const known = translated.get(message);
    if (known !== undefined) return known;
    const fresh = encodeMessage(message);
    translated.set(message, fresh);
    return fresh;
  });
}

export const encodeTools = (tools: readonly ToolDefinition[]): ChatCompletionTool[] =>
  tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
