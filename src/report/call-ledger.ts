/** Joins what the journal says of a call in several rows: who asked for it, when it began, how it ended. */
import type { ToolCall } from '../../messages/conversation.js';
import type { AgentId, CallId, Millis } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';
import type { ToolOutcome } from '../../messages/tools.js';

export interface EndedCall {
  readonly call: ToolCall;
  readonly agent: AgentId;
  readonly round: number;
  /** Null: it was never begun. */
  readonly ms: Millis | null;
  readonly at: Millis;
  readonly outcome: ToolOutcome;
}

export class CallLedger {
  readonly #asked = new Map<CallId, ToolCall>();
  readonly #begun = new Map<CallId, Millis>();

  /** The call that ended with this row; null: none did. */
  apply(row: JournalRow): EndedCall | null {
    if (row.kind === 'message.added' && row.body.message.role === 'assistant') {
      for (const call of row.body.message.calls) this.#asked.set(call.id, call);
    } else if (row.kind === 'tool.intent') {
      this.#begun.set(row.body.callId, row.ts);
    } else if (row.kind === 'tool.outcome') {
      const { callId, name, outcome } = row.body;
      const call = this.#asked.get(callId) ?? { id: callId, name, args: {} };
      const begun = this.#begun.get(callId);
      this.#asked.delete(callId);
      this.#begun.delete(callId);
      const ms = begun === undefined ? null : row.ts - begun;
      return { call, agent: row.agent, round: row.round, ms, at: row.ts, outcome };
    }
    return null;
  }
}

/** An argument that is text; empty when it is none. */
export function textIn(args: unknown, key: string): string {
  const value: unknown = (args as Readonly<Record<string, unknown>> | null)?.[key];
  return typeof value === 'string' ? value : '';
}

const SUMMARY_CHARS = 200;

/** A call's arguments on one line. */
export const argsText = (call: ToolCall): string =>
  (call.invalid ?? JSON.stringify(call.args)).slice(0, SUMMARY_CHARS);

/** How a finished command of `shell` tells its exit code; null: it did not come to an end of its own. */
export function exitCodeOf(outcome: ToolOutcome): number | null {
  const code = outcome.status === 'ok' ? /^\[exit: (\d+)\]/.exec(outcome.text)?.[1] : undefined;
  return code === undefined ? null : Number(code);
}
