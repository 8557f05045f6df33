/** Conversations of any shape, and of a long session, for what works on whole conversations. */
import fc from 'fast-check';
import { Conversation, userMessage } from '../../actors/conversation.js';
import type { AssistantMessage, Message, ToolCall } from '../../messages/conversation.js';
import { callIdOf, MAIN_AGENT } from '../../messages/ids.js';

/** One round: what the model said, its calls with their results, and what a person said before it. */
export interface PastRound {
  readonly heard: string | null;
  readonly text: string;
  readonly calls: readonly {
    readonly name: string;
    readonly args: object;
    readonly result: string;
  }[];
}

export function conversationOf(rounds: readonly PastRound[]): Conversation {
  const conversation = new Conversation();
  conversation.add({ role: 'system', text: 'You are ouro.' });
  conversation.add(userMessage('Find the fault and mend it.', 'goal'));
  rounds.forEach((round, i) => addRound(conversation, round, i + 1));
  return conversation;
}

export function addRound(conversation: Conversation, past: PastRound, round: number): void {
  if (past.heard !== null) conversation.add(userMessage(past.heard, 'steer'));
  const calls = past.calls.map(({ name, args }, i): ToolCall => {
    return { id: callIdOf(MAIN_AGENT, round, i + 1), name, args };
  });
  const answer: AssistantMessage = { role: 'assistant', text: past.text, calls };
  conversation.add(answer);
  past.calls.forEach(({ result }, i) => {
    conversation.addResult(callIdOf(MAIN_AGENT, round, i + 1), {
      status: 'ok',
      text: result,
      truncated: false,
    });
  });
  if (calls.length === 0) conversation.add(userMessage('Go on.', 'harness'));
}

const call = fc.record({
  name: fc.constantFrom('read_file', 'shell', 'grep', 'write_file', 'ask_user'),
  args: fc.record({ path: fc.constantFrom('src/a.ts', 'src/b.ts', 'docs/c d.md') }),
  result: fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.nat({ max: 4_000 }).map((n) => 'line of output 0x1f\n'.repeat(n / 20)),
    fc.nat({ max: 900 }).map((n) => `[exit: 1]\nError: no such thing\n${'x '.repeat(n)}`),
    fc.nat({ max: 300 }).map((n) => '会议记录'.repeat(n)),
  ),
});

export const pastRounds = (maxLength: number): fc.Arbitrary<PastRound[]> =>
  fc.array(
    fc.record({
      heard: fc.option(fc.string({ minLength: 1, maxLength: 60 }), { freq: 6 }),
      text: fc.string({ maxLength: 80 }),
      calls: fc.array(call, { maxLength: 4 }),
    }),
    { maxLength },
  );

/** What no step may break: every call has exactly one result, right behind it, in call order. */
export function pairFaults(messages: readonly Message[]): string[] {
  const faults: string[] = [];
  let expected: readonly string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (message.callId !== expected[0]) faults.push(`result of ${message.callId} out of place`);
      expected = expected.slice(1);
      continue;
    }
    if (expected.length > 0) faults.push(`no result for ${expected.join(', ')}`);
    expected = message.role === 'assistant' ? message.calls.map(({ id }) => id) : [];
  }
  return expected.length > 0 ? [...faults, `no result for ${expected.join(', ')}`] : faults;
}
