/**
 * Our conversation in the words of Anthropic's messages: the system prompt apart, results as blocks of the
 * user's turn, turns that alternate, and marks at which the server keeps what it has read so far.
 */
import type { AssistantMessage, Message } from '../../messages/conversation.js';
import type { ModelRequest, ToolDefinition } from '../../messages/model.js';
import { encodeArguments, encodeName, wellFormed } from './encode.js';
import { parseJson } from './json-shape.js';
import type { JsonRecord } from './json-shape.js';

export const NAME = 'anthropic';

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly JsonRecord[];
}

/** The server refuses empty text. */
const textBlock = (text: string): JsonRecord => ({
  type: 'text',
  text: text.trim() === '' ? '(nothing)' : wellFormed(text),
});

function assistantBlocks(message: AssistantMessage, model: string): readonly JsonRecord[] {
  const { carried, text, calls } = message;
  const own = carried?.protocol === NAME && carried.model === model ? carried.blocks : [];
  const said = text.trim() === '' && calls.length > 0 ? [] : [textBlock(text.trimEnd())];
  const asked = calls.map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: encodeName(call.name),
    input: parseJson(encodeArguments(call)),
  }));
  return [...own, ...said, ...asked];
}

function turnOf(message: Exclude<Message, { role: 'system' }>, model: string): Turn {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [textBlock(message.text)] };
    case 'assistant':
      return { role: 'assistant', content: assistantBlocks(message, model) };
    case 'tool': {
      const content = [textBlock(message.text)];
      return {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: message.callId, content }],
      };
    }
  }
}

/** Neighbours of one role become one turn. */
function joined(turns: readonly Turn[]): readonly Turn[] {
  return turns.reduce<Turn[]>((all, turn) => {
    const last = all.at(-1);
    if (last?.role !== turn.role) return [...all, turn];
    all[all.length - 1] = { role: turn.role, content: [...last.content, ...turn.content] };
    return all;
  }, []);
}

const MARK = { cache_control: { type: 'ephemeral' } };

const withMark = (blocks: readonly JsonRecord[]): readonly JsonRecord[] =>
  blocks.map((block, at) => (at === blocks.length - 1 ? { ...block, ...MARK } : block));

/** Read again in the next round: what stands up to the newest words of the user, and up to those before. */
const MARKED_TURNS = 2;

function marked(turns: readonly Turn[]): readonly Turn[] {
  const ofUser = turns.flatMap(({ role }, at) => (role === 'user' ? [at] : []));
  const places = ofUser.slice(-MARKED_TURNS);
  return turns.map((turn, at) =>
    places.includes(at) ? { ...turn, content: withMark(turn.content) } : turn,
  );
}

const isSystem = (message: Message) => message.role === 'system';

/** `system` is left out where there is none. A mark on it also covers the tools, which stand before it. */
export function encodeConversation({ messages, model }: ModelRequest): JsonRecord {
  const system = messages.filter(isSystem).map(({ text }) => textBlock(text));
  const turns = messages.flatMap((message) =>
    message.role === 'system' ? [] : [turnOf(message, model)],
  );
  return {
    ...(system.length === 0 ? {} : { system: withMark(system) }),
    messages: marked(joined(turns)),
  };
}

export const encodeAnthropicTools = (tools: readonly ToolDefinition[]): readonly JsonRecord[] =>
  tools.map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: parameters,
  }));
