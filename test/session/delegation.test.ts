import { expect, test } from 'vitest';
import type { CallContext } from '../../actors/ports.js';
import { ReplyRegistry } from '../../messages/channels/oneshot.js';
import type { AgentId, CallId } from '../../messages/ids.js';
import type { SubAgentFact } from '../../messages/subagents.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { delegation } from '../../src/session/delegation.js';
import {
  REPORT_CHARS,
  SubAgentDesk,
  type KnownSubAgent,
} from '../../src/session/sub-agent-desk.js';
import { MeshRun } from '../support/mesh-run.js';
import { calls, says } from '../support/scripted-model.js';
import { callId, MAIN, START, SUB } from '../support/session-samples.js';
import { eventually, stateOf } from '../support/settled.js';
import { untilAborted } from '../support/simulated-tools.js';

const DONE = { status: 'done', text: 'seen', denied: [] } as const;
const TASK = { kind: 'worker', task: 'build it', context: '' } as const;
const IN_BACKGROUND = { ...TASK, background: true };

const known = (part: Partial<KnownSubAgent> = {}): KnownSubAgent => ({
  agent: SUB,
  parent: MAIN,
  callId: callId('main_1_1'),
  task: TASK,
  end: null,
  told: false,
  ...part,
});
const ended = (text = 'seen'): KnownSubAgent['end'] => ({
  agent: SUB,
  rounds: 2,
  tokens: null,
  end: { ...DONE, text },
});
const endFact = (agent = SUB): SubAgentFact => ({
  type: 'subagent.ended',
  agent,
  callId: callId('main_1_1'),
  rounds: 2,
  end: DONE,
  at: START,
});

function counter(...earlier: readonly KnownSubAgent[]) {
  const desk = new SubAgentDesk(earlier, () => 30);
  const told: string[] = [];
  const waiting = new ReplyRegistry<CallId, ToolOutcome>();
  const { delegate, check } = delegation({
    desk,
    waiting,
    tell: (message) => {
      told.push(message.type);
      return Promise.resolve(true);
    },
    viewOf: () => null,
  });
  const stop = new AbortController();
  const context: CallContext = {
    agent: MAIN,
    round: 1,
    callId: callId('main_1_1'),
    signal: stop.signal,
    parked: (wait) => wait(),
  };
  return { desk, told, waiting, delegate, check, context, stop };
}

test('a turn is not over while one in the background works: its result comes as a message', async () => {
  const run: MeshRun = new MeshRun({
    main: [calls(['delegate', { background: true }]), says('I wait.'), says('It has seen it.')],
    sub: [calls(['slow']), says('seen')],
    tools: {
      slow: {
        run: async () => {
          await run.facts.find(
            (fact) => fact.type === 'agent.status' && fact.detail === 'waits for its sub-agents',
          );
          return { status: 'ok', text: '', truncated: false };
        },
      },
    },
  }).start();
  expect(await run.end()).toMatchObject({ status: 'done', text: 'It has seen it.' });
  expect(run.conversation.messages.slice(3)).toMatchObject([
    { role: 'tool', text: expect.stringContaining('Started sub-1 in the background.') as string },
    { role: 'assistant', text: 'I wait.' },
    { role: 'user', origin: 'harness', text: "[Sub-agent 'sub-1' completed] (rounds: 2)\nseen" },
    { role: 'assistant', text: 'It has seen it.' },
  ]);
  await run.journal.committed();
  const reports = run.journal.ofKind('message.added').flatMap(({ body }) => body.report ?? []);
  expect(reports).toEqual([SUB]);
});

test('words to an agent that waits for others are heard at once', async () => {
  const run = new MeshRun({
    main: [calls(['delegate', { background: true }]), says('I wait.'), says('Heard.'), says('x')],
    sub: [calls(['slow'])],
    tools: { slow: { run: untilAborted } },
  }).start();
  await run.facts.find(
    (fact) => fact.type === 'agent.status' && fact.detail === 'waits for its sub-agents',
  );
  await run.act({ do: 'send', text: 'Hello?', mode: 'steer' });
  await run.facts.find((fact) => fact.type === 'agent.said' && fact.text === 'Heard.');
  expect(run.mesh.snapshots.current.agents[1]).toMatchObject({ id: SUB, end: null });
});

