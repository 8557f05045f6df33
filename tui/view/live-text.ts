/**
 * Text that is still being streamed, one piece per agent. Promise: it disappears when the whole answer is in
 * the log, when the attempt is withdrawn, and when some of it was missed; late pieces of an answer that is in
 * the log already do not bring it back.
 */
import type { AgentDelta, AgentPhase } from '../../messages/agents.js';
import type { AgentId, Millis } from '../../messages/ids.js';
import type { AgentView, LogEntry, LogKind } from '../../messages/snapshot.js';

/** The newest part that is kept: more than any terminal shows. The whole answer comes in the log. */
export const LIVE_CHARACTERS = 16_000;

export interface LivePiece {
  readonly round: number;
  readonly kind: AgentDelta['kind'];
  readonly text: string;
  /** When the first of it arrived. */
  readonly since: Millis;
}

export interface LiveText {
  readonly pieces: ReadonlyMap<AgentId, LivePiece>;
  /** The newest round of each agent whose answer is in the log. */
  readonly settled: ReadonlyMap<AgentId, number>;
}

export const NO_LIVE_TEXT: LiveText = { pieces: new Map(), settled: new Map() };

/** In these phases nothing is being streamed, and what was is withdrawn or about to be in the log. */
const SILENT: readonly AgentPhase[] = [
  'gated',
  'queued',
  'backing-off',
  'acting',
  'done',
  'failed',
];
/** Entries made from a whole answer. */
const FROM_ANSWER: readonly LogKind[] = ['text', 'reasoning', 'tool', 'result'];

export function withDelta(live: LiveText, delta: AgentDelta, now: Millis): LiveText {
  if (delta.round <= (live.settled.get(delta.agent) ?? -1)) return live;
  const before = live.pieces.get(delta.agent);
  const goesOn = before?.round === delta.round && before.kind === delta.kind;
  const text = ((goesOn ? before.text : '') + delta.text).slice(-LIVE_CHARACTERS);
  const since = before?.round === delta.round ? before.since : now;
  const piece: LivePiece = { round: delta.round, kind: delta.kind, text, since };
  return { ...live, pieces: new Map(live.pieces).set(delta.agent, piece) };
}

export const withoutPieces = (live: LiveText): LiveText =>
  live.pieces.size === 0 ? live : { ...live, pieces: new Map() };

/** What new log entries and the agents' phases mean for the text under way. */
export function afterSnapshot(
  live: LiveText,
  added: readonly LogEntry[],
  agents: readonly AgentView[],
): LiveText {
  const settled = new Map(live.settled);
  const pieces = new Map(live.pieces);
  for (const entry of added) {
    if (FROM_ANSWER.includes(entry.kind)) {
      settled.set(entry.agent, Math.max(entry.round, settled.get(entry.agent) ?? 0));
    }
    if (entry.kind !== 'user' && (pieces.get(entry.agent)?.round ?? Infinity) <= entry.round) {
      pieces.delete(entry.agent);
    }
  }
  for (const agent of agents) if (SILENT.includes(agent.phase)) pieces.delete(agent.id);
  return { settled, pieces };
}
