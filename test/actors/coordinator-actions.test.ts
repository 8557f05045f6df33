import { expect, test } from 'vitest';
import { changeHolds } from '../../actors/pause-controller.js';
import { initialState, newAgent, type State } from '../../actors/coordinator-state.js';
import { step } from '../../actors/coordinator-step.js';
import type { ActionRequest, ActionResult } from '../../messages/actions.js';
import type { Letter } from '../../messages/coordinator.js';
import { holdOf, MAIN, specOf, START, SUB } from '../support/session-samples.js';

const working: State = { ...initialState(specOf(), 'count'), life: 'working' };
const PAUSE: ActionRequest = { do: 'pause', now: false, until: null };
const pauseUntil = (until: number): ActionRequest => ({ do: 'pause', now: false, until });
const SEND: ActionRequest = { do: 'send', text: 'faster', mode: 'steer' };

const answersIn = (letters: readonly Letter[]): ActionResult[] =>
  letters.flatMap(({ message }) => (message.type === 'action.done' ? [message.result] : []));

let actions = 0;

/** The action and, as the pause controller does it, what becomes of the holds. */
function act(before: State, action: ActionRequest) {
  const id = `action-${(actions += 1)}`;
  let [state, letters] = step(before, { type: 'user.action', id, seq: 9, action, at: START });
  for (const { to, message } of letters) {
    if (to !== 'pause') continue;
    const { holds } = changeHolds(state.holds, message, START);
    const fact = { type: 'pause.changed', holds, action: id, at: START } as const;
    const [next, more] = step(state, fact);
    state = next;
    letters = [...letters, ...more];
  }
  const answers = answersIn(letters);
  expect(answers).toHaveLength(1);
  expect(state.pending).toEqual([]);
  return { state, letters, answer: answers[0] };
}

test('a pause is answered once the gates are closed, not before', () => {
  const action = { type: 'user.action', id: 'a', seq: 9, action: PAUSE, at: START } as const;
  const [asked, letters] = step(working, action);
  expect(letters).toEqual([
    { to: 'pause', message: { type: 'pause.hold', hold: holdOf(), action: 'a' } },
  ]);
  const [, answered] = step(asked, {
    type: 'pause.changed',
    holds: [holdOf()],
    action: 'a',
    at: START,
  });
  expect(answersIn(answered)).toMatchObject([{ ok: true, changed: true }]);
});

test('a second pause changes nothing and says so', () => {
  const first = act(working, PAUSE);
  expect(first.answer).toMatchObject({ ok: true, changed: true });
  const second = act(first.state, PAUSE);
  expect(second.answer).toEqual({ ok: true, changed: false, message: 'it was paused already' });
  expect(second.state.holds).toEqual(first.state.holds);
});

test('a pause for a time sets a hold that ends by itself', () => {
  const { state } = act(working, pauseUntil(START + 60));
  expect(state.holds).toMatchObject([{ kind: 'timer', until: START + 60, scope: 'session' }]);
});

test('a pause for another time changes something, and says so', () => {
  const { state } = act(working, pauseUntil(START + 60));
  const longer = act(state, pauseUntil(START + 120));
  expect(longer.state.holds).toMatchObject([{ kind: 'timer', until: START + 120 }]);
  expect(longer.answer).toMatchObject({ ok: true, changed: true });
});

test('a pause lets the request finish, and pause now aborts that of every agent at work', () => {
  const agents = [
    newAgent(MAIN, null, 'count', 'm'),
    { ...newAgent(SUB, MAIN, 'look', 'm'), end: 'done' as const },
    newAgent('sub-2' as typeof SUB, MAIN, 'look', 'm'),
  ];
  const aborted = (action: ActionRequest): string[] =>
    act({ ...working, agents }, action).letters.flatMap((letter) =>
      letter.to === 'agent' && letter.message.type === 'agent.abortRequest' ? [letter.agent] : [],
    );
  expect(aborted(PAUSE)).toEqual([]);
  expect(aborted({ do: 'pause', now: true, until: null })).toEqual([MAIN, 'sub-2']);
});

