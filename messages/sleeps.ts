/**
 * Sleeping calls: what they wait for, and why they wake. A sleep ends at most once; its deadline is an
 * absolute time, so that it means the same after a restart.
 */
import type { AgentId, CallId, Millis } from './ids.js';

/** Only the end of an agent is for the one who is asked to watch. */
export type WaitedEvent =
  | { readonly kind: 'agent'; readonly agent: AgentId }
  | { readonly kind: 'process'; readonly id: string }
  | { readonly kind: 'path'; readonly path: string };

/** `since`: when the call began, also in an earlier run of the process. */
export type WaitRequest =
  | { readonly mode: 'timer'; readonly since: Millis; readonly until: Millis }
  /** At most until then. */
  | {
      readonly mode: 'event';
      readonly event: WaitedEvent;
      readonly since: Millis;
      readonly until: Millis;
    }
  /** Until a person resumes. */
  | { readonly mode: 'manual'; readonly since: Millis };

export type WakeReason =
  | 'timer_expired'
  | 'agent_completed'
  | 'agent_failed'
  | 'agent_killed'
  | 'agent_not_found'
  | 'process_ended'
  | 'path_changed'
  | 'user_resumed'
  /** A person said something. */
  | 'message_received'
  | 'max_duration_exceeded'
  /** It would wait for a person in a run that asks nobody. */
  | 'nobody_there'
  | 'shutdown'
  /** The call itself was cancelled. */
  | 'cancelled';

/** A call that sleeps, and for whom. */
export interface Sleep {
  readonly agent: AgentId;
  readonly callId: CallId;
  readonly wait: WaitRequest;
}

/** A call wants to sleep. It is answered with `sleep.wake`, once. */
export interface SleepRequest extends Sleep {
  readonly type: 'sleep.begin';
  readonly at: Millis;
}

/** The call waits no longer: it was cancelled, or what it waited for has come. */
export interface SleepWithdrawal {
  readonly type: 'sleep.withdraw';
  readonly callId: CallId;
  readonly at: Millis;
}

/** What a sleeping call is told. */
export interface SleepWake {
  readonly type: 'sleep.wake';
  readonly callId: CallId;
  readonly reason: WakeReason;
}
