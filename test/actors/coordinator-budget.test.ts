import { expect, test } from 'vitest';
import { initialState, snapshotOf, type State } from '../../actors/coordinator-state.js';
import { step } from '../../actors/coordinator-step.js';
import type { ActionRequest } from '../../messages/actions.js';
import { NO_BUDGET, type BudgetFact } from '../../messages/budget.js';
import { holdOf, specOf, START } from '../support/session-samples.js';

const limited = (): State =>
  initialState(specOf({ budget: { ...NO_BUDGET, sessionUsd: 2 } }), 'count the files', {
    holds: [holdOf({ kind: 'budget' })],
  });

const act = (state: State, action: ActionRequest) =>
  step(state, { type: 'user.action', id: 'a1', seq: 9, action, at: START });

test('adding to a limit raises it before the hold is lifted', () => {
  const [state, letters] = act(limited(), { do: 'resume', add: { usd: 1 } });
  expect(state.spec.budget?.sessionUsd).toBe(3);
  expect(letters.map(({ to }) => to)).toEqual(['root', 'pause']);
  expect(letters[0]?.message).toMatchObject({ type: 'root.raised', spec: state.spec });
  expect(letters[1]?.message).toMatchObject({ kinds: ['user', 'timer', 'budget'] });
  const [, answers] = step(state, { type: 'pause.changed', holds: [], action: 'a1', at: START });
  expect(answers[0]?.message).toMatchObject({ result: { ok: true, changed: true } });
});

test('a limit that there is not cannot be raised, and the person is told', () => {
  const [state, letters] = act(limited(), { do: 'resume', add: { tokens: 1 } });
  expect(state.spec).toEqual(limited().spec);
  expect(letters).toMatchObject([
    {
      to: 'observers',
      message: { result: { ok: false, message: expect.stringMatching(/tokens/) as string } },
    },
  ]);
});

test('a plain resume names the command that helps against a limit', () => {
  const [asked] = act(limited(), { do: 'resume' });
  const { holds } = asked;
  const [, letters] = step(asked, { type: 'pause.changed', holds, action: 'a1', at: START });
  expect(letters[0]?.message).toMatchObject({ result: { ok: false } });
});

test('the snapshot shows the limits, a notice stands in the log, lost attempts are in the cost', () => {
  const lines = [{ scope: 'session', unit: 'usd', limit: 2, spent: 1, reserved: 0 }] as const;
  const fact: BudgetFact = {
    type: 'budget.changed',
    lines,
    notice: '50 % of it are used up',
    unansweredUsd: 0.25,
    at: START,
  };
  const [state, letters] = step(limited(), fact);
  const snapshot = snapshotOf(state, { depth: 0, highWater: 0, capacity: 1 });
  expect(snapshot.budget).toEqual(lines);
  expect(snapshot.totals.costUsd).toBe(0.25);
  expect(snapshot.log.at(-1)).toMatchObject({ kind: 'notice', text: '50 % of it are used up' });
  expect(letters).toEqual([{ to: 'observers', message: fact }]);
});
