import { expect, test } from 'vitest';
import {
  initialState,
  newAgent,
  sessionState,
  type State,
} from '../../actors/coordinator-state.js';
import { step } from '../../actors/coordinator-step.js';
import { changeHolds } from '../../actors/pause-controller.js';
import type { ActionRequest } from '../../messages/actions.js';
import type { CycleEnd } from '../../messages/agents.js';
import type { CoordinatorMessage, Letter } from '../../messages/coordinator.js';
import type { AgentId } from '../../messages/ids.js';
import type { WaitRequest } from '../../messages/sleeps.js';
import { deepFreeze } from '../support/deep-freeze.js';
import { callId, MAIN, modelError, specOf, START, SUB } from '../support/session-samples.js';

const spec = specOf();
const fresh = initialState(spec, 'count');
const working: State = {
  ...fresh,
  life: 'working',
  agents: [...fresh.agents, newAgent(SUB, MAIN, 'look', 'scripted')],
};
const timer = (ms: number): WaitRequest => ({ mode: 'timer', since: START, until: START + ms });
const MANUAL: WaitRequest = { mode: 'manual', since: START };
const event = (awaited: AgentId = SUB, ms = 60_000): WaitRequest => ({
  mode: 'event',
  event: { kind: 'agent', agent: awaited },
  since: START,
  until: START + ms,
});

const sleeps = (call: string, wait: WaitRequest, agent: AgentId = MAIN): CoordinatorMessage => ({
  type: 'sleep.begin',
  agent,
  callId: callId(call),
  wait,
  at: START,
});

/** Takes the messages one after the other; holds are changed as the pause controller does it. */
function hear(...messages: readonly CoordinatorMessage[]) {
  let state = working;
  const letters: Letter[] = [];
  const take = (message: CoordinatorMessage): void => {
    const [next, sent] = step(deepFreeze(state), message);
    state = next;
    letters.push(...sent);
    for (const { to, message: command } of sent) {
      if (to !== 'pause') continue;
      const { holds } = changeHolds(state.holds, command, START);
      const { action } = command;
      const fact = { type: 'pause.changed', holds, at: START } as const;
      take(action === undefined ? fact : { ...fact, action });
    }
  };
  for (const message of messages) take(message);
  const woken = letters.flatMap((letter) =>
    letter.to === 'sleeper' ? [[letter.message.callId, letter.message.reason]] : [],
  );
  const results = letters.flatMap(({ message }) =>
    message.type === 'action.done' ? [message.result] : [],
  );
  return { state, woken, results };
}

let actions = 0;
const act = (action: ActionRequest): CoordinatorMessage => ({
  type: 'user.action',
  id: `action-${(actions += 1)}`,
  seq: 1,
  action,
  at: START,
});
const due = (ms: number): CoordinatorMessage => ({
  type: 'pause.changed',
  holds: [],
  at: START + ms,
});
const ends = (end: CycleEnd): CoordinatorMessage => ({
  type: 'subagent.ended',
  agent: SUB,
  callId: callId('main_1_9'),
  rounds: 1,
  end,
  at: START,
});

test.each([
  [timer(5_000), 'timer', START + 5_000, 'asleep until its time is over', 'ouro resume 3f0c2a9e'],
  [event(), 'event', START + 60_000, 'asleep until sub-1 ends', 'ouro send 3f0c2a9e TEXT'],
  [MANUAL, 'user', null, 'asleep until a person resumes it', 'ouro resume 3f0c2a9e'],
] as const)(
  'a sleep holds its agent, and says until when and what ends it',
  (wait, kind, until, reason, release) => {
    const { state, woken } = hear(sleeps('c1', wait));
    const hold = { kind, scope: MAIN, since: START, until, reason, release, call: 'c1' };
    expect(state.holds).toEqual([hold]);
    expect(sessionState(state)).toBe('held');
    expect(woken).toEqual([]);
  },
);

test('a sub-agent that sleeps holds nobody else', () => {
  const { state } = hear(sleeps('c1', timer(5_000), SUB));
  expect(state.holds).toMatchObject([{ scope: SUB }]);
  expect(sessionState(state)).toBe('running');
});

