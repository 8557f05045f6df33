/**
 * What becomes of a round whose request has failed for good: repaired history, room made in the window,
 * another model, a hold, or the end of the turn. The loop asks; who answers is behind the ports.
 */
import type { CycleEnd } from '../messages/agents.js';
import type { AgentId } from '../messages/ids.js';
import type { ModelError } from '../messages/model.js';
import type { Hold } from '../messages/pause.js';
import type { Conversation } from './conversation.js';
import { repairHistory } from './repair-history.js';

export interface ModelFailure {
  readonly agent: AgentId;
  readonly round: number;
  /** The model that was asked. */
  readonly model: string;
  readonly error: ModelError;
  /** Why the first model that was asked in this round did not answer: `error`, unless others were tried. */
  readonly first: ModelError;
}

export type AfterRetries =
  /** The turn ends with the error. */
  | { readonly do: 'end' }
  /** The same round is asked again at once, of this model if one is named. */
  | { readonly do: 'again'; readonly model?: string }
  /** The same round is asked again when the hold is lifted. */
  | { readonly do: 'hold'; readonly hold: Hold };

export interface FailurePorts {
  /** Asked when the retries are used up, and at once for what no retry helps. Must not reject. */
  afterRetries(failure: ModelFailure): AfterRetries | Promise<AfterRetries>;
  /** Has the hold set. Resolves once it is in force, or `signal` aborts. Must not reject. */
  hold(hold: Hold, signal: AbortSignal): Promise<void>;
  /**
   * The conversation is too long for the model. True: room was made in it, and the round is asked again,
   * once; left out or false: the turn ends. Must not reject.
   */
  onOverflow?(failure: ModelFailure, conversation: Conversation): Promise<boolean>;
}

/** What the loop knows of the failures of its round. */
export interface Failing {
  readonly error: ModelError | null;
  /** Why the first model asked in this round did not answer; null: no other was asked. */
  readonly first: ModelError | null;
  /** The model that is asked in place of the round's own; null: none is. */
  readonly instead: string | null;
  /** A server has refused the history as it is. Stays: a prompt prefix is not changed twice. */
  readonly repaired: boolean;
  /** Room was made in the window for this round already. */
  readonly madeRoom: boolean;
  /** What the round is to wait for. */
  readonly hold: Hold | null;
}

/** A round starts with its own model. */
export const NEW_ROUND = { instead: null, first: null, madeRoom: false } as const;
export const NOTHING_FAILED: Failing = { ...NEW_ROUND, error: null, repaired: false, hold: null };

export type Weighed = AfterRetries & {
  /** What was done about the conversation; for the loop to remember. */
  readonly remedy?: 'repaired' | 'made-room';
};

/** Whether a repaired history would be another one than was refused. */
export const isRepairable = (conversation: Conversation): boolean =>
  repairHistory(conversation.messages) !== conversation.messages;

export async function weighFailure(
  ports: FailurePorts | undefined,
  conversation: Conversation,
  failure: ModelFailure,
  { repaired, madeRoom }: Pick<Failing, 'repaired' | 'madeRoom'>,
): Promise<Weighed> {
  const { kind } = failure.error;
  if (kind === 'bad-request' && !repaired && isRepairable(conversation)) {
    return { do: 'again', model: failure.model, remedy: 'repaired' };
  }
  if (ports === undefined) return { do: 'end' };
  if (kind === 'context-overflow' && !madeRoom) {
    const room = (await ports.onOverflow?.(failure, conversation)) === true;
    if (room) return { do: 'again', model: failure.model, remedy: 'made-room' };
  }
  return ports.afterRetries(failure);
}

export function failureOfRound(
  agent: AgentId,
  model: string,
  { round, error, first }: Failing & { readonly round: number },
): ModelFailure {
  if (error === null) throw new Error('no request has failed');
  return { agent, round, model, error, first: first ?? error };
}

/** The next attempt is the first at what is asked then. */
export function askedAgain(
  { error, first, repaired, madeRoom }: Failing,
  weighed: Weighed,
): Partial<Failing> & { readonly attempt: number } {
  const { remedy } = weighed;
  return {
    attempt: 0,
    instead: weighed.do === 'again' ? (weighed.model ?? null) : null,
    first: remedy === undefined ? (first ?? error) : first,
    repaired: repaired || remedy === 'repaired',
    madeRoom: madeRoom || remedy === 'made-room',
  };
}

export const heldBack = (weighed: Weighed): Partial<Failing> & { readonly attempt: number } => ({
  ...NEW_ROUND,
  attempt: 0,
  hold: weighed.do === 'hold' ? weighed.hold : null,
});

export function lastError({ error, first }: Failing): CycleEnd {
  const last = first ?? error;
  if (last === null) throw new Error('no request has failed');
  return { status: 'model-failed', error: last };
}
