/** What the tool executor is asked, and what it reports. Plain data: all of it survives JSON. */
import type { ToolCall } from './conversation.js';
import type { AgentId, CallId, Millis } from './ids.js';
import type { ModelUse } from './model.js';

/** How much a tool can change; decides what permission it needs and whether it may run again after a crash. */
export type Effect = 'none' | 'read' | 'write' | 'execute';

/** Calls with these effects are never started twice by us. */
export const hasSideEffects = (effect: Effect): boolean =>
  effect === 'write' || effect === 'execute';

/** A call on its way to the executor. The answer goes to the oneshot registered under `call.id`. */
export interface ToolRequest {
  readonly type: 'tool.request';
  readonly agent: AgentId;
  readonly round: number;
  readonly call: ToolCall;
}

export type ToolCommand =
  | {
      readonly type: 'tool.run';
      readonly agent: AgentId;
      readonly round: number;
      readonly call: ToolCall;
    }
  | { readonly type: 'tool.cancel'; readonly callId: CallId }
  | { readonly type: 'tool.cancelAll'; readonly agent: AgentId | null }
  /** Settles a call that waits for something outside the executor, such as a sub-agent. */
  | { readonly type: 'tool.answer'; readonly callId: CallId; readonly outcome: ToolOutcome };

/** One case for each reaction a reader must choose between. `text` is what the model is shown. */
export type ToolOutcome = ToolSpending &
  (
    | {
        readonly status: 'ok';
        readonly text: string;
        readonly truncated: boolean;
        /** It came from memory. */
        readonly cached?: true;
        /** The file that was written was there before. */
        readonly replaced?: true;
      }
    | { readonly status: 'failed'; readonly reason: ToolFailure; readonly text: string }
    | { readonly status: 'timeout'; readonly afterMs: number; readonly text: string }
    | { readonly status: 'denied'; readonly rule: string; readonly text: string }
    /** The process ended while it ran: it may or may not have happened. */
    | { readonly status: 'unknown'; readonly text: string }
    | { readonly status: 'cancelled'; readonly text: string }
    /** The executor had no room; nothing was started. */
    | { readonly status: 'overloaded'; readonly text: string }
  );

/** What a call has used up on its own account. */
interface ToolSpending {
  /** Answers of models that the tool asked for; they count in the session's totals. */
  readonly modelUse?: readonly ModelUse[];
}

export type ToolFailure = 'unknown-tool' | 'bad-args' | 'refused' | 'failed' | 'crashed';

export type ToolStatus = ToolOutcome['status'];

export type ToolFact =
  | {
      readonly type: 'tool.started';
      readonly agent: AgentId;
      readonly round: number;
      readonly callId: CallId;
      readonly name: string;
      /** One line for people: what is being run on what. */
      readonly summary: string;
      readonly at: Millis;
    }
  | {
      readonly type: 'tool.finished';
      readonly agent: AgentId;
      readonly round: number;
      readonly callId: CallId;
      readonly name: string;
      readonly outcome: ToolOutcome;
      readonly at: Millis;
    };
