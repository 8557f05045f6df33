import { expect, test } from 'vitest';
import { factOf, sessionFact, type JournalFact } from '../../messages/journal.js';
import type { Question } from '../../messages/questions.js';
import { Standing } from '../../src/replay/standing.js';
import { parseRound, upToRound } from '../../src/replay/up-to-round.js';
import { rowsOf } from '../support/journal-rows.js';
import { callId, MAIN, modelError, START, SUB } from '../support/session-samples.js';
import { aRound, begun, endedWith, shell, spawned } from './whole-rounds.js';

function standingAfter(...facts: JournalFact[]): Standing {
  const standing = new Standing();
  for (const row of rowsOf(...facts)) standing.apply(row);
  return standing;
}

const asks = factOf('model.intent', MAIN, 1, { model: 'm', messages: 2, attempt: 1 });

test('an agent asks, waits, acts and is done, as its rows say', () => {
  expect(standingAfter(...begun(), asks).of(MAIN)).toMatchObject({ phase: 'asking', model: 'm' });
  const reset = factOf('model.reset', MAIN, 1, {
    ...{ attempt: 1, error: modelError('server'), retryInMs: 5 },
  });
  expect(standingAfter(asks, reset).of(MAIN).phase).toBe('backing-off');
  const acting = standingAfter(
    ...begun(),
    ...aRound({ round: 1 }, { ...shell('make'), outcome: null }),
  );
  expect(acting.of(MAIN)).toMatchObject({ phase: 'acting', promptTokens: 100, contextTokens: 100 });
  expect(acting.calls).toMatchObject([{ callId: 'main_1_1', summary: 'shell {"command":"make"}' }]);
  const done = standingAfter(...begun(), ...aRound({ round: 1 }, shell('make')), endedWith('done'));
  expect(done.of(MAIN)).toMatchObject({ phase: 'done', end: 'done' });
  expect(done.calls).toEqual([]);
});

test('a sub-agent has a standing of its own', () => {
  const end = { status: 'done', text: 'x', denied: [] } as const;
  const standing = standingAfter(
    ...begun(),
    spawned(SUB),
    ...aRound({ agent: SUB, round: 1 }),
    factOf('agent.ended', SUB, 1, { agent: SUB, rounds: 1, end }),
  );
  expect(standing.of(SUB)).toMatchObject({ phase: 'done', end: 'done', completionTokens: 10 });
  expect(standing.of(MAIN).phase).toBe('gated');
});

test('questions are open until they are answered, and calls until the process ends', () => {
  const question: Question = {
    id: 'q1',
    agent: MAIN,
    callId: callId('main_1_1'),
    body: { kind: 'choice', prompt: 'which?', choices: [], editable: false },
    since: START,
    until: null,
  };
  const open = [
    ...begun(),
    ...aRound({ round: 1 }, { ...shell('x'), outcome: null }),
    sessionFact('question.opened', { question }),
  ];
  expect(standingAfter(...open).questions).toEqual([question]);
  const answered = sessionFact('question.answered', { id: 'q1', answer: { status: 'skipped' } });
  expect(standingAfter(...open, answered).questions).toEqual([]);
  expect(standingAfter(...open, endedWith('stopped')).calls).toEqual([]);
});

test('a round ends before the next request, also when that is made twice', () => {
  const failed = factOf('model.outcome', MAIN, 2, {
    ...{ status: 'failed', error: modelError('server'), ms: 1 },
  });
  const rows = rowsOf(
    ...begun(),
    ...aRound({ round: 1 }),
    factOf('model.intent', MAIN, 2, { model: 'm', messages: 2, attempt: 1 }),
    failed,
    ...aRound({ round: 2 }),
  );
  expect([...upToRound(rows, 0)]).toHaveLength(4);
  expect([...upToRound(rows, 1)]).toHaveLength(7);
  expect([...upToRound(rows, 2)]).toHaveLength(rows.length);
  expect(['0', '12', '-1', '1.5', 'x', ''].map(parseRound)).toEqual([
    0,
    12,
    null,
    null,
    null,
    null,
  ]);
});
