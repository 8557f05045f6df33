/** Ties a session's sub-agents to its mesh: who knows them, who goes on after a crash, and their limits. */
import type { Recovered } from '../actors/recovery.js';
import { childrenIn, survivorsIn, type RecoveredChild } from '../actors/recovered-sub-agents.js';
import type { AgentLimits, Child } from '../actors/sub-agent-supervisor.js';
import type { CoordinatorMessage } from '../messages/coordinator.js';
import { MAIN_AGENT, type AgentId } from '../messages/ids.js';
import type { AgentView } from '../messages/snapshot.js';
import type { AgentKind } from '../messages/subagents.js';
import { delegation, type Delegation } from './session/delegation.js';
import type { Mesh, WaitingCalls } from './session/mesh.js';
import { SubAgentDesk, type KnownSubAgent } from './session/sub-agent-desk.js';

export interface SessionDelegation extends Delegation {
  readonly desk: SubAgentDesk;
  readonly limits: AgentLimits;
  /** Those that go on from their own rows. */
  readonly alive: readonly Child[];
  kindOf(agent: AgentId): AgentKind;
  /** Lets those go on; called once the mesh is there. */
  revive(mesh: Mesh): void;
}

export interface DelegationParts {
  readonly recovered: Recovered | null;
  readonly limits: AgentLimits;
  readonly waiting: WaitingCalls;
  readonly tell: (message: CoordinatorMessage) => Promise<boolean>;
  readonly agents: () => readonly AgentView[];
}

export function sessionDelegation(parts: DelegationParts): SessionDelegation {
  const { recovered, limits, waiting, tell, agents } = parts;
  const viewOf = (agent: AgentId): AgentView | null =>
    agents().find(({ id }) => id === agent) ?? null;
  const known = recovered === null ? [] : childrenIn(recovered.agents);
  const going = recovered === null ? [] : survivorsIn(recovered.agents);
  const desk = new SubAgentDesk(known.map(knownOf), (agent) => {
    const view = viewOf(agent);
    return view === null ? null : view.promptTokens + view.completionTokens;
  });
  return {
    ...delegation({ desk, waiting, tell, viewOf }),
    desk,
    limits,
    alive: going.map(childOf),
    // One that nobody knows may do the least.
    kindOf: (agent) => (agent === MAIN_AGENT ? 'main' : (desk.find(agent)?.task.kind ?? 'explore')),
    revive: (mesh) => {
      for (const child of going) mesh.agents.revive(child.id, child.birth.task, child);
    },
  };
}

const knownOf = ({ birth, end, reported }: RecoveredChild): KnownSubAgent => ({
  ...birth,
  end: end === null ? null : { agent: end.agent, rounds: end.rounds, tokens: null, end: end.end },
  told: reported,
});

const childOf = ({ birth: { agent, parent, callId, task } }: RecoveredChild): Child => ({
  agent,
  parent,
  callId,
  background: task.background === true,
});
