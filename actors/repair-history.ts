/**
 * Makes a conversation fit to be sent to a server that has refused it. Ours is kept valid as it grows; what
 * is not can only have come from outside, such as an import or a salvaged journal, or be more than one
 * server's template can bear. Pure; what is sound comes back as the very same array.
 */
import type { AssistantMessage, Message, ToolCall, ToolMessage } from '../messages/conversation.js';

const NO_RESULT = '[no result of this call was kept]';
const EMPTY_RESULT = '(empty)';

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Arguments that are no object would break some servers' templates at every later request. */
const repairCall = (call: ToolCall): ToolCall =>
  call.invalid === undefined && isObject(call.args)
    ? call
    : { id: call.id, name: call.name, args: {} };

function repairAssistant(message: AssistantMessage): AssistantMessage {
  const calls = message.calls.map(repairCall);
  return calls.every((call, i) => call === message.calls[i]) ? message : { ...message, calls };
}

/** One result for each call, in call order; a missing one says so. */
function resultsOf(calls: readonly ToolCall[], found: readonly ToolMessage[]): ToolMessage[] {
  return calls.map(({ id, name }): ToolMessage => {
    const result = found.find(({ callId }) => callId === id);
    if (result === undefined) return { role: 'tool', callId: id, name, text: NO_RESULT };
    return result.text.trim() === '' ? { ...result, text: EMPTY_RESULT } : result;
  });
}

const isEmpty = (message: Message): boolean =>
  message.text.trim() === '' && !(message.role === 'assistant' && message.calls.length > 0);

/** Two of one role in a row become one, since some templates insist that roles alternate. */
function joined(before: Message | undefined, next: Message): Message | null {
  if (before === undefined) return null;
  const text = `${before.text}\n\n${next.text}`;
  if (before.role === 'user' && next.role === 'user') return { ...before, text };
  if (before.role === 'assistant' && next.role === 'assistant' && before.calls.length === 0) {
    return { ...next, text: next.text === '' ? before.text : text };
  }
  return null;
}

export function repairHistory(messages: readonly Message[]): readonly Message[] {
  const fixed: Message[] = [];
  for (const [at, message] of messages.entries()) {
    // Results are taken with the answer that asked for them; one without a call has no place.
    if (message.role === 'tool' || isEmpty(message)) continue;
    const next = message.role === 'assistant' ? repairAssistant(message) : message;
    const join = joined(fixed.at(-1), next);
    if (join === null) fixed.push(next);
    else fixed[fixed.length - 1] = join;
    if (next.role === 'assistant') {
      fixed.push(...resultsOf(next.calls, resultsBehind(messages, at)));
    }
  }
  const isSame = fixed.length === messages.length && fixed.every((m, i) => m === messages[i]);
  return isSame ? messages : fixed;
}

/** The tool messages up to the next answer. */
function resultsBehind(messages: readonly Message[], at: number): ToolMessage[] {
  const found: ToolMessage[] = [];
  for (let i = at + 1; i < messages.length; i += 1) {
    const message = messages[i];
    if (message === undefined || message.role === 'assistant') break;
    if (message.role === 'tool') found.push(message);
  }
  return found;
}
