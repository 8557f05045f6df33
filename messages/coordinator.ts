/** Everything the coordinator hears, and everything it says. Written first: this is the mesh's contract. */
import type { ActionFact, UserAction } from './actions.js';
import type { AgentCommand, AgentFact } from './agents.js';
import type { BudgetFact } from './budget.js';
import type { HookFact } from './hooks.js';
import type { ContextFact } from './context.js';
import type { AgentId, CallId, Millis } from './ids.js';
import type { Discovery } from './journal.js';
import type { ModelUse } from './model.js';
import type { DiskProbed, EndpointProbed, HoldWanted, PauseCommand, PauseFact } from './pause.js';
import type { Answer, QuestionFact, QuestionRequest, QuestionWithdrawal } from './questions.js';
import type { QuitReason, SessionSpec, SessionState } from './session.js';
import type { SleepRequest, SleepWake, SleepWithdrawal } from './sleeps.js';
import type { SubAgentCommand, SubAgentFact } from './subagents.js';
import type { ToolCommand, ToolFact, ToolRequest } from './tools.js';

export interface DiscoveryFact {
  readonly type: 'discovery.added';
  readonly agent: AgentId;
  readonly round: number;
  readonly discovery: Discovery;
  readonly at: Millis;
}

/** A sub-agent is wanted for a call that waits in the executor. */
export type SpawnRequest = Extract<SubAgentCommand, { type: 'subagent.spawn' }>;

/** That call has been cancelled. */
export type SpawnCancellation = Extract<SubAgentCommand, { type: 'subagent.cancel' }>;

/** The process was asked to end: by a signal, a limit or a fatal error. */
export interface QuitRequest {
  readonly type: 'quit';
  readonly reason: QuitReason;
  readonly at: Millis;
}

/** The machine slept, with everything on it. */
export interface SessionWoke {
  readonly type: 'session.woke';
  readonly sleptMs: number;
  readonly at: Millis;
}

/** Somebody wants to know whether messages are still handled; answered at once, and changes nothing. */
export interface Pulse {
  readonly type: 'pulse';
  readonly id: string;
}

/** A model has given the session a title; null: nothing usable, but paid for. */
export interface SessionTitled {
  readonly type: 'session.titled';
  readonly title: string | null;
  readonly modelUse: readonly ModelUse[];
  readonly at: Millis;
}

/** The last thing the coordinator hears: how the session ended. */
export interface SessionEnded {
  readonly type: 'session.ended';
  readonly state: SessionState;
  readonly text: string;
}

/** A letter that found its inbox full or closed; counted, and shown. */
export interface DeadLetter {
  readonly type: 'letter.dead';
  readonly to: string;
  readonly what: string;
}

/** The coordinator's inbox. */
export type CoordinatorMessage =
  | AgentFact
  | ContextFact
  | ToolRequest
  | ToolFact
  | SpawnRequest
  | SpawnCancellation
  | SubAgentFact
  | PauseFact
  | HoldWanted
  | EndpointProbed
  | DiskProbed
  | DiscoveryFact
  | BudgetFact
  | QuestionRequest
  | QuestionWithdrawal
  | HookFact
  | SleepRequest
  | SleepWithdrawal
  | UserAction
  | DeadLetter
  | Pulse
  | QuitRequest
  | SessionWoke
  | SessionTitled
  | SessionEnded;

/** What travels in the reserved lane: never dropped, never behind a full inbox. */
export const isControl = (message: CoordinatorMessage): boolean =>
  message.type === 'user.action' || message.type === 'quit' || message.type === 'pause.changed';

/** What observers (clients, the headless logger) are told, beside snapshots. Each is a thing that happened. */
export type ObservedFact =
  | AgentFact
  | ContextFact
  | ToolFact
  | SubAgentFact
  | PauseFact
  | DiscoveryFact
  | BudgetFact
  | QuestionFact
  | HookFact
  | ActionFact;

/** What a waiting call is told. */
export interface QuestionAnswer {
  readonly type: 'question.answer';
  readonly callId: CallId;
  readonly answer: Answer;
}

/** An address and a message it accepts; a wrong pairing does not compile. */
export type Letter =
  | { readonly to: 'agent'; readonly agent: AgentId; readonly message: AgentCommand }
  | { readonly to: 'tools'; readonly message: ToolCommand }
  | { readonly to: 'supervisor'; readonly message: SubAgentCommand }
  | { readonly to: 'pause'; readonly message: PauseCommand }
  /** The call that waits for an answer. */
  | { readonly to: 'asker'; readonly message: QuestionAnswer }
  /** The call that sleeps. */
  | { readonly to: 'sleeper'; readonly message: SleepWake }
  /** Who wants to know whether messages are handled. */
  | { readonly to: 'pulse'; readonly message: Pulse }
  | { readonly to: 'observers'; readonly message: ObservedFact }
  /** The session is over, or is to be: the composition root runs the shutdown. */
  | { readonly to: 'root'; readonly message: RootCommand };

export type RootCommand =
  | { readonly type: 'root.ended'; readonly fact: Extract<AgentFact, { type: 'agent.ended' }> }
  /** `restart`: it goes on at once in another process. */
  | { readonly type: 'root.quit'; readonly reason: QuitReason; readonly restart?: true }
  /** A person wants to know at once whether the model server answers again, or the disk takes what waits. */
  | { readonly type: 'root.probe'; readonly action: string }
  /** A person raised limits: they are as in `spec` from here on. */
  | { readonly type: 'root.raised'; readonly spec: SessionSpec }
  /** A person changed settings, limits perhaps among them: they are as in `spec` from here on. */
  | { readonly type: 'root.changed'; readonly spec: SessionSpec };

/** Bounds of the inboxes, as the design has them. */
export const COORDINATOR_INBOX = 256;
export const AGENT_INBOX = 64;
/** Room kept for control messages in every inbox: more than a person can send between two turns of the loop. */
export const CONTROL_LANE = 32;
