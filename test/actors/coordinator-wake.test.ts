import { expect, test } from 'vitest';
import { initialState, newAgent, type State } from '../../actors/coordinator-state.js';
import { step } from '../../actors/coordinator-step.js';
import { LEAST_TO_ANSWER_MS } from '../../actors/coordinator-wake.js';
import { changeHolds } from '../../actors/pause-controller.js';
import type { Letter } from '../../messages/coordinator.js';
import type { Question } from '../../messages/questions.js';
import { callId, holdOf, MAIN, specOf, START, SUB } from '../support/session-samples.js';

const HOUR = 60 * 60 * 1_000;
const WOKEN = START + 8 * HOUR;

const working: State = {
  ...initialState(specOf(), 'count'),
  life: 'working',
  agents: [
    newAgent(MAIN, null, 'count', 'm'),
    { ...newAgent(SUB, MAIN, 'look', 'm'), end: 'done' },
  ],
};

const question = (id: string, until: number | null): Question => ({
  id,
  agent: MAIN,
  callId: callId(id),
  body: { kind: 'choice', prompt: 'Which?', choices: [], editable: false },
  since: START,
  until,
});

const wake = (state: State): [State, Letter[]] =>
  step(state, { type: 'session.woke', sleptMs: 8 * HOUR, at: WOKEN });

test('the requests of the agents that still work are asked again, and the log says why', () => {
  const [state, letters] = wake(working);
  const aborted = letters.filter(({ to }) => to === 'agent');
  expect(aborted).toEqual([{ to: 'agent', agent: MAIN, message: { type: 'agent.abortRequest' } }]);
  expect(state.log.at(-1)?.kind).toBe('notice');
  expect(state.log.at(-1)?.text).toContain('480 min');
});

test('a question can be answered for ten minutes at least; longer times and none stay', () => {
  const questions = [
    question('q1', START + HOUR),
    question('q2', WOKEN + HOUR),
    question('q3', null),
  ];
  const [state, letters] = wake({ ...working, questions });
  expect(state.questions.map(({ until }) => until)).toEqual([
    WOKEN + LEAST_TO_ANSWER_MS,
    WOKEN + HOUR,
    null,
  ]);
  const toPause = letters.flatMap((letter) => (letter.to === 'pause' ? [letter.message] : []));
  expect(toPause).toMatchObject([
    { type: 'pause.hold', hold: { kind: 'question', until: WOKEN + LEAST_TO_ANSWER_MS } },
    { type: 'pause.woke' },
  ]);
});

test('holds that were due meanwhile are lifted, once; the others stay', () => {
  const due = holdOf({ kind: 'timer', until: START + HOUR });
  const later = holdOf({ kind: 'rate-limit', until: WOKEN + 1 });
  const forEver = holdOf();
  const first = changeHolds([due, later, forEver], { type: 'pause.woke' }, WOKEN);
  expect(first.lifted).toEqual([due]);
  expect(first.holds).toEqual([later, forEver]);
  expect(changeHolds(first.holds, { type: 'pause.woke' }, WOKEN).lifted).toEqual([]);
});
