/**
 * Everything that can be seen of a simulated session from outside of the product: what passes its ports.
 * Invariants are judged by this alone, a trace is this written down.
 */
import type { ActionRequest, ActionResult } from '../messages/actions.js';
import type { ObservedFact } from '../messages/coordinator.js';
import type { AgentId, CallId, Seq } from '../messages/ids.js';
import type { JournalFact, JournalRow } from '../messages/journal.js';
import type { ModelOutcome, ModelRequest } from '../messages/model.js';
import type { Hold } from '../messages/pause.js';
import type { RunResult } from '../messages/result.js';
import type { SessionSpec } from '../messages/session.js';
import type { AgentLimits } from '../actors/sub-agent-supervisor.js';

/** What a call does to the world. */
export interface Deed {
  readonly agent: AgentId;
  readonly round: number;
  readonly callId: CallId;
  /** Which thing; a model that repeats itself names the same thing again. */
  readonly key: string;
  /** The thing is another one afterwards. */
  readonly changes: boolean;
}

/** What a session goes by, and how its server counts. */
export interface KnownWindow {
  readonly tokens: number;
  readonly replyTokens: number;
  /** Tokens of the server for each of a first estimate. */
  readonly counts: number;
}

/** In dollars. */
export interface SpendingSum {
  readonly spent: number;
  readonly reserved: number;
}

export type Happening =
  /** A process is there; nothing of the session is yet. */
  | { readonly type: 'life.opened' }
  /** `rows`: all that the journal holds; `state`: what the session goes on with, as text to compare. */
  | {
      readonly type: 'life.began';
      readonly spec: SessionSpec;
      readonly limits: AgentLimits;
      readonly rows: readonly JournalRow[];
      readonly holds: readonly Hold[];
      readonly state: string;
      /** Null: so large that nothing here fills it. */
      readonly window: KnownWindow | null;
    }
  | { readonly type: 'life.crashed'; readonly how: string }
  | { readonly type: 'life.ended'; readonly result: RunResult }
  /** Asked to end, by whom and how ever. */
  | { readonly type: 'end.asked'; readonly how: string }
  /** Handed to the journal port, and not yet acknowledged. */
  | { readonly type: 'rows.handed'; readonly facts: readonly JournalFact[] }
  | { readonly type: 'rows.acknowledged'; readonly rows: readonly JournalRow[] }
  | { readonly type: 'request.sent'; readonly request: ModelRequest }
  | {
      readonly type: 'request.ended';
      readonly agent: AgentId;
      readonly round: number;
      readonly outcome: ModelOutcome;
    }
  | { readonly type: 'call.planned'; readonly agent: AgentId; readonly callId: CallId }
  /** Something in the world really begins to change, or to be looked at. */
  | ({ readonly type: 'effect.began' } & Deed)
  | ({ readonly type: 'effect.ended' } & Deed)
  | {
      readonly type: 'person.acted';
      readonly action: ActionRequest;
      /** Null: it is on its way. */
      readonly result: ActionResult | null;
    }
  | { readonly type: 'fact'; readonly fact: ObservedFact }
  /** What all sessions of the person have spent and set aside; `excessUsd`: more than was set aside for it. */
  | {
      readonly type: 'index.changed';
      readonly day: SpendingSum;
      readonly month: SpendingSum;
      readonly excessUsd: number;
    }
  /** The files were put back as they were before that row; what was left out, and what is not as it was then. */
  | {
      readonly type: 'files.undone';
      readonly from: Seq;
      readonly refused: readonly string[];
      readonly wrong: readonly string[];
    }
  /** Nothing holds the session, nothing is under way, and nothing will ever come. */
  | { readonly type: 'stalled' }
  /** It was asked to end, and has not in a time in which it must. */
  | { readonly type: 'end.overdue'; readonly afterMs: number }
  /** It has ended, and still waits for so many things. */
  | { readonly type: 'left.behind'; readonly waiting: number }
  /** An exception in a machine, a port or the life. */
  | { readonly type: 'bug'; readonly error: unknown };

/** A happening with its place in the history. */
export interface Moment {
  /** Counts what happened on the timeline: two moments of one step could have come in either order. */
  readonly step: number;
  readonly at: number;
  readonly life: number;
  readonly what: Happening;
}
