/**
 * The sub-agent supervisor: owns which sub-agents live, for whom and why. Each is a root actor of its own,
 * made and ended through a port; this machine keeps the limits and reports their lives. A sub-agent that
 * was spawned is reported as ended exactly once.
 */
import { setup } from 'xstate';
import type { AgentId, CallId } from '../messages/ids.js';
import { factOf, type JournalFact } from '../messages/journal.js';
import type { SubAgentCommand, SubAgentFact, SubAgentTask } from '../messages/subagents.js';
import type { Time } from './ports.js';

/** Sub-agents at work at once. */
export const MAX_SUB_AGENTS = 5;

interface Child {
  readonly agent: AgentId;
  readonly parent: AgentId;
  readonly callId: CallId;
}

export interface Nursery {
  readonly alive: readonly Child[];
  /** How many were ever spawned in this session: an id is never used twice. */
  readonly spawned: number;
}

export type SupervisorEffect =
  | { readonly do: 'create'; readonly agent: AgentId; readonly task: SubAgentTask }
  | { readonly do: 'stop'; readonly agent: AgentId; readonly reason: string }
  | { readonly do: 'remove'; readonly agent: AgentId }
  | { readonly do: 'record'; readonly fact: JournalFact }
  | { readonly do: 'report'; readonly fact: SubAgentFact };

/** Decides what a command means. Pure. */
export function supervise(
  nursery: Nursery,
  command: SubAgentCommand,
  at: number,
): [Nursery, SupervisorEffect[]] {
  switch (command.type) {
    case 'subagent.spawn':
      return spawn(nursery, command, at);
    case 'subagent.stop':
      return [nursery, stopEach(nursery, ({ agent }) => agent === command.agent, command.reason)];
    case 'subagent.stopAll': {
      const { parent, reason } = command;
      return [
        nursery,
        stopEach(nursery, (child) => parent === null || child.parent === parent, reason),
      ];
    }
    case 'subagent.report': {
      const child = nursery.alive.find(({ agent }) => agent === command.agent);
      if (child === undefined) return [nursery, []];
      const { agent, rounds, end } = command;
      const { callId } = child;
      return [
        { ...nursery, alive: nursery.alive.filter((other) => other !== child) },
        [
          { do: 'record', fact: factOf('agent.ended', agent, rounds, { agent, rounds, end }) },
          { do: 'remove', agent },
          { do: 'report', fact: { type: 'subagent.ended', agent, callId, rounds, end, at } },
        ],
      ];
    }
  }
}

function spawn(
  nursery: Nursery,
  { parent, callId, task }: Extract<SubAgentCommand, { type: 'subagent.spawn' }>,
  at: number,
): [Nursery, SupervisorEffect[]] {
  if (nursery.alive.length >= MAX_SUB_AGENTS) {
    const reason = `Error: ${MAX_SUB_AGENTS} sub-agents are at work already. Wait for one to finish, then delegate again.`;
    return [nursery, [{ do: 'report', fact: { type: 'subagent.refused', callId, reason, at } }]];
  }
  const spawned = nursery.spawned + 1;
  const agent = `sub-${spawned}` as AgentId;
  const child = { agent, parent, callId };
  return [
    { alive: [...nursery.alive, child], spawned },
    [
      { do: 'record', fact: factOf('agent.spawned', agent, 0, { ...child, task }) },
      { do: 'report', fact: { type: 'subagent.spawned', ...child, task, at } },
      { do: 'create', agent, task },
    ],
  ];
}

const stopEach = (
  { alive }: Nursery,
  which: (child: Child) => boolean,
  reason: string,
): SupervisorEffect[] =>
  alive.filter(which).map(({ agent }) => ({ do: 'stop', agent, reason }) as const);

export interface SupervisorPorts {
  readonly time: Time;
  /** Carries an effect out without waiting. Must not throw. */
  carryOut(effect: SupervisorEffect): void;
}

export function supervisorMachine(ports: SupervisorPorts, spawned: number) {
  const supervisor = setup({
    types: { context: {} as Nursery, events: {} as SubAgentCommand },
  });
  const handle = supervisor.enqueueActions(({ context, event, enqueue }) => {
    const [nursery, effects] = supervise(context, event, ports.time.now());
    enqueue.assign(nursery);
    enqueue(() => {
      for (const effect of effects) ports.carryOut(effect);
    });
  });
  return supervisor.createMachine({
    id: 'sub-agent-supervisor',
    context: { alive: [], spawned },
    on: { 'subagent.*': { actions: handle } },
  });
}
