import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Conversation, userMessage } from '../../actors/conversation.js';
import { callId, callOf, okOutcome } from '../support/session-samples.js';
import { expectWellFormed } from '../support/recovery-rules.js';

const withCalls = (...ids: string[]): Conversation => {
  const conversation = new Conversation();
  conversation.add(userMessage('count', 'goal'));
  const calls = ids.map((id) => callOf(id));
  conversation.add({ role: 'assistant', text: '', calls });
  return conversation;
};

test('results enter all together, in call order, once the last is in', () => {
  const conversation = withCalls('a', 'b');
  conversation.addResult(callId('b'), okOutcome('B'));
  expect(conversation.messages).toHaveLength(2);
  expect(conversation.openCalls.map(({ id }) => id)).toEqual(['a']);
  conversation.addResult(callId('a'), okOutcome('A'));
  expect(conversation.messages.slice(2)).toEqual([
    { role: 'tool', callId: 'a', name: 'read_file', text: 'A' },
    { role: 'tool', callId: 'b', name: 'read_file', text: 'B' },
  ]);
  expect(conversation.openCalls).toEqual([]);
});

test('a second result for a call, or one that nobody asked for, changes nothing', () => {
  const conversation = withCalls('a', 'b');
  conversation.addResult(callId('a'), okOutcome('first'));
  conversation.addResult(callId('a'), okOutcome('second'));
  conversation.addResult(callId('zzz'), okOutcome());
  conversation.addResult(callId('b'), okOutcome());
  conversation.addResult(callId('b'), okOutcome('late'));
  expect(conversation.messages.slice(2).map((m) => m.role === 'tool' && m.text)).toEqual([
    'first',
    'fine',
  ]);
});

test('whatever the order of the results, the conversation is well formed', () => {
  const batches = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 5 });
  fc.assert(
    fc.property(batches, fc.infiniteStream(fc.nat()), (sizes, chance) => {
      const conversation = new Conversation();
      for (const [round, size] of sizes.entries()) {
        const calls = Array.from({ length: size }, (_, i) => callOf(`${round}_${i}`));
        conversation.add({ role: 'assistant', text: '', calls });
        while (conversation.openCalls.length > 0) {
          const open = conversation.openCalls;
          const next = open[(chance.next().value as number) % open.length];
          if (next !== undefined) conversation.addResult(next.id, okOutcome(next.id));
          expectWellFormed(conversation);
        }
      }
      expect(conversation.messages).toHaveLength(sizes.reduce((sum, n) => sum + 1 + n, 0));
    }),
  );
});

test('the turn is over when the model asks for nothing more', () => {
  const conversation = withCalls('a');
  expect(conversation.turnIsOver).toBe(false);
  conversation.addResult(callId('a'), okOutcome());
  expect(conversation.turnIsOver).toBe(false);
  conversation.add({ role: 'assistant', text: 'There is one.', calls: [] });
  expect(conversation.turnIsOver).toBe(true);
  conversation.add(userMessage('again', 'queue'));
  expect(conversation.turnIsOver).toBe(false);
});

test('the turn is over when work was submitted, until somebody speaks', () => {
  const conversation = new Conversation();
  const args = { summary: 'counted', outcome: 'done' };
  conversation.add({ role: 'assistant', text: '', calls: [callOf('s', 'submit', args)] });
  expect(conversation.turnIsOver).toBe(false);
  conversation.addResult(callId('s'), okOutcome());
  expect(conversation.turnIsOver).toBe(true);
  conversation.add(userMessage('one more thing', 'steer'));
  expect(conversation.turnIsOver).toBe(false);
});

test('the last words are the newest the model has said', () => {
  const conversation = new Conversation();
  expect(conversation.lastText).toBe('');
  conversation.add({ role: 'assistant', text: 'First.', calls: [] });
  conversation.add(userMessage('go on', 'steer'));
  conversation.add({ role: 'assistant', text: '', calls: [callOf('a')] });
  expect(conversation.lastText).toBe('First.');
});

test('steering words may be read at once, queued words at the end of the turn, in order', () => {
  const conversation = new Conversation();
  const say = (text: string, mode: 'steer' | 'queue', source: number): void =>
    conversation.hear({ text, mode, source });
  say('q1', 'queue', 1);
  say('s1', 'steer', 2);
  say('q2', 'queue', 3);
  expect(conversation.takeSaid(false).map(({ text }) => text)).toEqual(['s1']);
  expect(conversation.takeSaid(false)).toEqual([]);
  say('s2', 'steer', 4);
  expect(conversation.takeSaid(true).map(({ text }) => text)).toEqual(['q1', 'q2', 's2']);
  expect(conversation.said).toEqual([]);
});

test('words that were read already are forgotten by their row', () => {
  const conversation = new Conversation();
  conversation.hear({ text: 'same', mode: 'steer', source: 1 });
  conversation.hear({ text: 'same', mode: 'steer', source: 2 });
  conversation.forgetSaid(1);
  expect(conversation.said.map(({ source }) => source)).toEqual([2]);
});
