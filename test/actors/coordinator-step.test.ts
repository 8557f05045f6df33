import { expect, test } from 'vitest';
import { initialState, newAgent, type State } from '../../actors/coordinator-state.js';
import { step } from '../../actors/coordinator-step.js';
import type { CoordinatorMessage, Letter } from '../../messages/coordinator.js';
import {
  callOf,
  holdOf,
  MAIN,
  modelError,
  okOutcome,
  specOf,
  START,
  SUB,
  usageOf,
} from '../support/session-samples.js';
import { deepFreeze } from '../support/deep-freeze.js';

const at = START + 5;
const about = { agent: MAIN, round: 1, at } as const;
const call = callOf('main_1_1', 'shell', { command: 'ls' });
const task = { kind: 'explore', task: 'look around', context: '' } as const;
const open = { callId: call.id, agent: MAIN, name: 'shell', summary: 'ls', startedAt: START };
const done = { status: 'done', text: '3 files', denied: [] } as const;
const entry = { ...about, n: 1 };
const view = newAgent(MAIN, null, 'count', 'scripted');

const fresh = initialState(specOf(), 'count');
const working: State = { ...fresh, life: 'working' };
const acting: State = { ...working, calls: [open] };
const delegating: State = {
  ...working,
  agents: [...working.agents, newAgent(SUB, MAIN, 'look around', 'scripted')],
};

interface Row {
  readonly when: string;
  readonly state?: State;
  readonly message: CoordinatorMessage;
  /** What becomes different; empty: nothing does. */
  readonly changes: Partial<State>;
  /** Addresses and types, in order. */
  readonly letters: readonly string[];
}

const TABLE: readonly Row[] = [
  {
    when: 'a call is wanted',
    message: { type: 'tool.request', agent: MAIN, round: 1, call },
    changes: {},
    letters: ['tools tool.run'],
  },
  {
    when: 'a call has started',
    message: { type: 'tool.started', ...about, callId: call.id, name: 'shell', summary: 'ls' },
    changes: {
      calls: [{ ...open, startedAt: at }],
      log: [{ ...entry, kind: 'tool', text: 'ls' }],
    },
    letters: ['observers tool.started'],
  },
  {
    when: 'a call has finished',
    state: acting,
    message: {
      type: 'tool.finished',
      ...about,
      callId: call.id,
      name: 'shell',
      outcome: okOutcome('a b'),
    },
    changes: {
      calls: [],
      totals: { ...fresh.totals, toolCalls: 1 },
      log: [{ ...entry, kind: 'result', text: 'shell: a b', status: 'ok' }],
    },
    letters: ['observers tool.finished'],
  },
  {
    when: 'an agent says where it stands for the first time',
    state: fresh,
    message: { type: 'agent.status', ...about, phase: 'asking', detail: 'waiting', until: at + 9 },
    changes: {
      life: 'working',
      agents: [{ ...view, phase: 'asking', round: 1, detail: 'waiting', until: at + 9 }],
    },
    letters: ['observers agent.status'],
  },
  {
    when: 'an agent of a stopping session says where it stands',
    state: { ...working, life: 'stopping' },
    message: { type: 'agent.status', ...about, phase: 'recording' },
    changes: { agents: [{ ...view, phase: 'recording', round: 1 }] },
    letters: ['observers agent.status'],
  },
  {
    when: 'an agent has heard words',
    message: { type: 'agent.heard', ...about, text: 'faster', origin: 'steer' },
    changes: { log: [{ ...entry, kind: 'user', text: 'faster' }] },
    letters: ['observers agent.heard'],
  },
  {
    when: 'an agent has answered',
    message: { type: 'agent.said', ...about, text: 'Three.', reasoning: 'I count.', calls: [] },
    changes: {
      log: [
        { ...entry, kind: 'reasoning', text: 'I count.' },
        { ...entry, n: 2, kind: 'text', text: 'Three.' },
      ],
    },
    letters: ['observers agent.said'],
  },
  {
    when: 'an attempt has failed',
    message: {
      type: 'model.reset',
      ...about,
      attempt: 2,
      error: modelError('server'),
      retryInMs: 5,
    },
    changes: {
      log: [
        {
          ...entry,
          kind: 'error',
          text: 'attempt 2 failed, asking again: the server said: server',
        },
      ],
    },
    letters: ['observers model.reset'],
  },
  {
    when: 'a request was paid for',
    message: { type: 'model.used', ...about, model: 'scripted-2', usage: usageOf(100, 20) },
    changes: {
      totals: { ...fresh.totals, rounds: 1, promptTokens: 100, completionTokens: 20, costUsd: 0 },
      agents: [
        {
          ...view,
          model: 'scripted-2',
          contextTokens: 100,
          promptTokens: 100,
          completionTokens: 20,
        },
      ],
    },
    letters: ['observers model.used'],
  },
  {
    when: 'the main agent has ended its turn',
    message: { type: 'agent.ended', agent: MAIN, rounds: 2, end: done, at },
    changes: {
      result: '3 files',
      agents: [{ ...view, phase: 'done', end: 'done' }],
      log: [{ ...entry, round: 2, kind: 'notice', text: 'the turn is over: done' }],
    },
    letters: ['observers agent.ended', 'root root.ended'],
  },
  {
    when: 'the main agent has failed',
    message: {
      type: 'agent.ended',
      agent: MAIN,
      rounds: 2,
      end: { status: 'model-failed', error: modelError('auth') },
      at,
    },
    changes: {
      result: 'the server said: auth',
      agents: [{ ...view, phase: 'failed', end: 'model-failed' }],
      log: [
        { ...entry, round: 2, kind: 'notice', text: 'the turn is over: the server said: auth' },
      ],
    },
    letters: ['observers agent.ended', 'root root.ended'],
  },
  {
    when: 'a sub-agent has ended its turn',
    state: delegating,
    message: { type: 'agent.ended', agent: SUB, rounds: 2, end: done, at },
    changes: {
      agents: [
        view,
        { ...newAgent(SUB, MAIN, 'look around', 'scripted'), phase: 'done', end: 'done' },
      ],
      log: [{ ...entry, agent: SUB, round: 2, kind: 'notice', text: 'the turn is over: done' }],
    },
    letters: ['supervisor subagent.report', 'observers agent.ended'],
  },
  {
    when: 'a sub-agent is wanted',
    message: { type: 'subagent.spawn', parent: MAIN, callId: call.id, task },
    changes: {},
    letters: ['supervisor subagent.spawn'],
  },
  {
    when: 'a sub-agent was spawned',
    message: { type: 'subagent.spawned', agent: SUB, parent: MAIN, callId: call.id, task, at },
    changes: {
      agents: [view, { ...newAgent(SUB, MAIN, 'look around', 'scripted'), kind: 'explore' }],
      log: [{ ...entry, round: 0, kind: 'notice', text: 'sub-1 started: look around' }],
    },
    letters: ['observers subagent.spawned'],
  },
  {
    when: 'a sub-agent was refused',
    message: { type: 'subagent.refused', callId: call.id, reason: 'five are at work', at },
    changes: { log: [{ ...entry, round: 0, kind: 'error', text: 'five are at work' }] },
    letters: ['tools tool.answer', 'observers subagent.refused'],
  },
  {
    when: 'a sub-agent is over',
    state: delegating,
    message: { type: 'subagent.ended', agent: SUB, callId: call.id, rounds: 2, end: done, at },
    changes: {},
    letters: ['tools tool.answer', 'observers subagent.ended'],
  },
  {
    when: 'a hold was set',
    message: { type: 'pause.changed', holds: [holdOf()], at },
    changes: {
      holds: [holdOf()],
      log: [{ ...entry, round: 0, kind: 'notice', text: 'held: user (paused by a person)' }],
    },
    letters: ['observers pause.changed'],
  },
  {
    when: 'the holds are what they were',
    message: { type: 'pause.changed', holds: working.holds, at },
    changes: {},
    letters: ['observers pause.changed'],
  },
  {
    when: 'something was found',
    message: { type: 'discovery.added', ...about, discovery: { title: 'size', description: '3' } },
    changes: {
      discoveries: [{ title: 'size', description: '3' }],
      log: [{ ...entry, kind: 'notice', text: 'discovery: size' }],
    },
    letters: ['observers discovery.added'],
  },
  {
    when: 'a letter found nobody',
    message: { type: 'letter.dead', to: 'agent', what: 'agent.say' },
    changes: { deadLetters: 1 },
    letters: [],
  },
  {
    when: 'the process is asked to end',
    message: { type: 'quit', reason: 'terminated', at },
    changes: { life: 'stopping' },
    letters: ['root root.quit'],
  },
  {
    when: 'the session is over',
    message: { type: 'session.ended', state: 'done', text: '3 files' },
    changes: { life: 'ended', endState: 'done', result: '3 files' },
    letters: [],
  },
];