test('resume lifts what a person has set, both kinds of it', () => {
  const paused = act(act(working, PAUSE).state, pauseUntil(START + 60));
  expect(paused.state.holds).toHaveLength(2);
  const { state, answer } = act(paused.state, { do: 'resume' });
  expect(state.holds).toEqual([]);
  expect(answer).toEqual({ ok: true, changed: true, message: 'going on' });
});

test('resume of a session that was not paused changes nothing', () => {
  const { answer } = act(working, { do: 'resume' });
  expect(answer).toEqual({ ok: true, changed: false, message: 'it was not paused' });
});

test('resume names the hold that it cannot lift and the command that does', () => {
  const stuck = holdOf({
    kind: 'stuck',
    scope: MAIN,
    reason: 'going in circles',
    release: 'ouro resume --force 3f0c2a9e',
  });
  const held = act({ ...working, holds: [stuck] }, PAUSE).state;
  const { state, answer } = act(held, { do: 'resume' });
  expect(state.holds).toEqual([stuck]);
  expect(answer).toEqual({
    ok: false,
    message: 'still held: going in circles; lift it with: ouro resume --force 3f0c2a9e',
  });
});

test('words go to the main agent with the row that holds them', () => {
  const { letters, answer, state } = act(working, SEND);
  expect(letters[0]).toEqual({
    to: 'agent',
    agent: MAIN,
    message: { type: 'agent.say', text: 'faster', mode: 'steer', source: 9 },
  });
  expect(answer).toMatchObject({ ok: true, changed: true });
  expect(state).toBe(working);
});

test('the answer says when the agent reads the words', () => {
  expect(act(working, SEND).answer?.message).toContain('before its next request');
  const queued = act(working, { do: 'send', text: 'later', mode: 'queue' });
  expect(queued.answer?.message).toContain('after this turn');
});

test('an interrupt holds the session, aborts the request, and ends calls and sub-agents', () => {
  const { letters, state, answer } = act(working, { do: 'interrupt' });
  expect(letters.map(({ to, message }) => `${to} ${message.type}`)).toEqual([
    'pause pause.hold',
    'agent agent.abortRequest',
    'tools tool.cancelAll',
    'supervisor subagent.stopAll',
    'observers action.done',
    'observers pause.changed',
  ]);
  expect(state.holds).toEqual([holdOf()]);
  expect(answer).toMatchObject({ ok: true, changed: true });
});

test('stop is answered at once and asks the root to end', () => {
  const { letters, state, answer } = act(working, { do: 'stop' });
  expect(answer).toEqual({ ok: true, changed: true, message: 'stopping' });
  expect(state.life).toBe('stopping');
  expect(letters).toContainEqual({
    to: 'root',
    message: { type: 'root.quit', reason: 'stopped' },
  });
  expect(act(working, { do: 'stop', restart: true }).letters).toContainEqual({
    to: 'root',
    message: { type: 'root.quit', reason: 'stopped', restart: true },
  });
});

test.each<ActionRequest>([PAUSE, { do: 'resume' }, SEND, { do: 'interrupt' }, { do: 'stop' }])(
  'a stopping session refuses to $do and stays as it is',
  (action) => {
    for (const life of ['stopping', 'ended'] as const) {
      const before: State = { ...working, life };
      const { state, letters, answer } = act(before, action);
      expect(state).toBe(before);
      expect(letters).toHaveLength(1);
      expect(answer).toEqual({ ok: false, message: 'the session is stopping' });
    }
  },
);

test('each of two actions under way gets its own answer', () => {
  let state = working;
  for (const [id, action] of [
    ['a', PAUSE],
    ['b', { do: 'resume' }],
  ] as const)
    [state] = step(state, { type: 'user.action', id, seq: 1, action, at: START });
  const [paused, first] = step(state, {
    type: 'pause.changed',
    holds: [holdOf()],
    action: 'a',
    at: START,
  });
  const [, second] = step(paused, { type: 'pause.changed', holds: [], action: 'b', at: START });
  const answered = [...first, ...second].flatMap(({ message }) =>
    message.type === 'action.done' ? [[message.id, message.result.ok]] : [],
  );
  expect(answered).toEqual([
    ['a', true],
    ['b', true],
  ]);
});

test('holds that lift themselves answer nobody', () => {
  const [, letters] = step(working, { type: 'pause.changed', holds: [], at: START });
  expect(answersIn(letters)).toEqual([]);
});
