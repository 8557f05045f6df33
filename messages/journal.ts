/**
 * The rows of a session's journal, the only source of truth. Kinds and bodies are frozen: a reader of
 * tomorrow meets the journals of today, so a field is added, never renamed or given another meaning.
 */
import type { CycleEnd } from './agents.js';
import type { ActionRequest } from './actions.js';
import type { SettledBasis } from './budget.js';
import type { CheckpointBody } from './checkpoint.js';
import type { MaskedResult, SegmentNote, WorkRecord } from './context.js';
import type { FileChange, NotCovered } from './changes.js';
import type { Message } from './conversation.js';
import type { ImportOrigin } from './imported.js';
import { MAIN_AGENT, type AgentId, type CallId, type Millis, type Seq } from './ids.js';
import type { ModelError, ModelUse, Usage } from './model.js';
import type { Hold, HoldKind, HoldScope } from './pause.js';
import type { Answer, Question } from './questions.js';
import type { EndStatus, SessionSpec } from './session.js';
import type { SubAgentTask } from './subagents.js';
import type { Effect, ToolOutcome } from './tools.js';

/** Every kind a row can have. */
export const ROW_KINDS = [
  'session.started',
  'session.resumed',
  'session.ended',
  'session.titled',
  'goal.set',
  'message.added',
  'model.intent',
  'model.outcome',
  'model.reset',
  'tool.intent',
  'tool.started',
  'tool.outcome',
  'context.masked',
  'context.summarised',
  'context.refused',
  'context.restarted',
  'context.undone',
  'hold.set',
  'hold.lifted',
  'question.opened',
  'question.answered',
  'todo.set',
  'discovery.added',
  'agent.spawned',
  'agent.ended',
  'process.started',
  'process.ended',
  'files.changed',
  'files.undone',
  'budget.reserved',
  'budget.settled',
  'user.action',
  'checkpoint',
] as const;

export interface Discovery {
  readonly title: string;
  readonly description: string;
}

export interface TodoItem {
  readonly task: string;
  readonly done: boolean;
}

/** The body of each kind. */
export interface RowBodies {
  /** `imported`: the rows up to the first end tell what another program had done. */
  'session.started': { spec: SessionSpec; version: string; pid: number; imported?: ImportOrigin };
  /** `spec`: as it is from here on. */
  'session.resumed': { version: string; pid: number; spec: SessionSpec };
  'session.ended': { status: EndStatus; text: string; reason: string };
  /** By a model, for a session that nobody named; null: its answer was none. */
  'session.titled': { title: string | null; modelUse: readonly ModelUse[] };
  'goal.set': { goal: string };
  /** `source`: the `user.action` row whose words these are; `report`: the sub-agent whose result it is. */
  'message.added': { message: Message; source?: Seq; report?: AgentId };
  /** `tools`: the names of those on offer; in the first round after an agent began or went on. */
  'model.intent': { model: string; messages: number; attempt: number; tools?: readonly string[] };
  'model.outcome':
    | { status: 'ok'; usage: Usage | null; model: string; ms: number; finish: string }
    | { status: 'failed'; error: ModelError; ms: number }
    /** `withdrawn`: a hold came before it was sent; `lost`: the process ended while it ran. */
    | { status: 'cancelled' | 'withdrawn' | 'lost' };
  'model.reset': { attempt: number; error: ModelError; retryInMs: number };
  /** The arguments stand in the assistant message that asked for the call. */
  'tool.intent': { callId: CallId; name: string; effect: Effect };
  /** A process was started for the call; with its start time it is known again after a crash. */
  'tool.started': { callId: CallId; pid: number; startTime: string };
  /** Also the conversation's tool message: its text is what the model is shown. */
  'tool.outcome': { callId: CallId; name: string; outcome: ToolOutcome };
  'context.masked': { masks: readonly MaskedResult[] };
  /** `messages` stand in the place of `count` messages from the `first` (from 0) on. */
  'context.summarised': {
    first: number;
    count: number;
    messages: readonly Message[];
    record: WorkRecord;
    /** What the summary cost. */
    modelUse?: readonly ModelUse[];
    /** The pieces of work that were condensed, in order. */
    segments?: readonly SegmentNote[];
  };
  /** A summary that could not be used. */
  'context.refused': { reason: string; modelUse?: readonly ModelUse[] };
  /** The conversation consists of these messages from here on. */
  'context.restarted': { messages: readonly Message[]; record: WorkRecord };
  /** A person took a compaction back: `of` is its row, the messages are all there are from here on. */
  'context.undone': { of: Seq; messages: readonly Message[]; record: WorkRecord };
  'hold.set': { hold: Hold };
  'hold.lifted': { kind: HoldKind; scope: HoldScope };
  'todo.set': { todos: readonly TodoItem[] };
  'discovery.added': Discovery;
  'question.opened': { question: Question };
  'question.answered': { id: string; answer: Answer };
  'agent.spawned': { agent: AgentId; parent: AgentId; callId: CallId; task: SubAgentTask };
  'agent.ended': { agent: AgentId; rounds: number; end: CycleEnd };
  /** `startTime` null: it had ended before anybody could ask. `keep`: it outlives the session's process. */
  'process.started': {
    id: string;
    callId: CallId;
    pid: number;
    startTime: string | null;
    command: string;
    keep?: 'restart';
  };
  /** `exitCode` null: it was ended from here; with `unseen`, nobody saw how it ended. */
  'process.ended': { id: string; callId: CallId; exitCode: number | null; unseen?: true };
  /** Set aside before a request is sent: the most it can cost. `usd` null: no price is known. */
  'budget.reserved': { id: string; model: string; usd: number | null; tokens: number };
  /** What became of it. `model`: the one that really answered. */
  'budget.settled': {
    id: string;
    model: string;
    usd: number | null;
    tokens: number;
    basis: SettledBasis;
  };
  /** Before the outcome of the call. `notCovered`: what was found out about the workspace meanwhile. */
  'files.changed': {
    callId: CallId;
    changes: readonly FileChange[];
    notCovered?: readonly NotCovered[];
  };
  /** `from`: changes of this row and later ones were taken back; `to`: the last round kept, null: none. */
  'files.undone': { to: number | null; from: Seq; paths: readonly string[] };
  'user.action': { action: ActionRequest };
  /** Says nothing new: what the rows up to one before it add up to. */
  checkpoint: CheckpointBody;
}

/** A fact on its way into the journal. */
export type JournalFact = {
  [K in keyof RowBodies]: {
    readonly kind: K;
    readonly agent: AgentId;
    /** 0: before the first round, or not about a round. */
    readonly round: number;
    readonly body: RowBodies[K];
  };
}[keyof RowBodies];

/** A fact about one agent's round. */
export const factOf = <K extends keyof RowBodies>(
  kind: K,
  agent: AgentId,
  round: number,
  body: RowBodies[K],
): JournalFact => ({ kind, agent, round, body }) as JournalFact;

/** A fact about the session as a whole; the main agent stands for it. */
export const sessionFact = <K extends keyof RowBodies>(kind: K, body: RowBodies[K]): JournalFact =>
  factOf(kind, MAIN_AGENT, 0, body);

/** A fact in the journal. */
export type JournalRow = JournalFact & { readonly seq: Seq; readonly ts: Millis };
