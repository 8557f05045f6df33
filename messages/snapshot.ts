/**
 * The coordinator's state as others may see it: frozen, latest value only, plain data. The dashboard, the
 * headless logger, `ouro status` and `ouro ls` all read this and nothing else.
 */
import type { AgentPhase, CycleEnd } from './agents.js';
import type { BudgetLine } from './budget.js';
import type { ContextUse } from './context.js';
import type { AgentId, CallId, Millis, SessionId } from './ids.js';
import type { Discovery } from './journal.js';
import type { Hold } from './pause.js';
import type { Question } from './questions.js';
import type { PermissionMode, SandboxKind, SessionState } from './session.js';
import type { SubAgentKind } from './subagents.js';
import type { ToolStatus } from './tools.js';

export interface AgentView {
  readonly id: AgentId;
  readonly parent: AgentId | null;
  /** Of a sub-agent. */
  readonly kind?: SubAgentKind;
  /** What it was asked, one line. */
  readonly task: string;
  readonly phase: AgentPhase;
  readonly detail: string;
  /** When the present wait ends by itself; null: it does not. */
  readonly until: Millis | null;
  readonly model: string;
  readonly round: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Prompt tokens of the newest request: how full the window is. */
  readonly contextTokens: number;
  /** How its window is used, by zone; left out until it was measured. */
  readonly context?: ContextUse;
  readonly end: CycleEnd['status'] | null;
}

export interface OpenCall {
  readonly callId: CallId;
  readonly agent: AgentId;
  readonly name: string;
  readonly summary: string;
  readonly startedAt: Millis;
}

export type LogKind = 'text' | 'reasoning' | 'tool' | 'result' | 'user' | 'notice' | 'error';

/** One thing an agent did; `text` may hold several lines. */
export interface LogEntry {
  /** Counts up over the whole session; tells readers which entries are new to them. */
  readonly n: number;
  readonly at: Millis;
  readonly agent: AgentId;
  readonly round: number;
  readonly kind: LogKind;
  readonly text: string;
  /** Of a `result`: how the call ended. */
  readonly status?: ToolStatus;
}

export interface Totals {
  /** Rounds of all agents together. */
  readonly rounds: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly toolCalls: number;
  readonly denials: number;
  /** Dollars; null: no price is known for a model that was used. */
  readonly costUsd: number | null;
}

/** How full the pipes of the mesh are. */
export interface InboxView {
  readonly depth: number;
  readonly highWater: number;
  readonly capacity: number;
  /** Letters that found their inbox full or closed. */
  readonly deadLetters: number;
}

/** How many log entries a snapshot carries; older ones are in the journal (`ouro logs`). */
export const LOG_TAIL = 300;

export interface Snapshot {
  /** Counts up with every change. */
  readonly version: number;
  readonly session: SessionId;
  readonly name: string;
  readonly goal: string;
  readonly workspace: string;
  readonly model: string;
  readonly baseUrl: string;
  /** Set when a scripted server answers instead of a model. */
  readonly scripted: boolean;
  readonly permissionMode: PermissionMode;
  readonly sandbox: SandboxKind;
  readonly state: SessionState;
  readonly startedAt: Millis;
  readonly holds: readonly Hold[];
  readonly agents: readonly AgentView[];
  readonly calls: readonly OpenCall[];
  /** Open questions, oldest first. */
  readonly questions: readonly Question[];
  readonly discoveries: readonly Discovery[];
  readonly log: readonly LogEntry[];
  readonly totals: Totals;
  /** The limits of cost and tokens; empty: there are none, or nothing was asked yet. */
  readonly budget?: readonly BudgetLine[];
  readonly maxRounds: number | null;
  readonly inbox: InboxView;
  /** The final words of the cycle, once there are any. */
  readonly result: string | null;
}
