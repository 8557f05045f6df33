/** Where an agent's planning ends: it is told before its next request, and so is whoever watches. */
import type { AgentFact } from '../messages/agents.js';
import { say, type HookedAgent, type HookPorts } from './agent-hooks.js';
import type { PlanPhase, Time } from './ports.js';

interface PlanPorts extends HookPorts {
  readonly time: Time;
  tell(fact: AgentFact): Promise<unknown>;
}

interface PlanningAgent extends HookedAgent {
  readonly plan?: PlanPhase;
}

/** `round`: the last one it has behind it. */
export async function beginAfterPlan(
  ports: PlanPorts,
  setup: PlanningAgent,
  round: number,
): Promise<void> {
  const text = setup.plan?.before(round) ?? null;
  if (text === null) return;
  say(ports, setup, round, text);
  const { agent } = setup;
  const at = ports.time.now();
  await ports.tell({ type: 'agent.heard', agent, round, text, origin: 'harness', at });
}
