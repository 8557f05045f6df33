/** `stream-json`: what a headless run prints on stdout, one object a line. `result` is always the last. */
import type { CompactionStep } from './context.js';
import type { Hold } from './pause.js';
import type { EndStatus, SandboxKind } from './session.js';
import type { ToolStatus } from './tools.js';

export const STREAM_SCHEMA_VERSION = 1;

/** Every type a line can have. Those marked in docs/events.md as reserved are not printed yet. */
export const STREAM_TYPES = [
  'init',
  'round',
  'reasoning',
  'message',
  'tool_use',
  'tool_result',
  'compact',
  'pause',
  'question',
  'subagent',
  'discovery',
  'usage',
  'error',
  'result',
] as const;
export type StreamType = (typeof STREAM_TYPES)[number];

export interface Denial {
  readonly tool: string;
  readonly summary: string;
  readonly rule: string;
}

/** The whole outcome of a run; also what `--output-format json` prints and `ouro wait --json` returns. */
export interface RunResult {
  readonly type: 'result';
  readonly schema_version: number;
  readonly status: EndStatus;
  readonly exit_code: number;
  readonly is_error: boolean;
  readonly reason: string;
  /** Null: it ended before there was a session. */
  readonly session_id: string | null;
  readonly rounds: number;
  readonly duration_ms: number;
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly cached_tokens: number;
  };
  /** Null: no price is known for a model that was used. */
  readonly cost_usd: number | null;
  readonly text: string;
  /** What the answer holds, where a schema was asked for and it fits; else null. */
  readonly structured_output: unknown;
  readonly files_changed: readonly string[];
  readonly verify: readonly never[];
  readonly denials: readonly Denial[];
  readonly holds: readonly Hold[];
  readonly artifacts: null;
  readonly retryable: boolean;
  readonly resume_command: string | null;
}

interface Line<T extends StreamType> {
  readonly type: T;
  readonly session_id: string;
  /** ISO 8601, UTC. */
  readonly ts: string;
}

export type StreamLine =
  | (Line<'init'> & {
      readonly schema_version: number;
      readonly capabilities: readonly string[];
      readonly model: string;
      readonly base_url: string;
      readonly scripted: boolean;
      readonly workspace: string;
      readonly goal: string;
      readonly limits: {
        readonly max_rounds: number | null;
        readonly max_time_ms: number | null;
        readonly max_cost_usd: number | null;
        readonly max_cost_usd_day: number | null;
        readonly max_cost_usd_month: number | null;
        readonly max_tokens: number | null;
      };
      readonly permission_mode: string;
      readonly sandbox: SandboxKind;
      /** Why there is none, though one was wanted. */
      readonly sandbox_reason: string | null;
      readonly version: string;
    })
  | (Line<'round'> & { readonly agent: string; readonly round: number })
  | (Line<'reasoning' | 'message'> & {
      readonly agent: string;
      readonly round: number;
      readonly role: 'assistant' | 'user';
      readonly text: string;
    })
  | (Line<'tool_use'> & {
      readonly agent: string;
      readonly round: number;
      readonly call_id: string;
      readonly name: string;
      readonly summary: string;
    })
  | (Line<'tool_result'> & {
      readonly agent: string;
      readonly round: number;
      readonly call_id: string;
      readonly name: string;
      readonly status: ToolStatus;
      readonly text: string;
    })
  | (Line<'pause'> & { readonly holds: readonly Hold[] })
  | (Line<'question'> & {
      readonly agent: string;
      readonly id: string;
      readonly event: 'opened' | 'answered';
      readonly kind: 'choice' | 'approval';
      readonly prompt: string;
      readonly choices: readonly string[];
      /** Null while it is open. */
      readonly answer: string | null;
    })
  | (Line<'subagent'> & {
      readonly agent: string;
      readonly event: 'spawned' | 'ended' | 'refused';
      readonly text: string;
    })
  | (Line<'discovery'> & {
      readonly agent: string;
      readonly title: string;
      readonly description: string;
    })
  | (Line<'usage'> & {
      readonly agent: string;
      readonly round: number;
      readonly model: string;
      readonly prompt_tokens: number;
      readonly completion_tokens: number;
      readonly cached_tokens: number;
      /** Null: no price is known. */
      readonly cost_usd: number | null;
    })
  | (Line<'compact'> & {
      readonly agent: string;
      readonly round: number;
      readonly step: CompactionStep;
      readonly count: number;
      readonly tokens_before: number;
      readonly tokens_after: number;
    })
  | (Line<'error'> & {
      readonly agent: string;
      readonly kind: string;
      readonly message: string;
      /** Left out where nothing is tried again. */
      readonly attempt?: number;
      readonly retry_in_ms?: number;
    })
  | RunResult;
