import { expect, test } from 'vitest';
import { childrenIn, survivorsIn } from '../../actors/recovered-sub-agents.js';
import { fold, repairs } from '../../actors/recovery.js';
import { userMessage } from '../../actors/conversation.js';
import type { AgentId } from '../../messages/ids.js';
import { factOf, type JournalFact } from '../../messages/journal.js';
import { callId, callOf, MAIN, okOutcome, START, SUB } from '../support/session-samples.js';

const calling = (agent: AgentId, call: string): JournalFact =>
  factOf('message.added', agent, 1, {
    message: { role: 'assistant', text: '', calls: [callOf(call, 'delegate')] },
  });
const spawned = (
  agent: AgentId,
  call: string,
  parent: AgentId = MAIN,
  background = false,
): JournalFact =>
  factOf('agent.spawned', agent, 0, {
    agent,
    parent,
    callId: callId(call),
    task: { kind: 'worker', task: 'build', context: '', ...(background ? { background } : {}) },
  });
const answered = (agent: AgentId, call: string): JournalFact =>
  factOf('tool.outcome', agent, 1, {
    callId: callId(call),
    name: 'delegate',
    outcome: okOutcome(),
  });
const ends = (agent: AgentId): JournalFact =>
  factOf('agent.ended', agent, 1, {
    agent,
    rounds: 1,
    end: { status: 'done', text: 'seen', denied: [] },
  });
const OTHER = 'sub-2' as AgentId;

const rebuilt = (...facts: readonly JournalFact[]) =>
  fold(facts.map((fact, i) => ({ ...fact, seq: i + 1, ts: START })));
const going = (...facts: readonly JournalFact[]): string[] =>
  survivorsIn(rebuilt(...facts).agents).map(({ id }) => id);
const lost = (...facts: readonly JournalFact[]): string[] =>
  repairs(rebuilt(...facts), () => '').flatMap(({ kind, agent }) =>
    kind === 'agent.ended' ? [agent] : [],
  );

test('one that a call waits for goes on, and so does one in the background', () => {
  const waitedFor = [calling(MAIN, 'c1'), spawned(SUB, 'c1')];
  expect(going(...waitedFor)).toEqual([SUB]);
  expect(lost(...waitedFor)).toEqual([]);
  const beside = [calling(MAIN, 'c1'), spawned(SUB, 'c1', MAIN, true), answered(MAIN, 'c1')];
  expect(going(...beside)).toEqual([SUB]);
  expect(lost(...beside)).toEqual([]);
});

test('one whose call has had its answer is over, with all that work for it', () => {
  const facts = [
    calling(MAIN, 'c1'),
    spawned(SUB, 'c1'),
    calling(SUB, 'c2'),
    spawned(OTHER, 'c2', SUB),
    answered(MAIN, 'c1'),
  ];
  expect(going(...facts.slice(0, -1))).toEqual([SUB, OTHER]);
  expect(going(...facts)).toEqual([]);
  expect(lost(...facts)).toEqual([SUB, OTHER]);
});

test('one that has ended stays ended, and is known to have been reported', () => {
  const report = factOf('message.added', MAIN, 1, {
    message: userMessage('seen', 'harness'),
    report: SUB,
  });
  const facts = [spawned(SUB, 'c1', MAIN, true), ends(SUB)];
  expect(going(...facts)).toEqual([]);
  const told = (...all: readonly JournalFact[]) =>
    childrenIn(rebuilt(...all).agents).map(({ reported }) => reported);
  expect(told(...facts)).toEqual([false]);
  expect(told(...facts, report)).toEqual([true]);
});
