/** The names things are known by. Plain strings with a brand, so that one cannot stand in for another. */

/** UUID v4 of a session; its first 8 characters are the short id shown to people. */
export type SessionId = string & { readonly __brand: 'SessionId' };

/** `main`, or a sub-agent such as `sub-1`; unique in its session, never used twice. */
export type AgentId = string & { readonly __brand: 'AgentId' };

/**
 * One tool call; unique in its session. Made by us from agent, round and position (`main_3_1`), because
 * the ids that servers send repeat, arrive late or are missing.
 */
export type CallId = string & { readonly __brand: 'CallId' };

/** Position of a row in the journal; contiguous, the first is 1. */
export type Seq = number;

/** Milliseconds since the Unix epoch, from the clock port. */
export type Millis = number;

export const MAIN_AGENT = 'main' as AgentId;

/** How many characters of a session id people are shown, and the fewest that name one. */
export const SHORT_ID_LENGTH = 8;
export const MIN_ID_PREFIX = 4;

/** The call ids of one round are numbered from 1 in the order the model asked. */
export const callIdOf = (agent: AgentId, round: number, position: number): CallId =>
  `${agent}_${round}_${position}` as CallId;

export const shortId = (session: SessionId): string => session.slice(0, SHORT_ID_LENGTH);
