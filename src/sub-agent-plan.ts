/** What a sub-agent of each kind starts from: its prompt, its task, its tools and its rounds. */
import type { AgentSetup } from '../actors/agent-steps.js';
import { Conversation, userMessage } from '../actors/conversation.js';
import { loadPrompt } from '../config/prompts.js';
import type { SessionSpec } from '../messages/session.js';
import type { SubAgentKind, SubAgentTask } from '../messages/subagents.js';
import { foldersText } from './session-folders.js';
import type { SubAgentPlan } from './session/agent-house.js';

/** A question is narrow; work has to be tried and checked as well. */
const ROUNDS: Readonly<Record<SubAgentKind, number>> = { explore: 20, planner: 20, worker: 60 };

export function subAgentPlan(
  { kind, task, context, model }: SubAgentTask,
  spec: SessionSpec,
  agentOf: (kind: SubAgentKind) => Pick<AgentSetup, 'model' | 'tools' | 'retries'>,
): SubAgentPlan {
  const { workspace } = spec;
  const conversation = new Conversation();
  const given = context === '' ? '' : `Context from parent task:\n${context}\n\n`;
  const agent = agentOf(kind);
  return {
    setup: {
      ...agent,
      model: model ?? agent.model,
      conversation,
      round: 0,
      maxRounds: ROUNDS[kind],
    },
    messages: [
      { role: 'system', text: loadPrompt(kind, { workspace }) + foldersText(spec) },
      userMessage(`${given}${task}`, 'parent'),
    ],
  };
}
