import { expect, test } from 'vitest';
import type { Answer, QuestionBody } from '../../messages/questions.js';
import { START, MAIN } from '../support/session-samples.js';
import { settled, stateOf } from '../support/settled.js';
import { openDesk } from './question-desk.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const CHOICE: QuestionBody = {
  kind: 'choice',
  prompt: 'Which?',
  choices: ['a', 'b'],
  editable: false,
};
const APPROVAL: QuestionBody = {
  kind: 'approval',
  tool: 'shell',
  subject: 'rm x',
  summary: 'rm x',
  rule: 'not-allowed',
};
const SELECTED: Answer = { status: 'selected', index: 1, text: 'b' };

const withdrawal = { type: 'question.withdraw', callId: 'main_1_1', at: START };

test('a question goes to the mesh, and its answer back to the call', async () => {
  const { ask, context, told, answer } = openDesk('wait');
  const asked = ask(CHOICE, 60_000, context);
  expect(told).toEqual([
    {
      type: 'question.ask',
      agent: MAIN,
      callId: 'main_1_1',
      body: CHOICE,
      until: START + 60_000,
      at: START,
    },
  ]);
  expect(await stateOf(asked)).toBe('pending');
  expect(answer(SELECTED)).toBe(true);
  expect(await asked).toEqual(SELECTED);
  expect(told, 'an answered question is not withdrawn').toHaveLength(1);
});

test.each([
  ['without a limit', null],
  ['with a longer one', 7 * DAY_MS],
])('%s a question waits for a day', (_, timeoutMs) => {
  const { ask, context, told, abort } = openDesk('wait');
  void ask(CHOICE, timeoutMs, context);
  expect(told[0]).toMatchObject({ until: START + DAY_MS });
  abort();
});

const UNASKED: Answer = { status: 'denied', reason: 'nobody is there to be asked' };

test.each<[string, QuestionBody, Answer]>([
  ['a choice', CHOICE, { status: 'timed_out' }],
  ['an approval', APPROVAL, UNASKED],
])('where nobody is to be asked, %s is answered at once by default', async (_, body, expected) => {
  const { ask, context, told, failures } = openDesk('deny');
  expect(await ask(body, null, context)).toEqual(expected);
  expect(told).toEqual([]);
  expect(failures()).toBe(0);
});

test('where no question may come up, one ends the run, and the call still gets an answer', async () => {
  const { ask, context, told, failures } = openDesk('fail');
  expect(await ask(APPROVAL, null, context)).toEqual(UNASKED);
  expect(told).toEqual([]);
  expect(failures()).toBe(1);
});

test('a call that is cancelled withdraws its question; an answer comes too late', async () => {
  const { ask, context, told, answer, abort } = openDesk('wait');
  const asked = ask(CHOICE, null, context);
  await settled(1);
  abort();
  expect(await asked).toEqual({ status: 'withdrawn' });
  expect(told.slice(1)).toEqual([withdrawal]);
  expect(answer(SELECTED)).toBe(false);
});

test('a call that is cancelled before it asks asks nothing', async () => {
  const { ask, context, told, abort } = openDesk('wait');
  abort();
  expect(await ask(CHOICE, null, context)).toEqual({ status: 'withdrawn' });
  expect(told).toEqual([]);
});

test('a call that is cancelled after the answer withdraws nothing', async () => {
  const { ask, context, told, answer, abort } = openDesk('wait');
  const asked = ask(CHOICE, null, context);
  answer(SELECTED);
  await asked;
  abort();
  await settled(1);
  expect(told).toHaveLength(1);
});

test('a question that the mesh does not take any more is withdrawn', async () => {
  const { ask, context } = openDesk('wait', undefined, false);
  expect(await ask(CHOICE, null, context)).toEqual({ status: 'withdrawn' });
});

test('a call may ask again once it has its answer', async () => {
  const { ask, context, answer } = openDesk('wait');
  for (const reply of [SELECTED, { status: 'skipped' } as const]) {
    const asked = ask(CHOICE, null, context);
    answer(reply);
    expect(await asked).toEqual(reply);
  }
});

test('what was answered in an earlier run of the process is not asked again', async () => {
  const { ask, context, told } = openDesk('wait', (id, body) =>
    id === 'main_1_1' && body === CHOICE ? SELECTED : null,
  );
  expect(await ask(CHOICE, null, context)).toEqual(SELECTED);
  expect(told).toEqual([]);
  void ask(APPROVAL, null, context);
  expect(told).toHaveLength(1);
});
