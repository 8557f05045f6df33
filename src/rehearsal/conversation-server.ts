/**
 * Answers chat-completions requests from a scenario: text in, a prepared response out. Knows nothing of
 * HTTP connections. Keeps only what `Attempts` keeps.
 */
import { Attempts, placeKey } from './attempts.js';
import { answerOf } from './answer.js';
import type { Answer } from './answer.js';
import { parseChatRequest } from './chat-request.js';
import type { ChatRequest } from './chat-request.js';
import { chooseTurn, whyNoTurn } from './choose-turn.js';
import { completionBody, completionEvents } from './completion.js';
import { JSON_HEADERS, STREAM_HEADERS, WHOLE, jsonDelivery, refusalDelivery } from './delivery.js';
import type { Delivery, Ending } from './delivery.js';
import { leavesNoMessage } from './fault.js';
import type { Fault, RetryAfter } from './fault.js';
import { badRequest, overflowBody, refusalBody, scriptedFailure } from './refusal.js';
import type { Refusal } from './refusal.js';
import { RecordedOrder } from './recorded-order.js';
import { replay } from './replay.js';
import type { Scenario, Turn } from './scenario.js';

export interface Reply {
  readonly delivery: Delivery;
  readonly round: number;
  readonly messages: number;
  readonly attempt: number;
  readonly turn: number | null;
  /** To be called once the last byte was sent. */
  readonly delivered: () => void;
}

export class ConversationServer {
  readonly #scenario: Scenario;
  readonly #model: string;
  readonly #attempts = new Attempts();
  /** Null: conditions say which turn answers. */
  readonly #recorded: RecordedOrder | null;

  constructor(scenario: Scenario, model: string) {
    this.#scenario = scenario;
    this.#model = model;
    this.#recorded = scenario.recorded === true ? new RecordedOrder(scenario) : null;
  }

  reply(body: string, agent: string): Reply {
    const parsed = parseChatRequest(body);
    if (!parsed.ok) return refused(parsed.refusal);
    const { messages, hasTools } = parsed.value;
    const replayed = replay(this.#scenario, messages, agent);
    const { round } = replayed.moment;
    const key = placeKey(messages, agent, round);
    const place = this.#attempts.begin(key);
    const facts = { round, messages: messages.length, attempt: place.asked };
    const order = this.#recorded;
    const turn =
      order?.next(agent, !hasTools, messages) ??
      (order === null ? chooseTurn(this.#scenario, replayed, place) : null);
    if (turn === null) {
      const message = order?.whyNone(agent, !hasTools) ?? whyNoTurn(this.#scenario, replayed);
      return refused(badRequest(message, 'no_matching_turn'), facts);
    }
    const answer = answerOf(turn, messages, round);
    if (!answer.ok) return refused(badRequest(answer.message, 'missing_result'), facts);
    const index = turn.number - 1;
    const fails = leavesNoMessage(turn.fault);
    if (fails) {
      place.faults.set(index, (place.faults.get(index) ?? 0) + 1);
      order?.served(agent, !hasTools);
    }
    return {
      ...facts,
      turn: turn.number,
      delivery: this.#delivery(turn, answer.value, parsed.value, round),
      delivered: () => {
        if (fails) return;
        this.#attempts.settle(key);
        order?.served(agent, !hasTools);
      },
    };
  }

  #delivery(turn: Turn, answer: Answer, request: ChatRequest, round: number): Delivery {
    const { fault, pace } = turn;
    if (fault?.kind === 'status') return { ...failure(fault), pace };
    if (fault?.kind === 'context_overflow') {
      const body = overflowBody(answer.usage.promptTokens, fault.window);
      return { ...jsonDelivery(body, 400), pace };
    }
    const head = {
      id: `chatcmpl-scripted-${turn.number}-${round}`,
      model: this.#model,
      created: Math.floor(Date.now() / 1000),
    };
    const ending = endingOf(fault);
    if (request.stream) {
      const events = completionEvents(head, answer, { includeUsage: request.includeUsage, fault });
      return { status: 200, headers: STREAM_HEADERS, body: events.join(''), pace, ending };
    }
    const body =
      fault?.kind === 'error_in_200'
        ? refusalBody({ ...scriptedFailure(500), message: fault.message })
        : completionBody(head, answer, fault);
    return { status: 200, headers: JSON_HEADERS, body, pace, ending };
  }
}

/** Nobody's turn: a refusal. */
export const refused = (
  refusal: Refusal,
  facts: Pick<Reply, 'round' | 'messages' | 'attempt'> = { round: 0, messages: 0, attempt: 1 },
): Reply => ({
  ...facts,
  turn: null,
  delivery: refusalDelivery(refusal),
  delivered: () => undefined,
});

function failure(fault: Extract<Fault, { kind: 'status' }>): Omit<Delivery, 'pace'> {
  const { status, retryAfter } = fault;
  const wait = retryAfter === null ? {} : { 'retry-after': headerOf(retryAfter) };
  const body = fault.body ?? refusalBody(scriptedFailure(status));
  return { status, headers: { ...JSON_HEADERS, ...wait }, body, ending: WHOLE };
}

function headerOf(retryAfter: RetryAfter): string {
  switch (retryAfter.form) {
    case 'seconds':
      return String(retryAfter.seconds);
    case 'date':
      return new Date(Date.now() + retryAfter.seconds * 1000).toUTCString();
    case 'text':
      return retryAfter.text;
  }
}

function endingOf(fault: Fault | null): Ending {
  switch (fault?.kind) {
    case 'hang':
      return { kind: 'hang', headers: true };
    case 'hang_before_headers':
      return { kind: 'hang', headers: false };
    case 'cut':
    case 'silence':
      return { kind: fault.kind, after: fault.after };
    default:
      return WHOLE;
  }
}
