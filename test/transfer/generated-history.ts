/** Conversations of every kind, as facts: what a session of ours may have in its journal. */
import * as fc from 'fast-check';
import { callIdOf, MAIN_AGENT } from '../../messages/ids.js';
import { factOf, sessionFact, type JournalFact } from '../../messages/journal.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { specOf } from '../support/session-samples.js';

const words = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .map((text) => Buffer.from(text).toString())
  .filter((text) => text.trim() !== '');
const args = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
});

const outcome: fc.Arbitrary<ToolOutcome> = fc.oneof(
  words.map((text): ToolOutcome => ({ status: 'ok', text, truncated: false })),
  words.map((text): ToolOutcome => ({ status: 'failed', reason: 'failed', text })),
  words.map((text): ToolOutcome => ({ status: 'denied', rule: 'a rule', text })),
);
const call = fc.record({
  name: fc.constantFrom('read_file', 'shell', 'grep', 'mcp__a__b'),
  args,
  outcome,
});
const usage = fc.option(
  fc.record({
    promptTokens: fc.nat(1000),
    completionTokens: fc.nat(1000),
    cachedTokens: fc.nat(10),
  }),
);
const round = fc
  .record({
    said: fc.option(words, { nil: '' }),
    reasoning: fc.option(words, { nil: '' }),
    calls: fc.array(call, { maxLength: 3 }),
    usage,
    steer: fc.option(words),
    /** Results come in another order than the calls were made in. */
    reversed: fc.boolean(),
  })
  .filter(({ said, calls }) => said !== '' || calls.length > 0);

export const history: fc.Arbitrary<readonly JournalFact[]> = fc
  .record({ goal: words, rounds: fc.array(round, { minLength: 1, maxLength: 6 }) })
  .map(({ goal, rounds }) => [
    sessionFact('session.started', { spec: specOf({ name: 'generated' }), version: '0', pid: 1 }),
    sessionFact('message.added', { message: { role: 'system', text: 'Be brief.' } }),
    sessionFact('goal.set', { goal }),
    sessionFact('message.added', { message: { role: 'user', text: goal, origin: 'goal' } }),
    ...rounds.flatMap((one, i) => roundFacts(one, i + 1)),
  ]);

type Round = typeof round extends fc.Arbitrary<infer T> ? T : never;

function roundFacts(one: Round, n: number): JournalFact[] {
  const at = <T>(list: readonly T[]): readonly T[] => (one.reversed ? list.toReversed() : list);
  const idOf = (position: number) => callIdOf(MAIN_AGENT, n, position + 1);
  const calls = one.calls.map(({ name, args }, i) => ({ id: idOf(i), name, args }));
  const reasoning = one.reasoning === '' ? {} : { reasoning: one.reasoning };
  const results = one.calls.map(({ name, outcome }, i) =>
    factOf('tool.outcome', MAIN_AGENT, n, { callId: idOf(i), name, outcome }),
  );
  const { steer } = one;
  return [
    factOf('model.outcome', MAIN_AGENT, n, {
      ...{ status: 'ok', usage: one.usage, model: 'some-model', ms: 1 },
      finish: calls.length > 0 ? 'calls' : 'stop',
    }),
    factOf('message.added', MAIN_AGENT, n, {
      message: { role: 'assistant', text: one.said, ...reasoning, calls },
    }),
    ...at(results),
    ...(steer === null
      ? []
      : [
          factOf('message.added', MAIN_AGENT, n, {
            message: { role: 'user', text: steer, origin: 'steer' },
          }),
        ]),
  ];
}
