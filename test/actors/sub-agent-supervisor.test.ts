import fc from 'fast-check';
import { createActor } from 'xstate';
import { expect, test } from 'vitest';
import {
  AGENT_LIMITS,
  supervise,
  supervisorMachine,
  type Nursery,
  type SupervisorEffect,
} from '../../actors/sub-agent-supervisor.js';
import type { AgentId } from '../../messages/ids.js';
import type { SubAgentCommand } from '../../messages/subagents.js';
import { callId, MAIN, START, SUB } from '../support/session-samples.js';

const EMPTY: Nursery = { alive: [], spawned: 0 };
const task = { kind: 'explore', task: 'look around', context: '' } as const;
const DONE = { status: 'done', text: 'seen', denied: [] } as const;

const spawn = (n: number, parent: AgentId = MAIN, background = false): SubAgentCommand => ({
  type: 'subagent.spawn',
  parent,
  callId: callId(`call ${n}`),
  task: background ? { ...task, background } : task,
});
const report = (agent: AgentId): SubAgentCommand => ({
  type: 'subagent.report',
  agent,
  rounds: 2,
  end: DONE,
});
const id = (n: number): AgentId => `sub-${n}` as AgentId;

function run(nursery: Nursery, ...commands: SubAgentCommand[]): [Nursery, SupervisorEffect[]] {
  const effects: SupervisorEffect[] = [];
  let current = nursery;
  for (const command of commands) {
    const [next, more] = supervise(current, command, START);
    current = next;
    effects.push(...more);
  }
  return [current, effects];
}

test('a sub-agent is written down, reported and made, in this order', () => {
  const [nursery, effects] = run(EMPTY, spawn(1));
  const child = { agent: SUB, parent: MAIN, callId: 'call 1' };
  expect(effects).toMatchObject([
    { do: 'record', fact: { kind: 'agent.spawned', agent: SUB, body: { ...child, task } } },
    { do: 'report', fact: { type: 'subagent.spawned', ...child, task, at: START } },
    { do: 'create', agent: SUB, task },
  ]);
  expect(nursery).toEqual({ alive: [{ ...child, background: false }], spawned: 1 });
});

test('its end is written down, reported to the call that waits, and its place is free', () => {
  const [begun] = run(EMPTY, spawn(1));
  const [nursery, effects] = run(begun, report(SUB));
  expect(effects).toMatchObject([
    { do: 'record', fact: { kind: 'agent.ended', agent: SUB, round: 2, body: { end: DONE } } },
    { do: 'remove', agent: SUB },
    { do: 'report', fact: { type: 'subagent.ended', callId: 'call 1', rounds: 2, end: DONE } },
  ]);
  expect(nursery).toEqual({ alive: [], spawned: 1 });
});

test('it ends once, however often that is reported', () => {
  const [over] = run(EMPTY, spawn(1), report(SUB));
  expect(run(over, report(SUB), report(MAIN), report(id(9)))).toEqual([over, []]);
});

test('beyond the limit it is refused, with what to do', () => {
  const many = Array.from({ length: AGENT_LIMITS.atOnce }, (_, n) => spawn(n));
  const [full] = run(EMPTY, ...many);
  const [nursery, effects] = run(full, spawn(99));
  expect(nursery).toBe(full);
  expect(effects).toMatchObject([
    { do: 'report', fact: { type: 'subagent.refused', callId: 'call 99' } },
  ]);
  const [after, again] = run(full, report(id(2)), spawn(100));
  expect(after.alive).toHaveLength(AGENT_LIMITS.atOnce);
  expect(again.at(-1)).toMatchObject({ do: 'create', agent: `sub-${AGENT_LIMITS.atOnce + 1}` });
});

test('numbers go on where the session left off', () => {
  const [, effects] = run({ alive: [], spawned: 7 }, spawn(1));
  expect(effects.at(-1)).toMatchObject({ do: 'create', agent: 'sub-8' });
});

test('one can be stopped, those of a parent, or all', () => {
  const [nursery] = run(EMPTY, spawn(1), spawn(2, SUB), spawn(3));
  const stopped = (command: SubAgentCommand): string[] =>
    supervise(nursery, command, START)[1].flatMap((effect) =>
      effect.do === 'stop' ? [effect.agent] : [],
    );
  const reason = 'enough';
  expect(stopped({ type: 'subagent.stop', agent: id(2), reason })).toEqual(['sub-2']);
  expect(stopped({ type: 'subagent.stop', agent: id(9), reason })).toEqual([]);
  expect(stopped({ type: 'subagent.stopAll', parent: MAIN, reason })).toEqual([
    ...['sub-1', 'sub-3', 'sub-2'],
  ]);
  expect(stopped({ type: 'subagent.stopAll', parent: null, reason })).toHaveLength(3);
});

