/**
 * Reads the body of a chat-completions request into a conversation, and refuses what a strict server
 * refuses: each call must be followed by exactly one result with its id, and arguments in the history must
 * be JSON (a real llama-server answers 500 to every request whose history holds broken ones).
 */
import { badRequest } from './refusal.js';
import type { Refusal } from './refusal.js';

interface ChatCall {
  readonly id: string;
  readonly name: string;
}

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ChatCall[] }
  /** `name` is that of the call it answers. */
  | {
      readonly role: 'tool';
      readonly text: string;
      readonly callId: string;
      readonly name: string;
    };

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** Tools are offered to the model. */
  readonly hasTools: boolean;
}

type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

export function parseChatRequest(body: string): Parsed<ChatRequest> {
  const given = asTable(parseJson(body));
  if (given === null) return refuse('We could not parse the JSON body of your request.');
  if (typeof given.model !== 'string') return refuse('you must provide a model parameter');
  const list = given.messages;
  if (!Array.isArray(list) || list.length === 0) {
    return refuse("'messages' must be an array with at least one message");
  }
  const messages = readMessages(list);
  if (!messages.ok) return messages;
  const value = {
    messages: messages.value,
    stream: given.stream === true,
    includeUsage: asTable(given.stream_options)?.include_usage === true,
    hasTools: Array.isArray(given.tools) && given.tools.length > 0,
  };
  return { ok: true, value };
}

const refuse = (message: string): Parsed<never> => ({ ok: false, refusal: badRequest(message) });

function readMessages(list: readonly unknown[]): Parsed<ChatMessage[]> {
  const messages: ChatMessage[] = [];
  /** Calls of the last answer that have no result yet, by id. */
  const open = new Map<string, string>();
  for (const [index, item] of list.entries()) {
    const given = asTable(item);
    if (given === null) return refuse(`messages[${index}] must be an object`);
    if (given.role !== 'tool' && open.size > 0) return withoutResults(open);
    const message = readMessage(given, `messages[${index}]`, open);
    if (!message.ok) return message;
    messages.push(message.value);
  }
  return open.size > 0 ? withoutResults(open) : { ok: true, value: messages };
}

const withoutResults = (open: ReadonlyMap<string, string>): Parsed<never> =>
  refuse(
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each " +
      `'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open.keys()].join(', ')}`,
  );

function readMessage(given: Table, place: string, open: Map<string, string>): Parsed<ChatMessage> {
  const text = textOf(given.content);
  if (text === null) return refuse(`${place}.content must be a text or a list of text parts`);
  switch (given.role) {
    case 'system':
    case 'developer':
      return { ok: true, value: { role: 'system', text } };
    case 'user':
      return { ok: true, value: { role: 'user', text } };
    case 'assistant': {
      const calls = readCalls(given.tool_calls ?? [], place, open);
      return calls.ok
        ? { ok: true, value: { role: 'assistant', text, calls: calls.value } }
        : calls;
    }
    case 'tool':
      return readResult(given, text, place, open);
    default:
      return refuse(`${place}.role must be one of system, developer, user, assistant, tool`);
  }
}

function readResult(
  given: Table,
  text: string,
  place: string,
  open: Map<string, string>,
): Parsed<ChatMessage> {
  const callId = typeof given.tool_call_id === 'string' ? given.tool_call_id : '';
  const name = open.get(callId);
  if (name === undefined) {
    return refuse(
      `${place}: messages with role 'tool' must be a response to a preceding message with 'tool_calls', ` +
        `one for each id; "${callId}" has no call that waits for a result`,
    );
  }
  open.delete(callId);
  return { ok: true, value: { role: 'tool', text, callId, name } };
}

function readCalls(given: unknown, place: string, open: Map<string, string>): Parsed<ChatCall[]> {
  if (!Array.isArray(given)) return refuse(`${place}.tool_calls must be an array`);
  const calls: ChatCall[] = [];
  for (const item of given as readonly unknown[]) {
    const id = asTable(item)?.id;
    const called = asTable(asTable(item)?.function);
    if (typeof id !== 'string' || id === '' || typeof called?.name !== 'string') {
      return refuse(`${place}.tool_calls: each needs an id and a function with a name`);
    }
    if (open.has(id)) return refuse(`${place}.tool_calls: the id "${id}" is used twice`);
    const broken = brokenArguments(called.arguments);
    if (broken !== null) return { ok: false, refusal: broken };
    open.set(id, called.name);
    calls.push({ id, name: called.name });
  }
  return { ok: true, value: calls };
}

/** The 500 is what a llama-server says, and it says it again to the same history for ever. */
function brokenArguments(given: unknown): Refusal | null {
  if (typeof given === 'string' && parseJson(given) !== undefined) return null;
  const message = `Failed to parse tool call arguments as JSON: ${String(given).slice(0, 200)}`;
  return { status: 500, type: 'server_error', code: 500, message };
}

type Table = Readonly<Record<string, unknown>>;

const asTable = (value: unknown): Table | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : null;

/** Undefined: it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Null: neither absent, nor a text, nor parts with texts. */
function textOf(content: unknown): string | null {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  const parts = content.map((part: unknown) => asTable(part)?.text);
  return parts.every((part) => typeof part === 'string') ? parts.join('') : null;
}
