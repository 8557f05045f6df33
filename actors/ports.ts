/**
 * What the actors need from the world. Time, ids, the journal, the model and the tools come in through
 * these, so that a whole session can run on a virtual clock and a simulated model. Each port says what it
 * never does.
 */
import type { AgentDelta } from '../messages/agents.js';
import type { AgentId, CallId, Millis, Seq } from '../messages/ids.js';
import type { JournalFact, JournalRow } from '../messages/journal.js';
import type { ModelDelta, ModelOutcome, ModelRequest, ToolDefinition } from '../messages/model.js';
import type { ToolCall } from '../messages/conversation.js';
import type { AgentKind } from '../messages/subagents.js';
import type { TaskClass, TaskType } from '../messages/task-types.js';
import type { Effect, ToolOutcome } from '../messages/tools.js';

/** Wall time. Timers belong to the machines' own clock, which a test advances by hand. */
export interface Time {
  now(): Millis;
}

/** Timers that end by themselves; what `setTimeout` gives is what `clearTimeout` takes. */
export interface Timers {
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

export interface Journal {
  /**
   * Writes the facts in order, after everything appended before them. Resolves with the first fact's seq
   * once all of them are on disk; rejects when they cannot be written, and then so does every later call.
   */
  append(facts: readonly JournalFact[]): Promise<Seq>;
}

export interface JournalReader {
  /** Rows from `from` on, in order. Throws `JournalDamage` where a row is missing or altered. */
  rows(from?: Seq): Iterable<JournalRow>;
}

/** Rows that are asked for one by one. */
export interface JournalLookup extends JournalReader {
  /** Null: it is not there, or not as it was written. */
  at(seq: Seq): JournalRow | null;
  /** The position of the newest row of this kind before `before`; null: there is none. */
  newest(kind: JournalRow['kind'], before: Seq): Seq | null;
}

export interface ModelClient {
  /**
   * Asks once. Must not throw or reject: every end is a value. Resolves soon after `signal` aborts, with
   * `cancelled`. `onDelta` is called in order while text arrives, never after the promise has settled.
   */
  ask(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
  ): Promise<ModelOutcome>;
}

/** Where a tool call is being made. */
export interface CallContext {
  readonly agent: AgentId;
  readonly round: number;
  readonly callId: CallId;
  /** Aborted when the call is cancelled; a tool ends its processes and returns. */
  readonly signal: AbortSignal;
  /** Waits for something outside without holding a place or a lock; has them again when it resolves. */
  parked<T>(wait: () => Promise<T>): Promise<T>;
}

/** What the executor must know of a call before it starts it. */
export interface CallPlan {
  readonly effect: Effect;
  /** Names of what must not be used by two calls at once: `shell/main`, `file//real/path`. */
  readonly locks: readonly string[];
  /** It waits for something outside the executor, and holds no slot and no lock. */
  readonly waits: boolean;
  /** One line for people. */
  readonly summary: string;
}

export interface ToolBox {
  /** The tools an agent of this kind may use, in a fixed order: the same bytes in every request. */
  definitions(kind: AgentKind): readonly ToolDefinition[];
  /** The call under the name and with the argument names that are advertised. Must not throw. */
  canonical(call: ToolCall): ToolCall;
  /** Must not throw: a call that makes no sense gets a plan too, and is refused when it is run. */
  plan(agent: AgentId, call: ToolCall): CallPlan;
  /**
   * Validates, judges and runs one call, within its limits. The intent is on disk before the effect
   * begins; the outcome is appended to the journal before this resolves. Must not reject.
   */
  run(call: ToolCall, context: CallContext): Promise<FinishedCall>;
}

export interface FinishedCall {
  readonly outcome: ToolOutcome;
  /**
   * Resolves when the outcome is on disk. The agent may read the outcome before that, since whatever it
   * does next is committed after it; the world is told only then. Rejects when the journal cannot write.
   */
  readonly committed: Promise<unknown>;
}

/** Whether a call may run. The subject is the command of `shell`, else the path relative to the workspace. */
export interface PermissionRequest {
  readonly tool: string;
  readonly effect: Effect;
  readonly subject: string;
  /** Real path of the folder that relative paths in a command mean. */
  readonly cwd: string;
}

export type Verdict =
  | { readonly allowed: true; readonly rule: string }
  /**
   * `text` tells the model what was refused, by which rule, and what it can do instead. `ask`: a person may
   * allow it all the same.
   */
  | {
      readonly allowed: false;
      readonly rule: string;
      readonly text: string;
      readonly ask?: true;
    };

export interface PermissionJudge {
  /** Fails closed: what cannot be proven allowed is refused. Must not throw. */
  judge(request: PermissionRequest): Verdict;
}

/** Live text on its way to whoever watches; never waits, never throws. */
export type DeltaSink = (delta: AgentDelta) => void;

/** A call that the rules leave to a person. */
export interface ApprovalRequest {
  readonly tool: string;
  readonly effect: Effect;
  readonly subject: string;
  /** One line for people: what would be done. */
  readonly summary: string;
  /** The rule that left it open. */
  readonly rule: string;
}

export interface Approver {
  /**
   * Waits for a person, or answers at once where nobody can be asked; whoever calls it is parked. Resolves
   * with a refusal when the signal aborts. Must not reject.
   */
  approve(request: ApprovalRequest, context: CallContext): Promise<Verdict>;
}

/** What the operator's own commands say of a call. They may run twice for one call, and get its id. */
export interface ToolHooks {
  /** Before a permitted call. A changed input is validated and judged again. Must not reject. */
  before(call: HookedCall, signal: AbortSignal): Promise<HookVerdict>;
  /** After it; the text, if any, is added to what the model is shown. Must not reject. */
  after(call: HookedCall, outcome: ToolOutcome, signal: AbortSignal): Promise<string | null>;
}

export interface HookedCall {
  readonly callId: CallId;
  readonly agent: AgentId;
  readonly round: number;
  readonly tool: string;
  readonly args: unknown;
}

/** What the operator's own commands say at the turning points of an agent's work. None must reject. */
export interface LifecycleHooks {
  /** Before the first request of a round. A block ends the agent's turn. */
  preModel(
    at: HookMoment & { readonly model: string },
    signal: AbortSignal,
  ): Promise<LifecycleVerdict>;
  /** The model has ended its turn. A block sends it back to work, with the reason. */
  onStop(
    at: HookMoment & { readonly text: string; readonly outcome: string },
    signal: AbortSignal,
  ): Promise<StopVerdict>;
  /**
   * Before history is compacted; `reason` says why it would be. A block asks to leave it as it is; where a
   * request could not be sent otherwise it may be overruled. The message is for whoever summarises.
   */
  preCompact(
    at: HookMoment & { readonly reason: string },
    signal: AbortSignal,
  ): Promise<LifecycleVerdict>;
}

export interface HookMoment {
  readonly agent: AgentId;
  readonly round: number;
}

/** `go` is also what they say when the signal has aborted: whoever asks looks at it first. */
export type LifecycleVerdict =
  /** The message, if any, is for the model. */
  | { readonly decision: 'go'; readonly message: string | null }
  | { readonly decision: 'block'; readonly reason: string };

export type StopVerdict =
  | LifecycleVerdict
  /** It has objected so often in a row that the turn ends all the same. */
  | { readonly decision: 'overruled'; readonly reason: string };

export type HookVerdict =
  | { readonly decision: 'go'; readonly message: string | null }
  | { readonly decision: 'change'; readonly args: unknown; readonly message: string | null }
  | { readonly decision: 'block'; readonly reason: string };

/** A program as it is to be started. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Confines the commands of `shell`. */
export interface CommandSandbox {
  readonly kind: 'bubblewrap' | 'sandbox-exec';
  /** Whether the network can be reached from inside. */
  readonly network: boolean;
  wrap(launch: Launch): Launch;
  /** A note for the model when this output looks as if the sandbox had refused something; null: it does not. */
  explain(output: string, exitCode: number): string | null;
}

/** A call that is about to have side effects. */
export interface ChangingCall {
  readonly callId: CallId;
  readonly agent: AgentId;
  readonly round: number;
  /** The one real path it writes; null: it could be any. */
  readonly path: string | null;
  /** Of `shell`; null: it is no command. */
  readonly command: string | null;
  /** Real path of the folder it starts in. */
  readonly cwd: string;
  /** Aborted when the call is cancelled: then it will change nothing more, and nothing has to be kept. */
  readonly signal?: AbortSignal;
}

/** Keeps what calls change in the workspace, so that it can be put back. */
export interface ChangeKeeper {
  /**
   * Resolves once what the call may change is kept, or the signal has aborted. What it resolves with is for when the call is over: it
   * puts on record what has changed, and gives a remark for the result, or null. Neither rejects.
   */
  before(call: ChangingCall): Promise<() => Promise<string | null>>;
}

/** Whether an agent may change anything yet. It may not while it plans. */
export interface PlanPhase {
  readonly isPlanning: boolean;
  /** Before the request after `round`; what the agent is told because planning is over, null: nothing. */
  before(round: number): string | null;
  /** The agent stopped without a word on how; once, what it is told instead, then null. */
  remind(): string | null;
}

/** How tasks of a kind are done, in words for the model. */
export interface TaskTemplates {
  loadTemplate(type: TaskType): string;
  /** Replaces each `{name}`. Throws, listing the names, when one was not given. */
  renderTemplate(template: string, data: Readonly<Record<string, string>>): string;
  /** By its words, without asking anyone; the same for the same description. */
  classifyTask(description: string): TaskClass;
  /** The same for as long as the machine is. */
  getSystemInfo(): string;
}
