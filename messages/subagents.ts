/** What the sub-agent supervisor is asked, and the life of a sub-agent as it reports it. */
import type { CycleEnd } from './agents.js';
import type { AgentId, CallId, Millis } from './ids.js';

/** `explore` reads and searches, `worker` does what its parent may do, `planner` reads and makes a plan. */
export const SUB_AGENT_KINDS = ['explore', 'worker', 'planner'] as const;
export type SubAgentKind = (typeof SUB_AGENT_KINDS)[number];

/** Decides which tools an agent has. */
export type AgentKind = 'main' | SubAgentKind;

export interface SubAgentTask {
  readonly kind: SubAgentKind;
  readonly task: string;
  /** What the parent knows that helps; empty when there is nothing. */
  readonly context: string;
  /** Left out: the session's own. */
  readonly model?: string;
  /** Nobody waits for it: its result comes as a message. Left out: its call waits. */
  readonly background?: boolean;
}

export type SubAgentCommand =
  | {
      readonly type: 'subagent.spawn';
      readonly parent: AgentId;
      readonly callId: CallId;
      readonly task: SubAgentTask;
    }
  | { readonly type: 'subagent.stop'; readonly agent: AgentId; readonly reason: string }
  /** Stops the one that a call waits for: the call was cancelled. */
  | { readonly type: 'subagent.cancel'; readonly callId: CallId; readonly reason: string }
  /** Stops those of a parent; null: all. */
  | { readonly type: 'subagent.stopAll'; readonly parent: AgentId | null; readonly reason: string }
  /** An agent's own report that its turn is over, passed on by the coordinator. */
  | {
      readonly type: 'subagent.report';
      readonly agent: AgentId;
      readonly rounds: number;
      readonly end: CycleEnd;
    };

export type SubAgentFact =
  | {
      readonly type: 'subagent.spawned';
      readonly agent: AgentId;
      readonly parent: AgentId;
      readonly callId: CallId;
      readonly task: SubAgentTask;
      readonly at: Millis;
    }
  /** No sub-agent was started: a limit was reached. */
  | {
      readonly type: 'subagent.refused';
      readonly callId: CallId;
      readonly reason: string;
      readonly at: Millis;
    }
  | {
      readonly type: 'subagent.ended';
      readonly agent: AgentId;
      readonly callId: CallId;
      readonly rounds: number;
      readonly end: CycleEnd;
      readonly at: Millis;
    };
