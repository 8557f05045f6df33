/** What is asked of a model server and what comes back, whatever protocol it speaks. */
import type { BudgetUnit } from './budget.js';
import type { Carried, Message } from './conversation.js';
import type { AgentId, Millis } from './ids.js';

/** A tool as the model is shown it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments; always of type `object`. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  /** Who asks; told to the server in a header, so that logs and scripted servers can tell agents apart. */
  readonly agent: AgentId;
  /** The agent's round; left out: it belongs to none. */
  readonly round?: number;
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** Tokens in the reply, at most; left out: as many as are configured. */
  readonly maxTokens?: number;
  /** JSON Schema that the final answer has to fit. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
}

/** Tokens of one request as the server reported them; a field it left out is 0. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  /** Prompt tokens that the provider put into its cache, where it says so. */
  readonly cacheWriteTokens?: number;
  /** Dollars: as the server said, else by the price of the model; left out where neither is known. */
  readonly costUsd?: number;
  /** The server reported nothing that can be true: these are what was set aside for the request. */
  readonly estimated?: true;
}

/** An answer that was paid for beside the rounds of an agent, such as one about a page of the web. */
export interface ModelUse {
  /** The model that really answered. */
  readonly model: string;
  /** Null: the server reported none. */
  readonly usage: Usage | null;
}

/** A call as it came off the wire: arguments still text. */
export interface RawToolCall {
  /** The server's id; empty when it sent none. */
  readonly id: string;
  readonly name: string;
  readonly argumentsText: string;
  /** What the model wrote, where `argumentsText` is a repaired form of it. */
  readonly repairedFrom?: string;
  /** The arguments end before they are whole. */
  readonly cut?: true;
}

export interface ModelReply {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly RawToolCall[];
  /** Null: the server reported none. */
  readonly usage: Usage | null;
  readonly finish: 'stop' | 'calls' | 'length' | 'filtered' | 'unstated';
  /** The model that really answered. */
  readonly model: string;
  readonly carried?: Carried;
  /** What a person should know about this answer, in sentences. */
  readonly notices?: readonly string[];
}

/** Kinds by what happens next: the first five are final, the others may be tried again. */
export type ModelErrorKind =
  | 'auth'
  | 'not-found'
  | 'bad-request'
  | 'context-overflow'
  /** The model cannot write valid arguments, although it was told what is wrong with them. */
  | 'bad-arguments'
  /** It was not sent: a limit of cost or tokens would not hold. */
  | 'budget'
  | 'rate-limit'
  | 'overloaded'
  | 'server'
  | 'network'
  /** No first token, or silence in the middle, for longer than allowed. */
  | 'stalled'
  /** The stream ended before the answer did. */
  | 'cut'
  /** An answer with neither text nor calls. */
  | 'empty';

export interface ModelError {
  readonly kind: ModelErrorKind;
  /** For people: what went wrong, at which URL, and what to try. */
  readonly message: string;
  readonly httpStatus?: number;
  readonly retryAfterMs?: number;
  /** Of kind `budget`: what is used up, and when that ends by itself; null: it does not. */
  readonly limit?: { readonly unit: BudgetUnit; readonly until: Millis | null };
}

/** An end is a value: a model client never throws. */
export type ModelOutcome =
  | { readonly status: 'ok'; readonly reply: ModelReply }
  | { readonly status: 'failed'; readonly error: ModelError }
  | { readonly status: 'cancelled' };

export type ModelDelta = { readonly kind: 'text' | 'reasoning'; readonly text: string };

const FINAL: readonly ModelErrorKind[] = [
  'auth',
  'not-found',
  'bad-request',
  'context-overflow',
  'bad-arguments',
  'budget',
];

export const isTransient = (kind: ModelErrorKind): boolean => !FINAL.includes(kind);
