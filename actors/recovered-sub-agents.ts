/**
 * What becomes of sub-agents that were at work when the process ended: those that somebody still waits for
 * go on from their own rows, the others are over. Pure.
 */
import { MAIN_AGENT, type AgentId, type CallId } from '../messages/ids.js';
import { factOf, type JournalFact, type RowBodies } from '../messages/journal.js';
import type { Conversation } from './conversation.js';

export interface RecoveredAgent {
  readonly id: AgentId;
  readonly conversation: Conversation;
  round: number;
  /** A request was on its way when the rows end. */
  asking: boolean;
  /** Null: it has not ended. */
  end: RowBodies['agent.ended'] | null;
  /** Null for the main agent. */
  readonly birth: RowBodies['agent.spawned'] | null;
  /** Its result was told to its parent. */
  reported: boolean;
}

type Agents = ReadonlyMap<AgentId, RecoveredAgent>;

/** How a sub-agent came to be. */
export type Birth = RowBodies['agent.spawned'];

/** A sub-agent of this session. */
export interface RecoveredChild extends RecoveredAgent {
  readonly birth: Birth;
}

const isChild = (agent: RecoveredAgent): agent is RecoveredChild => agent.birth !== null;

/** In the order in which they were spawned. */
export const childrenIn = (agents: Agents): readonly RecoveredChild[] =>
  [...agents.values()].filter(isChild);

export const survivorsIn = (agents: Agents): readonly RecoveredChild[] =>
  childrenIn(agents).filter((child) => survives(agents, child));

function survives(agents: Agents, { birth, end }: RecoveredChild): boolean {
  if (end !== null) return false;
  const { parent, callId, task } = birth;
  const master = agents.get(parent);
  if (master === undefined) return false;
  if (parent !== MAIN_AGENT && !(isChild(master) && survives(agents, master))) return false;
  return task.background === true || isOpen(master, callId);
}

const isOpen = ({ conversation }: RecoveredAgent, callId: CallId): boolean =>
  conversation.openCalls.some(({ id }) => id === callId);

/** The ends of those that nobody waits for any more. */
export function lostSubAgents(agents: Agents): JournalFact[] {
  const going = new Set(survivorsIn(agents));
  const lost = childrenIn(agents).filter((child) => child.end === null && !going.has(child));
  return lost.map(({ id, round }) =>
    factOf('agent.ended', id, round, {
      agent: id,
      rounds: round,
      end: { status: 'stopped', reason: 'the process ended while it worked' },
    }),
  );
}
