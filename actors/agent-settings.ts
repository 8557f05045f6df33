/** What an agent makes of a person's change of its model or its rounds. */
import type { AgentCommand } from '../messages/agents.js';
import type { AgentSetup } from './agent-steps.js';

/** Holds for whatever reads the setup next. An agent with another model of its own keeps it. */
export function changeSetup(
  setup: AgentSetup,
  { model, maxRounds }: Extract<AgentCommand, { type: 'agent.set' }>,
): void {
  if (maxRounds !== undefined) setup.maxRounds = maxRounds;
  if (model === undefined || model.from !== setup.model) return;
  setup.model = model.to;
  setup.keeper?.useModel(model.to);
}
