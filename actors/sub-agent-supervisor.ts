/**
 * The sub-agent supervisor: owns which sub-agents live, for whom and why. Each is a root actor of its own,
 * made and ended through a port; this machine keeps the limits and reports their lives. A sub-agent that
 * was spawned is reported as ended exactly once; none outlives the one it works for.
 */
import { setup } from 'xstate';
import { MAIN_AGENT, type AgentId, type CallId } from '../messages/ids.js';
import { factOf, type JournalFact } from '../messages/journal.js';
import type { SubAgentCommand, SubAgentFact, SubAgentTask } from '../messages/subagents.js';
import type { Time } from './ports.js';

export interface AgentLimits {
  /** Sub-agents at work at once; one that waits for its own is not at work. */
  readonly atOnce: number;
  /** Sub-agents that have not ended. */
  readonly alive: number;
  /** How deep they may nest; those of the main agent are at 1. */
  readonly depth: number;
}

export const AGENT_LIMITS: AgentLimits = { atOnce: 5, alive: 10, depth: 3 };

export interface Child {
  readonly agent: AgentId;
  readonly parent: AgentId;
  readonly callId: CallId;
  /** Nobody waits for it. */
  readonly background: boolean;
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

type Supervised = [Nursery, SupervisorEffect[]];

/** Decides what a command means. Pure. */
export function supervise(
  nursery: Nursery,
  command: SubAgentCommand,
  at: number,
  limits: AgentLimits = AGENT_LIMITS,
): Supervised {
  switch (command.type) {
    case 'subagent.spawn':
      return spawn(nursery, command, at, limits);
    case 'subagent.stop':
      return [nursery, stopEach(nursery, ({ agent }) => agent === command.agent, command.reason)];
    case 'subagent.cancel':
      return [nursery, stopEach(nursery, isWaitedFor(command.callId), command.reason)];
    case 'subagent.stopAll': {
      const { parent, reason } = command;
      return [
        nursery,
        stopEach(nursery, (child) => parent === null || child.parent === parent, reason),
      ];
    }
    case 'subagent.report':
      return ended(nursery, command, at);
  }
}

const isWaitedFor =
  (callId: CallId) =>
  (child: Child): boolean =>
    child.callId === callId && !child.background;

function ended(
  nursery: Nursery,
  { agent, rounds, end }: Extract<SubAgentCommand, { type: 'subagent.report' }>,
  at: number,
): Supervised {
  const child = nursery.alive.find((other) => other.agent === agent);
  if (child === undefined) return [nursery, []];
  const { callId } = child;
  const next = { ...nursery, alive: nursery.alive.filter((other) => other !== child) };
  return [
    next,
    [
      { do: 'record', fact: factOf('agent.ended', agent, rounds, { agent, rounds, end }) },
      { do: 'remove', agent },
      { do: 'report', fact: { type: 'subagent.ended', agent, callId, rounds, end, at } },
      ...stopEach(next, ({ parent }) => parent === agent, `${agent}, its parent, has ended`),
    ],
  ];
}

function spawn(
  nursery: Nursery,
  command: Extract<SubAgentCommand, { type: 'subagent.spawn' }>,
  at: number,
  limits: AgentLimits,
): Supervised {
  const { parent, callId, task } = command;
  const objection = objectionTo(nursery, command, limits);
  if (objection !== null) {
    const reason = `Error: ${objection}`;
    return [nursery, [{ do: 'report', fact: { type: 'subagent.refused', callId, reason, at } }]];
  }
  const spawned = nursery.spawned + 1;
  const agent = `sub-${spawned}` as AgentId;
  const about = { agent, parent, callId };
  return [
    { alive: [...nursery.alive, { ...about, background: task.background === true }], spawned },
    [
      { do: 'record', fact: factOf('agent.spawned', agent, 0, { ...about, task }) },
      { do: 'report', fact: { type: 'subagent.spawned', ...about, task, at } },
      { do: 'create', agent, task },
    ],
  ];
}

/** Null: there is room for one more. */
function objectionTo(
  { alive }: Nursery,
  { parent, task }: Extract<SubAgentCommand, { type: 'subagent.spawn' }>,
  limits: AgentLimits,
): string | null {
  if (depthOf(alive, parent) >= limits.depth) {
    return `sub-agents may nest ${limits.depth} deep, and you are at that depth. Do this task yourself.`;
  }
  if (alive.length >= limits.alive) {
    return `${limits.alive} sub-agents are alive already. Wait for one to finish, then delegate again.`;
  }
  // Whoever waits for this one gives its own place up.
  const resting = new Set(alive.filter((child) => !child.background).map((child) => child.parent));
  if (task.background !== true) resting.add(parent);
  if (alive.filter(({ agent }) => !resting.has(agent)).length >= limits.atOnce) {
    return `${limits.atOnce} sub-agents are at work already. Wait for one to finish, then delegate again.`;
  }
  return null;
}

function depthOf(alive: readonly Child[], agent: AgentId): number {
  if (agent === MAIN_AGENT) return 0;
  const child = alive.find((other) => other.agent === agent);
  return child === undefined ? 0 : 1 + depthOf(alive, child.parent);
}

/** With all that work for them. */
function stopEach(
  { alive }: Nursery,
  which: (child: Child) => boolean,
  reason: string,
): SupervisorEffect[] {
  const stopped = new Set(alive.filter(which).map(({ agent }) => agent));
  // A child is always younger than its parent, and so stands behind it.
  for (const { agent, parent } of alive) if (stopped.has(parent)) stopped.add(agent);
  return [...stopped].map((agent) => ({ do: 'stop', agent, reason }) as const);
}

export interface SupervisorPorts {
  readonly time: Time;
  /** Carries an effect out without waiting. Must not throw. */
  carryOut(effect: SupervisorEffect): void;
  readonly limits?: AgentLimits;
}

/** `nursery`: who lives when the session begins, and how many there were before. */
export function supervisorMachine(ports: SupervisorPorts, nursery: Nursery) {
  const supervisor = setup({
    types: { context: {} as Nursery, events: {} as SubAgentCommand },
  });
  const handle = supervisor.enqueueActions(({ context, event, enqueue }) => {
    const [next, effects] = supervise(context, event, ports.time.now(), ports.limits);
    enqueue.assign(next);
    enqueue(() => {
      for (const effect of effects) ports.carryOut(effect);
    });
  });
  return supervisor.createMachine({
    id: 'sub-agent-supervisor',
    context: nursery,
    on: { 'subagent.*': { actions: handle } },
  });
}