test('a cancelled call ends its sub-agent, and all that works for that one', async () => {
  const run = new MeshRun({
    main: [calls(['delegate']), says('done')],
    sub: [calls(['delegate']), calls(['slow'])],
    tools: { slow: { run: untilAborted } },
  }).start();
  await run.facts.find((fact) => fact.type === 'tool.started' && fact.name === 'slow');
  const message = { type: 'tool.cancel', callId: callId('main_1_1') } as const;
  run.mesh.deliver({ to: 'tools', message });
  expect(await run.end()).toMatchObject({ status: 'done' });
  const over = () => run.mesh.snapshots.current.agents.filter(({ end }) => end === 'stopped');
  await eventually(() => over().length === 2);
  expect(run.conversation.messages[3]).toMatchObject({
    text: expect.stringContaining("[Sub-agent 'sub-1' was stopped]") as string,
  });
  expect(run.waiting.size).toBe(0);
});

test('a call that is made again after a crash gets the sub-agent that it had', async () => {
  const { delegate, context, told, waiting } = counter(known());
  const answer = delegate(TASK, context);
  expect(await stateOf(answer)).toBe('pending');
  const outcome: ToolOutcome = { status: 'ok', text: 'seen', truncated: false };
  waiting.settle(context.callId, outcome);
  expect(await answer).toBe(outcome);
  expect(told).toEqual([]);
});

test('so it does when that has ended meanwhile, or is in the background', async () => {
  const over = counter(known({ end: ended() }));
  expect(await over.delegate(TASK, over.context)).toMatchObject({
    text: "[Sub-agent 'sub-1' completed] (rounds: 2)\nseen",
  });
  const beside = counter(known({ task: IN_BACKGROUND }));
  expect((await beside.delegate(IN_BACKGROUND, beside.context)).text).toContain('Started sub-1');
  expect([...over.told, ...beside.told]).toEqual([]);
});

test('one can be asked how it stands, and what came out of it', async () => {
  const { desk, check, context } = counter(known({ task: IN_BACKGROUND }));
  expect((await check(SUB, false, context)).text).toBe('Status: running\nRound 0, gated');
  desk.hear(endFact());
  expect((await check(SUB, false, context)).text).toBe('Status: completed\nResult: seen');
  expect(desk.takeReports(MAIN), 'it has been read').toEqual([]);
});

test('asking with patience waits for the end, or until the call is cancelled', async () => {
  const { desk, check, context, stop } = counter(known());
  const asked = check(SUB, true, context);
  expect(await stateOf(asked)).toBe('pending');
  desk.hear(endFact());
  expect((await asked).text).toBe('Status: completed\nResult: seen');
  desk.hear({ ...endFact(), type: 'subagent.spawned', parent: MAIN, task: TASK, agent: id(2) });
  const all = check(null, true, context);
  stop.abort();
  expect((await all).text).toBe(
    'sub-1 (worker): completed: build it\nsub-2 (worker): running, round 0: build it',
  );
});

const id = (n: number): AgentId => `sub-${n}` as AgentId;

test('an agent sees those that work for it, and no others', async () => {
  const below = known({ agent: id(2), parent: SUB, callId: callId('sub-1_1_1') });
  const { check, context } = counter(known(), below);
  expect((await check(null, false, context)).text.split('\n')).toHaveLength(2);
  const asSub = { ...context, agent: SUB };
  expect((await check(null, false, asSub)).text).toContain('sub-2');
  expect(await check(SUB, true, asSub)).toMatchObject({
    status: 'failed',
    text: "Error: there is no sub-agent 'sub-1' of yours. There are: sub-2.",
  });
  expect((await check(id(9), false, { ...context, agent: id(2) })).text).toContain(
    'There are none.',
  );
});

test('a result is told once, cut when it is long, and where the rest is', () => {
  const end = ended('y'.repeat(REPORT_CHARS + 1));
  const desk = new SubAgentDesk([known({ task: IN_BACKGROUND, end })], () => null);
  const [report] = desk.takeReports(MAIN);
  expect(report?.text).toMatch(/\n\[cut; all of it: check_agent agent_id=sub-1\]$/);
  expect(desk.takeReports(MAIN)).toEqual([]);
  expect(new SubAgentDesk([known({ end })], () => null).takeReports(MAIN)).toEqual([]);
});