const address = ({ to, message }: Letter): string => `${to} ${message.type}`;

test.each(TABLE)('when $when', ({ state = working, message, changes, letters }) => {
  const before = deepFreeze(state);
  const [after, sent] = step(before, deepFreeze(message));
  expect(sent.map(address)).toEqual(letters);
  const { version, logged } = after;
  const changed = Object.keys(changes).length > 0;
  if (changed) expect(without(after)).toEqual({ ...without(before), ...changes });
  else expect(without(after)).toEqual(without(before));
  expect(version - before.version).toBe(after === before ? 0 : 1);
  expect(logged - before.logged).toBe((changes.log ?? []).length);
});

/** What the table speaks of: all but the counters. */
const without = (state: State): State => ({ ...state, version: 0, logged: 0 });

test('every message is plain data: what survives JSON means the same', () => {
  for (const { state = working, message } of TABLE) {
    const again = JSON.parse(JSON.stringify(message)) as CoordinatorMessage;
    const [, letters] = step(state, again);
    expect(letters.map(address)).toEqual(step(state, message)[1].map(address));
    expect(JSON.parse(JSON.stringify(letters))).toEqual(letters);
  }
});

test('what does not change the state leaves the very same object', () => {
  const message = { type: 'tool.request', agent: MAIN, round: 1, call } as const;
  expect(step(working, message)[0]).toBe(working);
});

test("what a tool asked of a model counts in the session's totals and as its agent's tokens", () => {
  const modelUse = [
    { model: 'small', usage: usageOf(100, 7) },
    { model: 'small', usage: null },
  ];
  const [next] = step(acting, {
    type: 'tool.finished',
    ...about,
    callId: call.id,
    name: 'web_fetch',
    outcome: { ...okOutcome(), modelUse },
  });
  expect(next.totals).toMatchObject({ rounds: 0, promptTokens: 100, completionTokens: 7 });
  expect(next.agents[0]).toMatchObject({
    promptTokens: 100,
    completionTokens: 7,
    contextTokens: 0,
    model: 'scripted',
  });
});
