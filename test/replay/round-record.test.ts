import { expect, test } from 'vitest';
import { factOf, sessionFact, type JournalFact } from '../../messages/journal.js';
import type { Question } from '../../messages/questions.js';
import { RoundFold, type RoundRecord } from '../../src/replay/round-record.js';
import { rowsOf } from '../support/journal-rows.js';
import { callId, MAIN, modelError, okOutcome, START, SUB } from '../support/session-samples.js';
import { aRound, begun, shell, write } from './whole-rounds.js';

function recordOf(round: number | null, ...facts: JournalFact[]): RoundRecord | null {
  const fold = new RoundFold(MAIN, round);
  for (const row of rowsOf(...facts)) fold.apply(row);
  return fold.record();
}

test('a round has its request, its answer, and its calls with their length', () => {
  const facts = [
    ...begun(),
    ...aRound({ round: 1, text: 'Look:' }, shell('ls')),
    ...aRound({ round: 2 }),
  ];
  expect(recordOf(1, ...facts)).toEqual({
    agent: 'main',
    round: 1,
    attempts: [
      {
        attempt: 1,
        model: 'scripted',
        messages: 2,
        asked_at: new Date(START + 4).toISOString(),
        status: 'ok',
        duration_ms: 5,
        error: null,
        retry_in_ms: null,
      },
    ],
    tools: null,
    answer: {
      model: 'scripted',
      text: 'Look:',
      reasoning: '',
      finish: 'stop',
      duration_ms: 5,
      usage: { promptTokens: 100, completionTokens: 10, cachedTokens: 0 },
    },
    calls: [
      {
        call_id: 'main_1_1',
        name: 'shell',
        args: { command: 'ls' },
        sent: null,
        effect: 'execute',
        began_at: new Date(START + 7).toISOString(),
        duration_ms: 1,
        status: 'ok',
        text: '[exit: 0]\nwords',
        cached: false,
        rule: null,
        question: null,
        pid: null,
        model_use: [],
      },
    ],
  });
  expect(recordOf(null, ...facts)?.round).toBe(2);
  expect(recordOf(3, ...facts)).toBeNull();
});

test('attempts that failed are told with what went wrong and how long was waited', () => {
  const failed = { status: 'failed', error: modelError('server'), ms: 3 } as const;
  const record = recordOf(
    1,
    ...begun(),
    factOf('model.intent', MAIN, 1, { model: 'big', messages: 2, attempt: 1 }),
    factOf('model.outcome', MAIN, 1, failed),
    factOf('model.reset', MAIN, 1, { attempt: 1, error: modelError('server'), retryInMs: 500 }),
    factOf('model.intent', MAIN, 1, { model: 'big', messages: 2, attempt: 2 }),
  );
  expect(record?.attempts).toMatchObject([
    { attempt: 1, status: 'failed', error: { kind: 'server' }, retry_in_ms: 500 },
    { attempt: 2, status: 'pending', error: null },
  ]);
  expect(record?.answer).toBeNull();
});

test('what decided about a call is told: a rule, or a person', () => {
  const question: Question = {
    id: 'q1',
    agent: MAIN,
    callId: callId('main_1_2'),
    body: { kind: 'approval', tool: 'shell', subject: 'make', summary: 'make', rule: 'ask shell' },
    since: START,
    until: null,
  };
  const denied = { status: 'denied', rule: 'deny shell(rm*)', text: 'no' } as const;
  const [...rows] = aRound(
    { round: 1 },
    { name: 'shell', args: { command: 'rm x' }, outcome: denied },
    { ...shell('make'), outcome: null },
  );
  const record = recordOf(
    1,
    ...begun(),
    ...rows,
    sessionFact('question.opened', { question }),
    sessionFact('question.answered', { id: 'q1', answer: { status: 'approved', scope: 'once' } }),
  );
  expect(record?.calls).toMatchObject([
    { status: 'denied', rule: 'deny shell(rm*)', effect: null },
    { status: 'open', rule: 'ask shell', question: { id: 'q1', answer: 'approved' } },
  ]);
});

test('the tools on offer are those that were named last, and other agents have their own', () => {
  const named = (agent: typeof MAIN, round: number, tools: string[]): JournalFact =>
    factOf('model.intent', agent, round, { model: 'm', messages: 2, attempt: 1, tools });
  const facts = [
    ...begun(),
    named(MAIN, 1, ['shell']),
    named(SUB, 1, ['grep']),
    ...aRound({ round: 2 }, write('x')),
    named(MAIN, 3, ['think']),
  ];
  expect(recordOf(1, ...facts)?.tools).toEqual(['shell']);
  expect(recordOf(2, ...facts)?.tools).toEqual(['shell']);
  expect(recordOf(3, ...facts)?.tools).toEqual(['think']);
});

test('calls of other rounds do not get into a round, however late they end', () => {
  const late = factOf('tool.outcome', MAIN, 1, {
    ...{ callId: callId('main_1_1'), name: 'shell', outcome: okOutcome('late') },
  });
  const first = aRound({ round: 1 }, { ...shell('sleep'), outcome: null });
  const facts = [...begun(), ...first, ...aRound({ round: 2 }, write('x')), late];
  expect(recordOf(2, ...facts)?.calls.map(({ call_id }) => call_id)).toEqual(['main_2_1']);
  expect(recordOf(1, ...facts)?.calls).toMatchObject([{ call_id: 'main_1_1', text: 'late' }]);
});
