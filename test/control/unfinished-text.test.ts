import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AgentDelta } from '../../messages/agents.js';
import type { ObservedFact } from '../../messages/coordinator.js';
import { UnfinishedText } from '../../src/control/unfinished-text.js';
import { MAIN, modelError, START, SUB } from '../support/session-samples.js';

const KEPT = 16_000;

const delta = (text: string, changes: Partial<AgentDelta> = {}): AgentDelta => ({
  type: 'agent.delta',
  agent: MAIN,
  round: 1,
  kind: 'text',
  text,
  ...changes,
});

function after(...deltas: readonly AgentDelta[]): UnfinishedText {
  const text = new UnfinishedText();
  for (const one of deltas) text.add(one);
  return text;
}

const status = (phase: 'asking' | 'acting' | 'backing-off'): ObservedFact => ({
  type: 'agent.status',
  agent: MAIN,
  phase,
  round: 1,
  at: START,
});

test('pieces of one answer are told as one, each agent apart', () => {
  const text = after(delta('one '), delta('sub', { agent: SUB }), delta('two'));
  expect(text.deltas).toEqual([delta('one two'), delta('sub', { agent: SUB })]);
});

test('another round, or text after reasoning, begins anew', () => {
  const reasoning = delta('hm', { kind: 'reasoning' });
  expect(after(reasoning, delta('so')).deltas).toEqual([delta('so')]);
  const next = delta('next', { round: 2 });
  expect(after(delta('first'), next).deltas).toEqual([next]);
});

test.each<[string, ObservedFact]>([
  [
    'whole',
    {
      type: 'agent.said',
      agent: MAIN,
      round: 1,
      text: 'x',
      reasoning: '',
      calls: [],
      at: START,
    },
  ],
  [
    'withdrawn',
    {
      type: 'model.reset',
      agent: MAIN,
      round: 1,
      attempt: 1,
      error: modelError('server'),
      retryInMs: 1,
      at: START,
    },
  ],
  ['broken off by another phase', status('backing-off')],
  [
    'broken off by the end of the agent',
    {
      type: 'agent.ended',
      agent: MAIN,
      rounds: 1,
      end: { status: 'stopped', reason: 'asked to' },
      at: START,
    },
  ],
])('an answer that is %s is unfinished no more; those of others are', (_, fact) => {
  const text = after(delta('main'), delta('sub', { agent: SUB }));
  text.hear(fact);
  expect(text.deltas).toEqual([delta('sub', { agent: SUB })]);
});

test('what says nothing about the answer leaves it as it is', () => {
  const text = after(delta('main'));
  text.hear(status('asking'));
  text.hear({ type: 'agent.heard', agent: MAIN, round: 1, text: 'go', origin: 'user', at: START });
  expect(text.deltas).toEqual([delta('main')]);
});

test('of a long answer the end is kept, whatever its pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 9_000, size: 'max' }), { minLength: 1 }), (all) => {
      const text = after(...all.map((piece) => delta(piece)));
      expect(text.deltas[0]?.text).toBe(all.join('').slice(-KEPT));
    }),
    { numRuns: 30 },
  );
});
