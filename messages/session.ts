/** What a session is: how it was asked to run, the states it goes through, and how it can end. */
import type { SessionBudget } from './budget.js';
import type { Millis, SessionId } from './ids.js';
import type { TaskClass } from './task-types.js';

export type SessionState =
  | 'starting'
  | 'running'
  | 'resting'
  | 'held'
  | 'stopping'
  | 'done'
  | 'unverified'
  | 'failed'
  | 'stopped'
  | 'interrupted';

const ENDED: readonly SessionState[] = ['done', 'unverified', 'failed', 'stopped', 'interrupted'];

export const hasEnded = (state: SessionState): boolean => ENDED.includes(state);

/**
 * `default` and `accept-edits` leave to a person what no rule, proof or sandbox allows; `plan` only reads;
 * `dont-ask` refuses what the default would ask; `bypass` refuses only what is forbidden or denied by a rule.
 */
export type PermissionMode = 'default' | 'accept-edits' | 'plan' | 'dont-ask' | 'bypass';

/** Where a rule was given: a file and line, a flag, a variable. */
export interface RuleOrigin {
  readonly from: string;
  readonly line: number | null;
}

/** What really confines commands. */
export type SandboxKind = 'off' | 'bubblewrap' | 'sandbox-exec';

export type OnQuestion = 'wait' | 'deny' | 'fail';

/** Everything that a session needs to run again after a crash; holds no secret. */
export interface SessionSpec {
  readonly id: SessionId;
  readonly name: string;
  /** False: it goes by the first line of its goal, until it has a title; else it has a name. */
  readonly named?: boolean;
  /** Real path of the folder it works in. */
  readonly workspace: string;
  readonly model: string;
  /** Models to ask, in this order, when one cannot answer. */
  readonly fallback?: readonly string[];
  readonly baseUrl: string;
  /** The model server is on this machine: it costs nothing. */
  readonly local: boolean;
  /** Scenario of the embedded model server that answers instead of `baseUrl`; null: a real endpoint. */
  readonly rehearsal: string | null;
  /** Who answers a question: a person (`wait`), the default at once (`deny`), or nobody: the run ends (`fail`). */
  readonly onQuestion: OnQuestion;
  readonly permissions: {
    readonly mode: PermissionMode;
    readonly allow: readonly string[];
    readonly ask?: readonly string[];
    readonly deny?: readonly string[];
    /** Where each rule was given, by `KIND RULE`. */
    readonly origins?: Readonly<Record<string, RuleOrigin>>;
  };
  /** Real paths of folders beside the workspace in which tools may read and write; left out: none. */
  readonly addDirs?: readonly string[];
  /** Real paths of folders beside the workspace in which tools may only read; left out: none. */
  readonly readDirs?: readonly string[];
  /** What confines the commands of `shell`; left out: nothing does. */
  readonly sandbox?: { readonly mode: 'auto' | 'require' | 'off'; readonly network: boolean };
  readonly limits: {
    /** Model requests of the main agent in one run of the process; null: no limit. */
    readonly maxRounds: number | null;
    /** Wall time not spent held, in milliseconds; null: no limit. */
    readonly maxTimeMs: number | null;
  };
  /** Left out: no limit of cost or tokens. */
  readonly budget?: SessionBudget;
  /** JSON Schema of the final answer; left out: any text will do. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** It plans before it changes anything; left out: it does not. */
  readonly plan?: boolean;
  /** What kind of task its goal is; left out: its first prompt does not go by that. */
  readonly task?: TaskClass;
  /** Another session may write in the same workspace. */
  readonly sharesWorkspace: boolean;
  readonly startedAt: Millis;
  /** Its workspace is in a git worktree that was made for it; left out: in no such. */
  readonly worktree?: SessionWorktree;
  /** Set when it began as a branch of another session; left out: it began with its goal. */
  readonly forkedFrom?: ForkOrigin;
}

/** A worktree of a person's repository; all paths are real ones. */
export interface SessionWorktree {
  /** The folder that it was made for. */
  readonly origin: string;
  /** The working copy around that. */
  readonly repository: string;
  readonly folder: string;
  readonly branch: string;
  /** The commit that it began with. */
  readonly commit: string;
}

/** Where a session branched off. */
export interface ForkOrigin {
  readonly session: SessionId;
  /** The last round of the main agent that it has from there. */
  readonly round: number;
  /** Rows that it has from there; they follow the first of its own. */
  readonly rows: number;
}

/** How a session ended: one name for each exit code. */
export type EndStatus =
  | 'done'
  | 'internal_error'
  | 'usage'
  | 'unverified'
  | 'invalid_output'
  | 'auth'
  | 'bad_input'
  | 'needs_input'
  | 'permission_denied'
  | 'workspace_busy'
  | 'config'
  | 'round_limit'
  | 'stuck'
  | 'budget_limit'
  | 'time_limit'
  | 'provider_error'
  | 'stopped'
  | 'hangup'
  | 'interrupted'
  | 'terminated';

/** Why the process was asked to end before its cycle did. */
export type QuitReason = Extract<
  EndStatus,
  | 'stopped'
  | 'needs_input'
  | 'time_limit'
  | 'provider_error'
  | 'hangup'
  | 'interrupted'
  | 'terminated'
  | 'internal_error'
>;

export const EXIT_CODES: Readonly<Record<EndStatus, number>> = {
  done: 0,
  internal_error: 1,
  usage: 2,
  unverified: 3,
  invalid_output: 4,
  auth: 41,
  bad_input: 42,
  needs_input: 43,
  permission_denied: 44,
  workspace_busy: 45,
  config: 52,
  round_limit: 53,
  stuck: 54,
  budget_limit: 55,
  time_limit: 56,
  provider_error: 57,
  stopped: 58,
  hangup: 129,
  interrupted: 130,
  terminated: 143,
};

/** `ouro wait` and other client verbs: the time given was over. */
export const EXIT_WAIT_TIMEOUT = 124;

/** The state in which a session that ended this way is listed. */
export function stateAfter(status: EndStatus): SessionState {
  switch (status) {
    case 'done':
      return 'done';
    case 'unverified':
      return 'unverified';
    case 'stopped':
      return 'stopped';
    case 'hangup':
    case 'interrupted':
    case 'terminated':
      return 'interrupted';
    default:
      return 'failed';
  }
}