const refusals = (...script: readonly SubAgentCommand[]): string[] =>
  run(EMPTY, ...script)[1].flatMap((effect) =>
    effect.do === 'report' && effect.fact.type === 'subagent.refused' ? [effect.fact.reason] : [],
  );

test('they nest so deep and no deeper', () => {
  const chain = [spawn(1), spawn(2, id(1)), spawn(3, id(2)), spawn(4, id(3))];
  expect(refusals(...chain.slice(0, 3))).toEqual([]);
  expect(refusals(...chain)).toEqual([expect.stringMatching(/nest 3 deep.*Do this task yourself/)]);
});

test('one that waits for its own is not at work, but alive', () => {
  const five = [1, 2, 3, 4, 5].map((n) => spawn(n));
  const below = [1, 2, 3, 4, 5].map((n) => spawn(n + 5, id(n)));
  expect(refusals(...five, ...below)).toEqual([]);
  const [reason] = refusals(...five, ...below, spawn(11));
  expect(reason).toMatch(/10 sub-agents are alive already\. Wait for one/);
});

test('one in the background needs a place of its own', () => {
  const four = [1, 2, 3, 4].map((n) => spawn(n));
  expect(refusals(...four, spawn(5, id(1), true))).toEqual([]);
  expect(refusals(...four, spawn(5), spawn(6, id(1), true))).toHaveLength(1);
});

const stopsIn = (effects: readonly SupervisorEffect[]): string[] =>
  effects.flatMap((effect) => (effect.do === 'stop' ? [effect.agent] : []));

test('with one that is stopped, and one that has ended, all that work for it are stopped', () => {
  const [nursery] = run(EMPTY, spawn(1), spawn(2, SUB), spawn(3, id(2)), spawn(4));
  const stop = { type: 'subagent.stop', agent: SUB, reason: 'enough' } as const;
  expect(stopsIn(run(nursery, stop)[1])).toEqual(['sub-1', 'sub-2', 'sub-3']);
  expect(stopsIn(run(nursery, report(SUB))[1])).toEqual(['sub-2', 'sub-3']);
});

test('a call that is cancelled stops the one it waits for, never one in the background', () => {
  const [nursery] = run(EMPTY, spawn(1), spawn(2, MAIN, true));
  const cancel = (n: number): SubAgentCommand => ({
    type: 'subagent.cancel',
    callId: callId(`call ${n}`),
    reason: 'cancelled',
  });
  expect(stopsIn(run(nursery, cancel(1))[1])).toEqual(['sub-1']);
  expect(stopsIn(run(nursery, cancel(2))[1])).toEqual([]);
});

test('a stopped sub-agent keeps its place until it has ended', () => {
  const [nursery] = run(EMPTY, spawn(1));
  const stop = { type: 'subagent.stop', agent: SUB, reason: 'enough' } as const;
  expect(run(nursery, stop)[0]).toBe(nursery);
});

const commands = fc.array(
  fc.oneof(
    fc.nat(1_000).map((n) => spawn(n)),
    fc.integer({ min: 1, max: 20 }).map((n) => report(id(n))),
    fc
      .integer({ min: 1, max: 20 })
      .map((n): SubAgentCommand => ({ type: 'subagent.stop', agent: id(n), reason: '' })),
  ),
  { maxLength: 60, size: 'max' },
);

test('whatever is asked, the limit holds, no number is used twice, and each ends at most once', () => {
  fc.assert(
    fc.property(commands, (script) => {
      let nursery = EMPTY;
      const created: string[] = [];
      const ended: string[] = [];
      for (const command of script) {
        const [next, effects] = supervise(nursery, command, START);
        nursery = next;
        for (const effect of effects) {
          if (effect.do === 'create') created.push(effect.agent);
          if (effect.do === 'report' && effect.fact.type === 'subagent.ended')
            ended.push(effect.fact.agent);
        }
        expect(nursery.alive.length).toBeLessThanOrEqual(AGENT_LIMITS.atOnce);
        expect(nursery.alive.length).toBe(created.length - ended.length);
      }
      expect(new Set(created).size).toBe(created.length);
      expect(new Set(ended).size).toBe(ended.length);
      expect(ended.every((agent) => created.includes(agent))).toBe(true);
    }),
  );
});

test('the machine carries the effects out in order and keeps the state', () => {
  const done: string[] = [];
  const machine = supervisorMachine(
    { time: { now: () => START }, carryOut: (effect) => void done.push(effect.do) },
    { alive: [], spawned: 2 },
  );
  const actor = createActor(machine).start();
  actor.send(spawn(1));
  actor.send(report(id(3)));
  expect(done).toEqual(['record', 'report', 'create', 'record', 'remove', 'report']);
  expect(actor.getSnapshot().context).toEqual({ alive: [], spawned: 3 });
});
