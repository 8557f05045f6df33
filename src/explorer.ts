/** What a sub-agent that explores starts from. */
import type { AgentSetup } from '../actors/agent-steps.js';
import { Conversation, userMessage } from '../actors/conversation.js';
import { loadPrompt } from '../config/prompts.js';
import type { SessionSpec } from '../messages/session.js';
import type { SubAgentTask } from '../messages/subagents.js';
import { foldersText } from './session-folders.js';
import type { SubAgentPlan } from './session/agent-house.js';

/** Rounds a sub-agent may take; the parent's question is narrow. */
const EXPLORE_ROUNDS = 20;

export function explorer(
  { task, context }: SubAgentTask,
  spec: SessionSpec,
  agent: Pick<AgentSetup, 'model' | 'tools' | 'retries'>,
): SubAgentPlan {
  const { workspace } = spec;
  const conversation = new Conversation();
  const given = context === '' ? '' : `Context from parent task:\n${context}\n\n`;
  return {
    setup: { ...agent, conversation, round: 0, maxRounds: EXPLORE_ROUNDS },
    messages: [
      { role: 'system', text: loadPrompt('explore', { workspace }) + foldersText(spec) },
      userMessage(`${given}${task}`, 'parent'),
    ],
  };
}
