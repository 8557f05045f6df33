/**
 * A model client that keeps a budget: before each request the most it can cost is set aside, afterwards what
 * it did cost is written down, and an answer carries its cost. A request that does not fit is not sent and
 * fails with `budget`. Like every model client it never throws.
 */
import type { Journal, ModelClient } from '../../actors/ports.js';
import type { BudgetFact, Price } from '../../messages/budget.js';
import type { AgentId, Millis } from '../../messages/ids.js';
import { factOf } from '../../messages/journal.js';
import type { ModelDelta, ModelError, ModelOutcome, ModelRequest } from '../../messages/model.js';
import { limitError } from './budget-texts.js';
import { PromptEstimates } from './estimate.js';
import type { Ledger, Reservation } from './ledger.js';
import { isShort, planRequest } from './plan-request.js';
import type { PriceList } from './prices.js';
import { settledFailure, settledReply, settlementOf, type Settled } from './settlement.js';

export interface MeterPorts {
  readonly ledger: Ledger;
  readonly prices: PriceList;
  /** Tokens in an answer, as configured; null: not. */
  readonly maxTokens: number | null;
  readonly journal: Journal;
  now(): Millis;
  /** False: the agent is held. Left out: it never is. */
  readonly mayAsk?: (agent: AgentId) => boolean;
  tell(fact: BudgetFact): void;
}

interface Meter extends MeterPorts {
  readonly estimates: PromptEstimates;
}

type Question = Parameters<ModelClient['ask']>;

/** What a request is sent with. */
interface Granted {
  readonly reservation: Reservation;
  readonly promptTokens: number;
  /** Null: as many as usual. */
  readonly maxTokens: number | null;
}

export function meteredModel(inner: ModelClient, ports: MeterPorts): ModelClient {
  const meter: Meter = { ...ports, estimates: new PromptEstimates() };
  const { ledger, prices } = meter;
  return {
    ask: (...question) => {
      const [{ model }] = question;
      const price = prices.priceOf(model);
      const isFree = price !== null && price.input === 0 && price.output === 0;
      return isFree && !ledger.hasLimits
        ? askFreely(inner, meter, question)
        : askMetered(inner, meter, question, price);
    },
  };
}

/** Nothing can be used up: the request is only counted. */
async function askFreely(
  inner: ModelClient,
  { ledger }: Meter,
  question: Question,
): Promise<ModelOutcome> {
  const outcome = await inner.ask(...question);
  if (outcome.status !== 'ok') return outcome;
  const { reply } = outcome;
  const usage = reply.usage && { ...reply.usage, costUsd: reply.usage.costUsd ?? 0 };
  ledger.note({ ...settlementOf(reply.model, usage), usd: usage?.costUsd ?? 0 });
  return { status: 'ok', reply: { ...reply, usage } };
}

async function askMetered(
  inner: ModelClient,
  meter: Meter,
  [request, onDelta, signal]: Question,
  price: Price | null,
): Promise<ModelOutcome> {
  const granted = await grant(meter, request, price, signal);
  if ('status' in granted) return granted;
  const { reservation, promptTokens, maxTokens } = granted;
  const { id, model, usd, tokens, agent } = reservation;
  try {
    await meter.journal.append([factOf('budget.reserved', agent, 0, { id, model, usd, tokens })]);
  } catch (error) {
    return failed({ kind: 'budget', message: unusable(error) });
  }
  if (signal.aborted || meter.mayAsk?.(agent) === false) {
    // While it waited for its place in the budget, or that was written down.
    settle(meter, reservation, unsent(model));
    return { status: 'cancelled' };
  }
  let heard = 0;
  const listen = (delta: ModelDelta): void => {
    heard += Buffer.byteLength(delta.text);
    onDelta(delta);
  };
  const asked = maxTokens === null ? request : { ...request, maxTokens };
  const outcome = await inner.ask(asked, listen, signal);
  const aside = { promptTokens, tokens, usd };
  if (outcome.status !== 'ok') {
    settle(meter, reservation, settledFailure(outcome, { aside, model, price, heard }));
    return outcome;
  }
  // The one that really answered; a name that only its server knows costs what was asked for.
  const priced = settledReply(
    outcome.reply,
    aside,
    meter.prices.priceOf(outcome.reply.model) ?? price,
  );
  if (!priced.reply.usage?.estimated)
    meter.estimates.learn(request, priced.settlement.promptTokens);
  settle(meter, reservation, priced);
  return { status: 'ok', reply: priced.reply };
}

const unsent = (model: string): Settled => ({
  settlement: { ...settlementOf(model, null), usd: 0 },
  basis: 'nothing',
});

/** Waits while others' requests have something set aside that may come back. */
async function grant(
  { ledger, maxTokens, ...meter }: Meter,
  request: ModelRequest,
  price: Price | null,
  signal: AbortSignal,
): Promise<Granted | Exclude<ModelOutcome, { status: 'ok' }>> {
  const { agent, model } = request;
  const promptTokens = meter.estimates.of(request);
  while (!signal.aborted) {
    try {
      const plan = planRequest({ promptTokens, price, maxTokens, lines: ledger.lines() });
      if (ledger.hasOpen && (!plan.fits || isShort(plan))) {
        await ledger.changed(signal);
        continue;
      }
      if (!plan.fits) return failed(limitError(plan.line, plan.usd, meter.now()));
      const reservation = ledger.reserve({ agent, model, usd: plan.usd, tokens: plan.tokens });
      // Null: another session was quicker; what it left decides.
      if (reservation !== null) return { reservation, promptTokens, maxTokens: plan.maxTokens };
    } catch (error) {
      return failed({ kind: 'budget', message: unusable(error) });
    }
  }
  return { status: 'cancelled' };
}

const failed = (error: ModelError): Exclude<ModelOutcome, { status: 'ok' }> => ({
  status: 'failed',
  error,
});

const unusable = (error: unknown): string =>
  `Nothing was asked, because what it may cost could not be written down: ${error instanceof Error ? error.message : String(error)}`;

function settle(meter: Meter, reservation: Reservation, { settlement, basis }: Settled): void {
  const { ledger, journal } = meter;
  const { id, agent } = reservation;
  const { model, usd, promptTokens, completionTokens } = settlement;
  const tokens = promptTokens + completionTokens;
  const row = factOf('budget.settled', agent, 0, { id, model, usd, tokens, basis });
  // Whatever the agent does next is committed behind it; a journal that fails reports itself.
  journal.append([row]).catch(() => undefined);
  const notice = ledger.settle(reservation, settlement);
  const answered = basis === 'reported' || basis === 'estimated';
  meter.tell({
    type: 'budget.changed',
    lines: linesOf(ledger),
    notice,
    unansweredUsd: answered ? 0 : usd,
    at: meter.now(),
  });
}

function linesOf(ledger: Ledger) {
  try {
    return ledger.lines();
  } catch {
    // The next request finds out, and says so.
    return [];
  }
}
