/** What happens to a conversation that grows too long for its model's window. */
import type { AgentId, CallId, Millis } from './ids.js';
import type { ModelUse } from './model.js';

/** What the program itself remembers of messages that left the conversation; newest entries last. */
export interface WorkRecord {
  readonly changed: readonly string[];
  readonly read: readonly string[];
  readonly commands: readonly string[];
  readonly errors: readonly string[];
  /** Questions with a person's answers, word for word. */
  readonly answers: readonly string[];
}

/** Where a piece of work begins: at the first message, at a person's words, with other files, or for its length. */
export type SegmentCause = 'start' | 'turn' | 'files' | 'size';

/** A piece of work that was summarised. */
export interface SegmentNote {
  readonly begins: SegmentCause;
  readonly messages: number;
  /** What most of its turns were about; a few at most. */
  readonly files: readonly string[];
}

export type CompactionStep = 'mask' | 'summary' | 'restart' | 'undo';

/** How a window is used, in estimated tokens. */
export interface ContextUse {
  /** What messages may take: the window less the reply's share and the tool definitions. */
  readonly window: number;
  readonly pinned: number;
  readonly summary: number;
  readonly middle: number;
  readonly recent: number;
}

export type ContextFact =
  | {
      readonly type: 'context.measured';
      readonly agent: AgentId;
      readonly round: number;
      readonly use: ContextUse;
      readonly at: Millis;
    }
  | {
      readonly type: 'context.compacted';
      readonly agent: AgentId;
      readonly round: number;
      readonly step: CompactionStep;
      /** Results or messages that left the request. */
      readonly count: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      /** What the summary cost. */
      readonly modelUse?: readonly ModelUse[];
      readonly at: Millis;
    }
  /** A summary that could not be made or was not good enough. */
  | {
      readonly type: 'context.refused';
      readonly agent: AgentId;
      readonly round: number;
      readonly reason: string;
      readonly modelUse?: readonly ModelUse[];
      readonly at: Millis;
    };

/** A result that is no longer sent, and the line in its place. */
export interface MaskedResult {
  readonly callId: CallId;
  readonly text: string;
}

/** A compaction in one line for people. */
export function compactionText(fact: Extract<ContextFact, { type: 'context.compacted' }>): string {
  const { count, tokensBefore, tokensAfter } = fact;
  const room = `${tokensBefore} → ${tokensAfter} tokens`;
  switch (fact.step) {
    case 'mask':
      return `context: ${count} old results masked, ${room}`;
    case 'summary':
      return `context: ${count} messages summarised, ${room}`;
    case 'restart':
      return `context: begun anew from the findings, ${room}`;
    case 'undo':
      return `context: a compaction taken back, ${room}`;
  }
}
