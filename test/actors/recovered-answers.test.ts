import { expect, test } from 'vitest';
import { fold, repairs } from '../../actors/recovery.js';
import type { ActionRequest } from '../../messages/actions.js';
import { factOf, sessionFact, type JournalFact, type JournalRow } from '../../messages/journal.js';
import type { Answer, QuestionBody } from '../../messages/questions.js';
import { callId, MAIN, okOutcome, specOf, START } from '../support/session-samples.js';

const CALL = callId('main_1_1');
const APPROVAL: QuestionBody = {
  kind: 'approval',
  tool: 'shell',
  subject: 'make',
  summary: 'shell make',
  rule: 'ask shell',
};
const APPROVED: Answer = { status: 'approved', scope: 'once' };

const OPENED = sessionFact('question.opened', {
  question: { id: 'q1', agent: MAIN, callId: CALL, body: APPROVAL, since: START, until: null },
});
const acts = (action: ActionRequest): JournalFact => sessionFact('user.action', { action });
const approves = acts({ do: 'approve', question: 'q1', scope: 'once' });
const closes = (answer: Answer): JournalFact =>
  sessionFact('question.answered', { id: 'q1', answer });

const rowsOf = (...facts: readonly JournalFact[]): JournalRow[] =>
  [sessionFact('session.started', { spec: specOf(), version: '1', pid: 1 }), ...facts].map(
    (fact, i) => ({ ...fact, seq: i + 1, ts: START }),
  );

const answerIn = (...facts: readonly JournalFact[]): Answer | null =>
  fold(rowsOf(...facts)).answers.of(CALL, APPROVAL);

test('an answer that is on record counts for the call that asked, and for the same question alone', () => {
  const { answers } = fold(rowsOf(OPENED, approves, closes(APPROVED)));
  expect(answers.of(CALL, APPROVAL)).toEqual(APPROVED);
  expect(answers.of(CALL, { ...APPROVAL, subject: 'make install' })).toBeNull();
  expect(answers.of(callId('main_1_2'), APPROVAL)).toBeNull();
});

test('an answer that was accepted counts although the process died before it was carried out', () => {
  const recovered = fold(rowsOf(OPENED, approves));
  expect(recovered.answers.of(CALL, APPROVAL)).toEqual(APPROVED);
  expect(repairs(recovered, () => '')).toEqual([closes(APPROVED)]);
});

test.each<[string, readonly JournalFact[]]>([
  ['nobody has answered', [OPENED]],
  ['it was withdrawn', [OPENED, closes({ status: 'withdrawn' })]],
  ['the answer does not fit', [OPENED, acts({ do: 'answer', question: 'q1', text: 'yes' })]],
  ['it was about another question', [OPENED, acts({ do: 'deny', question: 'q2', reason: '' })]],
  ['the answer came after the end', [OPENED, closes({ status: 'withdrawn' }), approves]],
])('the call asks again where %s', (_, facts) => {
  expect(answerIn(...facts)).toBeNull();
});

test('of two answers the first one counts, and what the session made of them wins', () => {
  const denies = acts({ do: 'deny', question: 'q1', reason: 'no' });
  expect(answerIn(OPENED, approves, denies)).toEqual(APPROVED);
  const late: Answer = { status: 'denied', reason: 'nobody answered in time' };
  expect(answerIn(OPENED, approves, closes(late))).toEqual(late);
});

test('a call that has its outcome needs no answer any more', () => {
  const body = { callId: CALL, name: 'shell', outcome: okOutcome() };
  expect(
    answerIn(OPENED, approves, closes(APPROVED), factOf('tool.outcome', MAIN, 1, body)),
  ).toBeNull();
});
