import { expect, test } from 'vitest';
import { initialState, newAgent, type State } from '../../actors/coordinator-state.js';
import { step } from '../../actors/coordinator-step.js';
import type { CycleEnd } from '../../messages/agents.js';
import {
  callId,
  MAIN,
  modelError,
  specOf,
  START,
  SUB,
  usageOf,
} from '../support/session-samples.js';

const at = START + 5;
const done = { status: 'done', text: '3 files', denied: [] } as const;
const working: State = { ...initialState(specOf(), 'count'), life: 'working' };
const delegating: State = {
  ...working,
  agents: [...working.agents, newAgent(SUB, MAIN, 'look around', 'scripted')],
};

const endedAs = (end: CycleEnd) => {
  const about = { agent: SUB, callId: callId('c'), rounds: 2 };
  return { type: 'subagent.ended' as const, ...about, end, at };
};

test.each([
  [done, 'ok', "[Sub-agent 'sub-1' completed] (rounds: 2, tokens: 7)\n3 files"],
  [
    { status: 'partial', text: 'half' },
    'ok',
    "[Sub-agent 'sub-1' completed] (rounds: 2, tokens: 7)\nhalf",
  ],
  [
    { status: 'round-limit', limit: 2, text: 'so far' },
    'ok',
    "[Sub-agent 'sub-1' hit round limit] (rounds: 2, tokens: 7)\nso far",
  ],
  [
    { status: 'blocked', text: 'no way', denied: false },
    'failed',
    "[Sub-agent 'sub-1' failed] (rounds: 2, tokens: 7)\nno way",
  ],
  [
    { status: 'model-failed', error: modelError('auth') },
    'failed',
    "[Sub-agent 'sub-1' failed] (rounds: 2, tokens: 7)\nthe server said: auth",
  ],
  [
    { status: 'stopped', reason: 'by a person' },
    'cancelled',
    "[Sub-agent 'sub-1' was stopped] (rounds: 2, tokens: 7)",
  ],
] as const)('a sub-agent that ended as %j answers its parent', (end, status, text) => {
  const [used] = step(delegating, {
    type: 'model.used',
    agent: SUB,
    round: 1,
    model: 'm',
    usage: usageOf(5, 2),
    at,
  });
  const fact = endedAs(end);
  const [, letters] = step(used, fact);
  expect(letters[0]).toMatchObject({
    to: 'tools',
    message: { type: 'tool.answer', callId: 'c', outcome: { status, text } },
  });
});

test('a long report is handed over whole: the call that waits cuts it, and keeps the rest', () => {
  const end = { status: 'done', text: 'y'.repeat(5_000), denied: [] } as const;
  const [letter] = step(delegating, endedAs(end))[1];
  const outcome = letter?.message.type === 'tool.answer' ? letter.message.outcome : undefined;
  expect(outcome).toMatchObject({ status: 'ok', truncated: false });
  expect(outcome?.text.split('\n')[1]).toHaveLength(5_000);
});

test('a call that began one in the background is answered at once, after others were told', () => {
  const task = { kind: 'worker', task: 'build', context: '', background: true } as const;
  const [next, letters] = step(working, {
    type: 'subagent.spawned',
    agent: SUB,
    parent: MAIN,
    callId: callId('c'),
    task,
    at,
  });
  expect(letters.map(({ to }) => to)).toEqual(['observers', 'tools']);
  expect(letters[1]).toMatchObject({ message: { callId: 'c', outcome: { status: 'ok' } } });
  expect(next.agents.at(-1)).toMatchObject({ id: SUB, kind: 'worker', model: 'scripted' });
});
