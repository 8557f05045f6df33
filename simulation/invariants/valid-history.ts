/** What a model is sent makes sense, every time. */
import type { Message } from '../../messages/conversation.js';
import type { AgentId, CallId } from '../../messages/ids.js';
import { NEW_BEGINNING } from '../../src/session-context.js';
import { conversationIn } from '../notices.js';
import { wantsSummary } from '../world/summaries.js';
import type { Invariant, Of } from './invariant.js';

export const validHistory: Invariant = {
  name: 'valid-history',
  promise: 'The history is valid in every request: each call has its one result, in order.',
  watch: (report) => {
    const longest = new Map<AgentId, readonly Message[]>();
    const check = ({ request }: Of<'request.sent'>): void => {
      const { agent } = request;
      const messages = conversationIn(request.messages);
      for (const problem of problemsIn(messages)) report(`${agent}: ${problem}`);
      if (wantsSummary(request)) return;
      const before = longest.get(agent) ?? [];
      const words = new Set(saidIn(messages));
      const lost = wordsOf(before).find((text) => !words.has(text));
      if (lost !== undefined) report(`${agent}: the words "${lost}" were in an earlier request`);
      longest.set(agent, messages);
    };
    return {
      see: ({ what }) => {
        if (what.type === 'request.sent') check(what);
      },
    };
  },
};

/**
 * A server that has refused the history gets messages of one role in a row as one, with a blank line between:
 * they may then stand behind something that the program said.
 */
const saidIn = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ role, text }) => (role === 'user' ? text.split('\n\n') : []));

/** Everything that people, or a parent, said to the agent; what the program itself said may be summarised. */
const wordsOf = (messages: readonly Message[]): readonly string[] =>
  saidIn(
    messages
      .filter((message) => message.role === 'user' && message.origin !== 'harness')
      // What the program said at a new beginning may have been put behind it.
      .map((message) => ({ ...message, text: message.text.split(NEW_BEGINNING)[0] ?? '' })),
  ).filter((text) => text !== '');

function problemsIn(messages: readonly Message[]): string[] {
  const problems: string[] = [];
  const open: CallId[] = [];
  const seen = new Set<CallId>();
  for (const [at, message] of messages.entries()) {
    if ((message.role === 'system') !== (at === 0)) problems.push(`${message.role} at ${at}`);
    if (message.role === 'tool') {
      const call = open.shift();
      if (call !== message.callId)
        problems.push(`${message.callId} where ${call ?? 'none'} was due`);
      continue;
    }
    if (open.length > 0) problems.push(`no result of ${open.splice(0).join(', ')}`);
    if (message.role !== 'assistant') continue;
    for (const { id } of message.calls) {
      if (seen.has(id)) problems.push(`two calls are named ${id}`);
      seen.add(id);
      open.push(id);
    }
  }
  if (open.length > 0) problems.push(`no result of ${open.join(', ')}`);
  if (messages.at(-1)?.role === 'assistant') problems.push('it ends with an answer');
  return problems;
}
