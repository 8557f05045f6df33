/** What an agent and its model have said to each other, in our own shape; adapters translate it for a server. */
import type { CallId } from './ids.js';

/** A call the model asked for. */
export interface ToolCall {
  readonly id: CallId;
  readonly name: string;
  /** The parsed arguments; an empty object when `invalid` is set. */
  readonly args: unknown;
  /** The text the model sent, when it was not JSON. Such a call is answered with an error, never run. */
  readonly invalid?: string;
  /** With `invalid`: the text ends before it is whole. */
  readonly cut?: true;
  /** What the model wrote, where the arguments are a repaired form of it. */
  readonly repairedFrom?: string;
}

export type UserOrigin =
  | 'goal'
  | 'steer'
  | 'queue'
  /** Said by the program itself, such as a notice that work was interrupted. */
  | 'harness'
  /** The task a parent agent gave to a sub-agent. */
  | 'parent';

export interface SystemMessage {
  readonly role: 'system';
  readonly text: string;
}
export interface UserMessage {
  readonly role: 'user';
  readonly text: string;
  readonly origin: UserOrigin;
}
/** What a server wants to have back, unread, with the message it came with; for that model alone. */
export interface Carried {
  readonly protocol: string;
  readonly model: string;
  readonly blocks: readonly Readonly<Record<string, unknown>>[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly text: string;
  readonly reasoning?: string;
  readonly calls: readonly ToolCall[];
  readonly carried?: Carried;
}
export interface ToolMessage {
  readonly role: 'tool';
  readonly callId: CallId;
  readonly name: string;
  readonly text: string;
}

/** Invariant of a conversation: every call is followed by exactly one tool message, in call order. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;
