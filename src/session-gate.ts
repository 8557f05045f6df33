/** Whether an agent may go on, for those who ask the model on its behalf. */
import type { AgentId } from '../messages/ids.js';
import { isOpen } from '../messages/pause.js';
import type { Mesh } from './session/mesh.js';

export interface SessionGate {
  isOpen(agent: AgentId): boolean;
  /** Resolves once it is, or `signal` aborts. */
  opened(agent: AgentId, signal: AbortSignal): Promise<void>;
}

/** `mesh`: there from the first question on. */
export const sessionGate = (mesh: () => Mesh): SessionGate => ({
  isOpen: (agent) => isOpen(mesh().snapshots.current.holds, agent),
  opened: async (agent, signal) => {
    await mesh().snapshots.when(({ holds }) => isOpen(holds, agent), signal);
  },
});
