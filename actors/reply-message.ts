/** A model's reply as a message of the conversation: what goes back into history is always valid. */
import type { AssistantMessage, ToolCall } from '../messages/conversation.js';
import { callIdOf, type AgentId } from '../messages/ids.js';
import type { ModelReply, RawToolCall } from '../messages/model.js';
import type { ToolBox } from './ports.js';

/** Calls are kept under one name each, whatever the model called them: all that counts them agrees. */
export function messageOf(
  canonical: ToolBox['canonical'],
  agent: AgentId,
  round: number,
  reply: ModelReply,
): AssistantMessage {
  const calls = reply.calls.map((raw, i) =>
    canonical(parseCall(raw, callIdOf(agent, round, i + 1))),
  );
  const { text, reasoning, carried } = reply;
  return {
    role: 'assistant',
    text,
    ...(reasoning === '' ? {} : { reasoning }),
    calls,
    ...(carried === undefined ? {} : { carried }),
  };
}

/** No tool nests deeper; what can be read and not written again would end the journal's append. */
const MAX_DEPTH = 64;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDeeperThan = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1)));

/** Enough to see what the model did wrong; the rest of what is broken is of no use to anybody. */
const MAX_EVIDENCE = 20_000;

/** Arguments that are no JSON object, or are nested absurdly deep, are kept as text: such a call is answered, never run. */
function parseCall(raw: RawToolCall, id: ToolCall['id']): ToolCall {
  const { name, argumentsText, repairedFrom, cut } = raw;
  const repaired =
    repairedFrom === undefined ? {} : { repairedFrom: repairedFrom.slice(0, MAX_EVIDENCE) };
  if (argumentsText.trim() === '') return { id, name, args: {} };
  try {
    const args: unknown = JSON.parse(argumentsText);
    if (isObject(args) && !isDeeperThan(args, MAX_DEPTH)) return { id, name, args, ...repaired };
  } catch {
    // Falls through: the text itself is the evidence.
  }
  const invalid = argumentsText.slice(0, MAX_EVIDENCE);
  return { id, name, args: {}, invalid, ...(cut === undefined ? {} : { cut }) };
}
