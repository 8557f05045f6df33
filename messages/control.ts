/**
 * The control socket's protocol, version 1: one JSON object per LF, at most 1 MB. The verbs in
 * `STABLE_VERBS` never change incompatibly within `v: 1`.
 */
import type { ActionResult } from './actions.js';
import type { AgentDelta } from './agents.js';
import type { ObservedFact } from './coordinator.js';
import type { Seq, SessionId } from './ids.js';
import type { ApprovalScope } from './questions.js';
import type { RunResult } from './result.js';
import type { PermissionMode } from './session.js';
import type { Snapshot } from './snapshot.js';

export const PROTOCOL_VERSION = 1;
/** A longer line closes the connection: nothing said here is that long. */
export const MAX_LINE_BYTES = 1024 * 1024;

export const STABLE_VERBS = [
  'status',
  'pause',
  'resume',
  'stop',
  'send',
  'answer',
  'approve',
  'deny',
  'subscribe',
] as const;

/** The verbs this version serves; the hello names them as capabilities. */
export const SERVED_VERBS = [
  'status',
  'pulse',
  'pause',
  'resume',
  'stop',
  'send',
  'interrupt',
  'answer',
  'approve',
  'deny',
  'set',
  'subscribe',
] as const;
export type ControlVerb = (typeof SERVED_VERBS)[number];

/** First line on every connection, from the server. */
export interface Hello {
  readonly v: typeof PROTOCOL_VERSION;
  readonly session: SessionId;
  readonly version: string;
  readonly pid: number;
  readonly capabilities: readonly string[];
}

/** What is left out stays as it is; null takes a limit away. */
export interface SetArgs {
  readonly model?: string;
  readonly fallback?: readonly string[];
  readonly max_rounds?: number | null;
  /** Dollars of the session. */
  readonly max_cost?: number | null;
  readonly max_tokens?: number | null;
  readonly max_time_ms?: number | null;
  readonly permission_mode?: PermissionMode;
  readonly name?: string;
}

export type ControlArgs =
  | { readonly do: 'status' }
  /** Whether the session still handles messages and reads its journal. */
  | { readonly do: 'pulse' }
  | {
      readonly do: 'pause';
      readonly args?: { readonly now?: boolean; readonly until?: number | null };
    }
  | {
      readonly do: 'resume';
      readonly args?: {
        readonly add_cost?: number;
        readonly add_tokens?: number;
        readonly add_time_ms?: number;
        readonly force?: boolean;
      };
    }
  | { readonly do: 'stop'; readonly args?: { readonly restart?: boolean } }
  | {
      readonly do: 'send';
      readonly args: { readonly text: string; readonly mode?: 'steer' | 'queue' };
    }
  | { readonly do: 'interrupt' }
  | { readonly do: 'set'; readonly args?: SetArgs }
  | {
      readonly do: 'answer';
      readonly args: { readonly question: string; readonly text: string; readonly edits?: number };
    }
  | {
      readonly do: 'approve';
      readonly args: { readonly question: string; readonly scope?: ApprovalScope };
    }
  | {
      readonly do: 'deny';
      readonly args: { readonly question: string; readonly reason?: string };
    }
  /** Afterwards events follow until the connection closes. */
  | { readonly do: 'subscribe'; readonly args?: { readonly events?: readonly EventKind[] } };

export type ControlRequest = {
  readonly v: typeof PROTOCOL_VERSION;
  readonly token: string;
  /** Comes back in the reply; chosen by the client. */
  readonly id: number;
} & ControlArgs;

export type ControlErrorCode =
  'bad_request' | 'unauthorised' | 'unknown_verb' | 'not_possible' | 'stopping';

export interface Pulsed {
  /** Of the journal's newest row, read from its file. */
  readonly seq: Seq;
}

/** Sent after the commit of what was asked. */
export type ControlReply =
  | {
      readonly id: number;
      readonly ok: true;
      readonly data: ActionResult | Snapshot | Pulsed | null;
    }
  | {
      readonly id: number;
      readonly ok: false;
      readonly error: { readonly code: ControlErrorCode; readonly message: string };
    };

/** Snapshots and deltas may be skipped for a slow reader; `lagged` says how many were. */
export type ControlEvent =
  | { readonly ev: 'snapshot'; readonly data: Snapshot }
  | { readonly ev: 'delta'; readonly data: AgentDelta }
  | { readonly ev: 'lagged'; readonly data: { readonly dropped: number } }
  | { readonly ev: 'fact'; readonly data: ObservedFact }
  /** The session is over; the connection closes after this. */
  | { readonly ev: 'bye'; readonly data: { readonly result: RunResult | null } };

export type EventKind = ControlEvent['ev'];
