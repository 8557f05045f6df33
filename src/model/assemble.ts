/**
 * A reply put together from the chunks of a chat-completions stream, or from one whole answer; the other
 * protocols put together the same. Pure, and indifferent to shapes: what a chunk does not have is absent,
 * what it has too much of is ignored.
 */
import type { ModelReply, RawToolCall, Usage } from '../../messages/model.js';
import { NO_CALLS, addPiece } from './call-deltas.js';
import type { CallsInProgress, OpenToolCall } from './call-deltas.js';
import { isRecord, listOf, recordOf, textOf } from './json-shape.js';
import type { JsonRecord } from './json-shape.js';
import { readUsage } from './usage.js';

export interface ReplyInProgress {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: CallsInProgress;
  readonly usage: Usage | null;
  /** The server's own word; null: it has not said that it is finished. */
  readonly finishReason: string | null;
  readonly model: string;
  /** The server said that nothing more comes, in words of its protocol. */
  readonly ended: boolean;
  /** What the server wants to have back with this message. */
  readonly blocks: readonly JsonRecord[];
  /** Where the model found what it says, as the server tells it. */
  readonly sources: readonly string[];
  /** What the newest chunk added, for those who watch. */
  readonly added: { readonly text: string; readonly reasoning: string };
}

export const EMPTY_REPLY: ReplyInProgress = {
  text: '',
  reasoning: '',
  calls: NO_CALLS,
  usage: null,
  finishReason: null,
  model: '',
  ended: false,
  blocks: [],
  sources: [],
  added: { text: '', reasoning: '' },
};

/** Text of content that may be a string or a list of typed parts. */
function partsText(content: unknown, type: string, field: string): string {
  return listOf(content)
    .map(recordOf)
    .map((part) => (part['type'] === type ? partText(part[field]) : ''))
    .join('');
}
const partText = (value: unknown): string =>
  typeof value === 'string' ? value : partsText(value, 'text', 'text');

function spokenText(delta: JsonRecord): string {
  const content = delta['content'];
  const text = typeof content === 'string' ? content : partsText(content, 'text', 'text');
  return text + textOf(delta['refusal']);
}

/** One source only: servers that fill two of these fields say the same in both. */
function reasoningText(delta: JsonRecord): string {
  const plain = textOf(delta['reasoning_content']) || textOf(delta['reasoning']);
  if (plain !== '') return plain;
  const details = delta['reasoning_details'];
  return (
    partsText(details, 'reasoning.text', 'text') +
    partsText(details, 'reasoning.summary', 'summary') +
    partsText(delta['content'], 'thinking', 'thinking')
  );
}

/** The state after a chunk; the same object when the chunk added nothing, as keep-alives do. */
export function step(state: ReplyInProgress, chunk: unknown): ReplyInProgress {
  if (!isRecord(chunk)) return state;
  const choice = recordOf(listOf(chunk['choices'])[0]);
  // A whole answer has a `message` where a chunk has a `delta`.
  const delta = recordOf(choice['delta'] ?? choice['message']);
  const text = spokenText(delta);
  const reasoning = reasoningText(delta);
  const calls = listOf(delta['tool_calls']).reduce(addPiece, state.calls);
  const finishReason = textOf(choice['finish_reason']) || state.finishReason;
  const usage = readUsage(chunk['usage']) ?? state.usage;
  const isNews =
    text !== '' ||
    reasoning !== '' ||
    calls !== state.calls ||
    finishReason !== state.finishReason ||
    usage !== state.usage;
  if (!isNews) return state;
  return {
    ...state,
    text: state.text + text,
    reasoning: state.reasoning + reasoning,
    calls,
    usage,
    finishReason,
    model: state.model || textOf(chunk['model']),
    added: { text, reasoning },
  };
}

function finishOf(reason: string | null, hasCalls: boolean): ModelReply['finish'] {
  switch (reason) {
    case null:
      return 'unstated';
    case 'length':
    case 'max_tokens':
    case 'model_length':
    case 'model_context_window_exceeded':
      return 'length';
    case 'content_filter':
    case 'refusal':
    case 'safety':
    case 'SAFETY':
      return 'filtered';
    default:
      // Servers say `stop` beside calls, and `tool_calls` without any.
      return hasCalls ? 'calls' : 'stop';
  }
}

/**
 * What stands for the arguments of a call that was cut before the first of them: no JSON, so that nobody
 * takes it for a call without arguments.
 */
const CUT_ARGUMENTS = '{';

function rawCall(call: OpenToolCall, cut: boolean): RawToolCall {
  const { id, name, argumentsText } = call;
  if (argumentsText.trim() !== '') return { id, name, argumentsText };
  return { id, name, argumentsText: cut ? CUT_ARGUMENTS : '{}' };
}

const withSources = ({ text, sources }: ReplyInProgress): string =>
  sources.length === 0 ? text : [text, '', 'Sources:', ...sources.map((s) => `- ${s}`)].join('\n');

/**
 * The reply as far as it came. Arguments are as the model wrote them, also where a limit cut them short;
 * a call without any has `{}`. `model` is empty when the server did not name one.
 */
export function finish(state: ReplyInProgress): ModelReply {
  const { calls } = state.calls;
  const stated = finishOf(state.finishReason, calls.length > 0);
  const cutOff = stated === 'length' || stated === 'filtered';
  return {
    text: withSources(state),
    reasoning: state.reasoning,
    calls: calls.map((call, at) => rawCall(call, cutOff && at === calls.length - 1)),
    usage: state.usage,
    finish: stated,
    model: state.model,
  };
}
