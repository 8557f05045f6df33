import fc from 'fast-check';
import { createActor } from 'xstate';
import { expect, test } from 'vitest';
import {
  MAX_SUB_AGENTS,
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

const spawn = (n: number, parent: AgentId = MAIN): SubAgentCommand => ({
  type: 'subagent.spawn',
  parent,
  callId: callId(`call ${n}`),
  task,
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
  expect(nursery).toEqual({ alive: [child], spawned: 1 });
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
  const many = Array.from({ length: MAX_SUB_AGENTS }, (_, n) => spawn(n));
  const [full] = run(EMPTY, ...many);
  const [nursery, effects] = run(full, spawn(99));
  expect(nursery).toBe(full);
  expect(effects).toMatchObject([
    { do: 'report', fact: { type: 'subagent.refused', callId: 'call 99' } },
  ]);
  const [after, again] = run(full, report(id(2)), spawn(100));
  expect(after.alive).toHaveLength(MAX_SUB_AGENTS);
  expect(again.at(-1)).toMatchObject({ do: 'create', agent: `sub-${MAX_SUB_AGENTS + 1}` });
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
  expect(stopped({ type: 'subagent.stopAll', parent: MAIN, reason })).toEqual(['sub-1', 'sub-3']);
  expect(stopped({ type: 'subagent.stopAll', parent: null, reason })).toHaveLength(3);
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
        expect(nursery.alive.length).toBeLessThanOrEqual(MAX_SUB_AGENTS);
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
    2,
  );
  const actor = createActor(machine).start();
  actor.send(spawn(1));
  actor.send(report(id(3)));
  expect(done).toEqual(['record', 'report', 'create', 'record', 'remove', 'report']);
  expect(actor.getSnapshot().context).toEqual({ alive: [], spawned: 3 });
});
