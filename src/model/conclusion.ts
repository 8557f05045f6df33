/** Decides how a request ended, from what came and from what stopped it. */
import type { ModelError, ModelOutcome, ModelReply } from '../../messages/model.js';
import { finish } from './assemble.js';
import type { ReplyInProgress } from './assemble.js';
import { errorOf, isConnectionFailure, modelError } from './errors.js';
import type { Asked } from './errors.js';
import type { EndedBy, SilenceLimits } from './watchdog.js';

export interface Ending {
  readonly state: ReplyInProgress;
  /** The server said that nothing more would come. */
  readonly complete: boolean;
  readonly endedBy: EndedBy | null;
  /** What was thrown; null: nothing was. */
  readonly thrown: { readonly reason: unknown } | null;
}

const failed = (error: ModelError): ModelOutcome => ({ status: 'failed', error });

function stalled(by: EndedBy, asked: Asked, limits: SilenceLimits): ModelOutcome {
  const at = asked.endpoint.shownUrl;
  const first = by === 'first-token-limit';
  const ms = first ? limits.firstTokenTimeoutMs : limits.silenceTimeoutMs;
  const what = first ? 'did not begin to answer' : 'fell silent in the middle of its answer';
  const limit = first ? 'the limit for the first token' : 'the limit for silence';
  const advice = `Look whether the server is busy or stuck; raise ${limit} if it is only slow.`;
  return failed(modelError('stalled', `${at} ${what} for ${ms / 1000} s. ${advice}`, asked));
}

function emptyReason(reply: ModelReply): string {
  if (reply.finish === 'length') {
    return 'used up the limit of its reply before it said anything. Raise the limit of tokens in a reply';
  }
  if (reply.finish === 'filtered') {
    return 'had its reply taken out by a content filter. Word the goal differently, or choose another model';
  }
  const what = reply.reasoning.trim() === '' ? 'answered nothing' : 'reasoned but did not answer';
  return `${what}. Try again, or choose another model with --model`;
}

function replied(reply: ModelReply, asked: Asked): ModelOutcome {
  if (reply.text.trim() === '' && reply.calls.length === 0) {
    const message = `Model "${asked.model}" at ${asked.endpoint.shownUrl} ${emptyReason(reply)}.`;
    return failed(modelError('empty', message, asked));
  }
  return { status: 'ok', reply: reply.model === '' ? { ...reply, model: asked.model } : reply };
}

function unfinished({ state, thrown }: Ending, asked: Asked): ModelOutcome {
  const { text, reasoning, calls } = state;
  const nothingCame = text === '' && reasoning === '' && calls.calls.length === 0;
  const at = asked.endpoint.shownUrl;
  if (thrown !== null && (nothingCame || !isConnectionFailure(thrown.reason))) {
    return failed(errorOf(thrown.reason, asked, Date.now()));
  }
  if (nothingCame) {
    const message = `${at} ended its answer before it said anything. Try again; if it is your own server, look at its log.`;
    return failed(modelError('empty', message, asked));
  }
  const message = `The answer of ${at} broke off in the middle. Try again; if it is your own server, look at its log.`;
  return failed(modelError('cut', message, asked));
}

/** A reply that the server called finished counts, whatever became of its connection afterwards. */
export function conclude(ending: Ending, asked: Asked, limits: SilenceLimits): ModelOutcome {
  const { state, endedBy } = ending;
  if (endedBy === 'caller') return { status: 'cancelled' };
  // Some servers give an error no more words than this.
  const failedInside = state.finishReason === 'error';
  const isFinished = (state.finishReason !== null && !failedInside) || ending.complete;
  // Behind the finish reason only counts follow, and some servers write those as no JSON can be (NaN).
  const oddCounts = state.finishReason !== null && ending.thrown?.reason instanceof SyntaxError;
  const faulted =
    ending.thrown !== null && !isConnectionFailure(ending.thrown.reason) && !oddCounts;
  if (isFinished && !faulted) return replied(finish(state), asked);
  if (endedBy !== null) return stalled(endedBy, asked, limits);
  return unfinished(ending, asked);
}
