import fc from 'fast-check';
import { createActor, transition, initialTransition } from 'xstate';
import { expect, test } from 'vitest';
import { coordinatorMachine } from '../../actors/coordinator.js';
import {
  initialState,
  newAgent,
  sessionState,
  snapshotOf,
  type State,
} from '../../actors/coordinator-state.js';
import type { CoordinatorMessage, Letter } from '../../messages/coordinator.js';
import { callOf, holdOf, MAIN, okOutcome, specOf, START, SUB } from '../support/session-samples.js';
import { deepFreeze } from '../support/deep-freeze.js';

const about = { agent: MAIN, round: 1, at: START } as const;
const call = callOf('main_1_1');
const inbox = { depth: 0, highWater: 0, capacity: 256 };

const MESSAGES: readonly CoordinatorMessage[] = [
  { type: 'tool.request', agent: MAIN, round: 1, call },
  { type: 'tool.started', ...about, callId: call.id, name: 'read_file', summary: 'a' },
  { type: 'tool.finished', ...about, callId: call.id, name: 'read_file', outcome: okOutcome() },
  { type: 'agent.status', ...about, phase: 'asking' },
  { type: 'agent.said', ...about, text: 'Three.', reasoning: '', calls: [] },
  { type: 'pause.changed', holds: [holdOf()], at: START },
  { type: 'pause.changed', holds: [], at: START },
  { type: 'discovery.added', ...about, discovery: { title: 't', description: 'd' } },
  {
    type: 'user.action',
    id: 'a',
    seq: 1,
    action: { do: 'pause', now: true, until: null },
    at: START,
  },
  { type: 'user.action', id: 'b', seq: 2, action: { do: 'stop' }, at: START },
  { type: 'letter.dead', to: 'agent', what: 'agent.say' },
  { type: 'quit', reason: 'terminated', at: START },
];
const messages = fc.array(fc.constantFrom(...MESSAGES), { maxLength: 30, size: 'max' });

const fresh = (): State => deepFreeze(initialState(specOf(), 'count'));

function coordinate() {
  const letters: Letter[] = [];
  const states: State[] = [];
  const machine = coordinatorMachine(
    { deliver: (letter) => void letters.push(letter), publish: (state) => void states.push(state) },
    fresh(),
  );
  return { machine, letters, states };
}

test('it never waits: every action of every message returns nothing, and no promise', () => {
  const { machine } = coordinate();
  let [snapshot] = initialTransition(machine);
  for (const message of MESSAGES) {
    const [next, actions] = transition(machine, snapshot, message);
    for (const action of actions) {
      const exec: unknown = action.exec;
      if (typeof exec !== 'function') continue;
      expect((exec as (...args: unknown[]) => unknown)(action.info, action.params)).toBeUndefined();
    }
    snapshot = next;
  }
});

test('a state is published after each message that changed something, before its letters', () => {
  const order: string[] = [];
  const machine = coordinatorMachine(
    {
      deliver: ({ message }) => void order.push(message.type),
      publish: ({ version }) => void order.push(`version ${version}`),
    },
    fresh(),
  );
  const actor = createActor(machine).start();
  actor.send({ type: 'tool.request', agent: MAIN, round: 1, call });
  actor.send({ type: 'agent.status', ...about, phase: 'asking' });
  actor.send({ type: 'quit', reason: 'terminated', at: START });
  expect(order).toEqual(['tool.run', 'version 1', 'agent.status', 'version 2', 'root.quit']);
});

test('a snapshot is frozen, plain data, and never changes once it was given out', () => {
  fc.assert(
    fc.property(messages, (script) => {
      const { machine, states } = coordinate();
      const actor = createActor(machine).start();
      const given: { snapshot: object; then: string }[] = [];
      for (const message of script) {
        actor.send(deepFreeze(structuredClone(message)));
        const snapshot = snapshotOf(states.at(-1) ?? fresh(), inbox);
        expect(Object.isFrozen(snapshot)).toBe(true);
        given.push({ snapshot, then: JSON.stringify(snapshot) });
        // Whatever comes later builds on it: a change in place would be an error.
        deepFreeze(states.at(-1));
      }
      for (const { snapshot, then } of given) expect(JSON.stringify(snapshot)).toBe(then);
      for (const { snapshot, then } of given) expect(JSON.parse(then)).toEqual(snapshot);
    }),
  );
});

test('versions count up by one with every published state', () => {
  fc.assert(
    fc.property(messages, (script) => {
      const { machine, states } = coordinate();
      const actor = createActor(machine).start();
      for (const message of script) actor.send(message);
      expect(states.map(({ version }) => version)).toEqual(states.map((_, i) => i + 1));
    }),
  );
});

test.each([
  ['starting', { life: 'starting' }, 'starting'],
  ['working', { life: 'working' }, 'running'],
  ['held as a whole', { life: 'working', holds: [holdOf()] }, 'held'],
  ['with its main agent held', { life: 'working', holds: [holdOf({ scope: MAIN })] }, 'held'],
  ['with a sub-agent held', { life: 'working', holds: [holdOf({ scope: SUB })] }, 'running'],
  ['stopping', { life: 'stopping', holds: [holdOf()] }, 'stopping'],
  ['ended', { life: 'ended', endState: 'done' }, 'done'],
] as const)('a session that is %s says so', (_, part, expected) => {
  const state: State = { ...fresh(), ...part };
  expect(sessionState(state)).toBe(expected);
  expect(snapshotOf(state, inbox).state).toBe(expected);
});

test('a snapshot shows the session, its agents and how full the pipes are', () => {
  const agents = [newAgent(MAIN, null, 'count', 'scripted'), newAgent(SUB, MAIN, 'look', 'small')];
  const state: State = { ...fresh(), agents, deadLetters: 2, result: '3 files' };
  const snapshot = snapshotOf(state, { depth: 3, highWater: 9, capacity: 256 });
  expect(snapshot).toMatchObject({
    session: specOf().id,
    goal: 'count',
    workspace: '/home/me/space',
    scripted: true,
    permissionMode: 'default',
    maxRounds: null,
    result: '3 files',
    inbox: { depth: 3, highWater: 9, capacity: 256, deadLetters: 2 },
  });
  expect(snapshot.agents).toEqual(agents);
});
