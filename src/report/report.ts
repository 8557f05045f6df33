/**
 * What a report on a session says, as `ouro report --json` prints it: fields are added, never changed. Times
 * are ISO 8601 in UTC, durations are in milliseconds.
 */
import type { EndStatus, SessionWorktree } from '../../messages/session.js';
import type { ToolStatus } from '../../messages/tools.js';

export const REPORT_SCHEMA_VERSION = 1;

export interface SessionReport {
  readonly schema_version: number;
  readonly session_id: string;
  readonly name: string;
  readonly workspace: string;
  readonly model: string;
  /** A scripted server answered instead of a model. */
  readonly scripted: boolean;
  /** Null: from the beginning. What happened is told from here on; how things stand is told as it is. */
  readonly since: string | null;
  readonly started_at: string;
  readonly last_heard_at: string;
  /** Null: it is no branch. */
  readonly forked_from: { readonly session_id: string; readonly round: number } | null;
  /** Left out: it works in no worktree of its own. */
  readonly worktree?: SessionWorktree;
  readonly goals: readonly { readonly goal: string; readonly at: string }[];
  readonly outcome: Outcome;
  /** Of the period. */
  readonly usage: Spending;
  readonly models: readonly (Spending & { readonly model: string })[];
  readonly files: readonly ChangedFile[];
  readonly commands: readonly RunCommand[];
  readonly processes: readonly BackgroundProcess[];
  readonly sub_agents: readonly SubAgent[];
  readonly denials: readonly RefusedCall[];
  /** Calls that were cut off: they may have happened in full, in part or not at all. */
  readonly unknown_calls: readonly UnknownCall[];
  readonly model_errors: readonly ModelFailure[];
  readonly holds: readonly HoldSpan[];
  readonly questions: {
    readonly open: readonly AskedQuestion[];
    readonly closed: readonly (AskedQuestion & { readonly answer: string })[];
  };
  readonly discoveries: readonly { readonly title: string; readonly description: string }[];
  readonly todos: { readonly open: readonly string[]; readonly done: number };
  readonly unverified: Unverified;
  /** What is different in the workspace now, whatever the period is; not there: nobody looked. */
  readonly diff?: ReportDiff;
  /** Commands, runnable as they stand. */
  readonly go_on: readonly string[];
}

export interface Outcome {
  /** `running`: its process lives. Null: it ended without a word. */
  readonly status: EndStatus | 'running' | null;
  readonly reason: string;
  /** The final words, or the newest ones of the main agent. */
  readonly text: string;
  readonly resumed: number;
}

export interface Spending {
  readonly rounds: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens: number;
  /** Null: no price is known for a model that was used. */
  readonly cost_usd: number | null;
}

export interface ChangedFile {
  /** As the agent named it. */
  readonly path: string;
  readonly writes: number;
  readonly edits: number;
  readonly agents: readonly string[];
  readonly changed_at: string;
}

export interface RunCommand {
  readonly command: string;
  readonly agent: string;
  readonly round: number;
  readonly call_id: string;
  readonly status: ToolStatus;
  /** Null: it did not come to an end of its own, or runs in the background. */
  readonly exit_code: number | null;
  /** Null: it was never begun. */
  readonly duration_ms: number | null;
}

export interface BackgroundProcess {
  readonly id: string;
  readonly command: string;
  readonly pid: number;
  readonly state: 'running' | 'exited' | 'ended-by-ouro' | 'not-seen-to-end';
  readonly exit_code: number | null;
}

export interface SubAgent {
  readonly agent: string;
  readonly parent: string;
  readonly kind: string;
  readonly task: string;
  /** Null: it has not ended. */
  readonly status: string | null;
  readonly rounds: number;
}

export interface RefusedCall {
  readonly tool: string;
  readonly summary: string;
  readonly rule: string;
  readonly agent: string;
  readonly call_id: string;
}

export interface UnknownCall {
  readonly tool: string;
  readonly summary: string;
  readonly agent: string;
  readonly call_id: string;
}

export interface ModelFailure {
  readonly agent: string;
  readonly round: number;
  readonly kind: string;
  readonly message: string;
  readonly at: string;
}

export interface HoldSpan {
  readonly kind: string;
  readonly scope: string;
  readonly reason: string;
  readonly since: string;
  /** Null: it is still set. */
  readonly lifted_at: string | null;
  readonly duration_ms: number;
  readonly release: string;
}

export interface AskedQuestion {
  readonly id: string;
  readonly agent: string;
  readonly prompt: string;
  readonly asked_at: string;
}

export interface ReportDiff {
  readonly files: readonly FileDiff[];
  readonly not_covered: readonly { readonly place: string; readonly reason: string }[];
}

/** As a file was before the session, and as the session left it. */
export interface FileDiff {
  /** From the workspace; absolute when it is outside of it. */
  readonly path: string;
  /** Of its newest change. */
  readonly round: number;
  readonly status: 'created' | 'deleted' | 'changed' | 'mode';
  readonly binary: boolean;
  /** Lines; null: they cannot be told. */
  readonly added: number | null;
  readonly removed: number | null;
  readonly undoable: boolean;
  /** Why not; null: it can be undone. */
  readonly reason: string | null;
}

/** An estimate from words and commands, never a judgement of the work. */
export interface Unverified {
  readonly method: 'heuristic';
  /** The newest command that looked like a check. */
  readonly last_check: { readonly command: string; readonly exit_code: number } | null;
  /** Files, and commands that may have changed something, since the newest check that passed. */
  readonly changes_since: readonly string[];
  /** Sentences of the final words that claim a success, where no check has passed since the last change. */
  readonly claims: readonly string[];
}

/** A line of the report in words. `literal` is to be read to the letter, such as a command or a path. */
export interface ReportLine {
  readonly literal?: string;
  readonly text: string;
}