test('sleeps side by side wake one by one, each at its own time', () => {
  const both = [sleeps('c1', timer(5_000)), sleeps('c2', timer(9_000))];
  expect(hear(...both).state.holds).toMatchObject([{ until: START + 5_000 }]);
  const { state, woken } = hear(...both, due(5_000));
  expect(woken).toEqual([['c1', 'timer_expired']]);
  expect(state.holds).toMatchObject([{ until: START + 9_000, call: 'c2' }]);
  expect(hear(...both, due(9_000)).state.holds).toEqual([]);
});

test('a deadline that was missed while nothing ran wakes at once', () => {
  const { state, woken } = hear(sleeps('c1', timer(-1)), sleeps('c2', event(SUB, -1)));
  expect(woken).toEqual([
    ['c1', 'timer_expired'],
    ['c2', 'max_duration_exceeded'],
  ]);
  expect(state.holds).toEqual([]);
});

test('an event that does not come within its time is given up', () => {
  expect(hear(sleeps('c1', event()), due(60_000)).woken).toEqual([['c1', 'max_duration_exceeded']]);
});

test.each([
  [{ status: 'done', text: '', denied: [] }, 'agent_completed'],
  [{ status: 'partial', text: '' }, 'agent_completed'],
  [{ status: 'round-limit', limit: 1, text: '' }, 'agent_completed'],
  [{ status: 'blocked', text: '', denied: false }, 'agent_failed'],
  [{ status: 'model-failed', error: modelError('auth') }, 'agent_failed'],
  [{ status: 'stopped', reason: '' }, 'agent_killed'],
] as const)('the end of an agent wakes, also when it came first', (end, reason) => {
  expect(hear(sleeps('c1', event()), ends(end)).woken).toEqual([['c1', reason]]);
  const over: CoordinatorMessage = { type: 'agent.ended', agent: SUB, rounds: 1, end, at: START };
  expect(hear(over, sleeps('c1', event())).woken).toEqual([['c1', reason]]);
});

test('nobody waits for an agent that is not there, for himself, or for the main agent', () => {
  const { woken } = hear(
    sleeps('c1', event('sub-7' as AgentId)),
    sleeps('c2', event(SUB), SUB),
    sleeps('c3', event(MAIN), SUB),
  );
  expect(woken.map(([, reason]) => reason)).toEqual(Array(3).fill('agent_not_found'));
});

test('a person who resumes wakes what waits for time or for a person', () => {
  const { state, woken, results } = hear(
    sleeps('c1', timer(5_000)),
    sleeps('c2', MANUAL),
    act({ do: 'resume' }),
  );
  expect(woken).toEqual([
    ['c1', 'user_resumed'],
    ['c2', 'user_resumed'],
  ]);
  expect(state.holds).toEqual([]);
  expect(results).toEqual([{ ok: true, changed: true, message: 'going on' }]);
});

test('one who resumes what waits for an event is told what would wake it', () => {
  const { woken, results } = hear(sleeps('c1', event()), act({ do: 'resume' }));
  expect(woken).toEqual([]);
  expect(results).toMatchObject([
    { ok: false, message: expect.stringContaining('ouro send 3f0c2a9e TEXT') as string },
  ]);
});

test('words to the agent wake it, whatever it waits for; those for later do not', () => {
  const asleep = [sleeps('c1', timer(5_000)), sleeps('c2', event()), sleeps('c3', timer(5), SUB)];
  const steer = act({ do: 'send', text: 'look here', mode: 'steer' });
  expect(hear(...asleep, steer).woken).toEqual([
    ['c1', 'message_received'],
    ['c2', 'message_received'],
  ]);
  expect(hear(...asleep, act({ do: 'send', text: 'later', mode: 'queue' })).woken).toEqual([]);
});

test('the end of the session wakes all, and lets nobody fall asleep', () => {
  const quit: CoordinatorMessage = { type: 'quit', reason: 'terminated', at: START };
  const { state, woken } = hear(sleeps('c1', MANUAL), quit, sleeps('c2', timer(5)));
  expect(woken).toEqual([
    ['c1', 'shutdown'],
    ['c2', 'shutdown'],
  ]);
  expect(state.holds).toEqual([]);
});

test('a call that is cancelled is told so, once', () => {
  const withdraw: CoordinatorMessage = {
    type: 'sleep.withdraw',
    callId: callId('c1'),
    at: START,
  };
  const { state, woken } = hear(sleeps('c1', MANUAL), withdraw, withdraw);
  expect(woken).toEqual([['c1', 'cancelled']]);
  expect(state.holds).toEqual([]);
});
