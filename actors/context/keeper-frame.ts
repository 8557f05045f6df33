/** What a keeper of one agent's context is given: the ports it needs, and what the agent's model means for it. */
import type { ContextFact } from '../../messages/context.js';
import type { Message } from '../../messages/conversation.js';
import type { AgentId } from '../../messages/ids.js';
import type { JournalFact } from '../../messages/journal.js';
import type { ToolDefinition } from '../../messages/model.js';
import type { Conversation } from '../conversation.js';
import type { Condenser } from './condensing.js';
import type { Estimator } from './estimator.js';

export interface KeeperFrame {
  readonly estimator: Estimator;
  /** Tokens of the whole window, and those kept free for the reply. */
  readonly windowTokens: number;
  readonly replyTokens: number;
  /** Characters that one request for a summary may hold. */
  readonly summaryChars: number;
}

export interface CompactionVerdict {
  /** History is to stay as it is, as long as a request can be sent. */
  readonly leave: boolean;
  readonly note: string | null;
}

export interface KeeperPorts extends Condenser {
  /** How a conversation begins anew: the system prompt as it is now, the goal, what was found. */
  beginning(agent: AgentId, words: readonly Message[]): readonly Message[];
  /** Before anything leaves the conversation. Must not reject. */
  beforeCompact(agent: AgentId, round: number): Promise<CompactionVerdict>;
  /** What the model is told with this request only; null: nothing. `share`: how full the window is. */
  notice(agent: AgentId, about: { round: number; share: number }): string | null;
  record(...facts: JournalFact[]): void;
  tell(fact: ContextFact): Promise<unknown>;
  now(): number;
  /** Of another model; left out: all are alike. */
  frameOf?(model: string): KeeperFrame;
}

export interface KeeperSetup extends KeeperFrame {
  readonly agent: AgentId;
  readonly conversation: Conversation;
  readonly tools: readonly ToolDefinition[];
}
