/**
 * What a request cost in the end. Believes only numbers that can be true: what a server leaves out, or says
 * to be nothing, counts as what was set aside for it, so that no answer makes a budget larger. Pure.
 */
import type { Price, SettledBasis } from '../../messages/budget.js';
import type { ModelErrorKind, ModelOutcome, ModelReply, Usage } from '../../messages/model.js';
import { tokensOf } from './estimate.js';
import { costOf, highestCost } from './prices.js';
import type { Settlement } from './ledger.js';

export interface SetAside {
  readonly promptTokens: number;
  readonly tokens: number;
  readonly usd: number | null;
}

export interface Settled {
  readonly settlement: Settlement;
  readonly basis: SettledBasis;
}

/** The answer with what it cost, and that cost. */
export function settledReply(
  reply: ModelReply,
  aside: SetAside,
  price: Price | null,
): Settled & { readonly reply: ModelReply } {
  const { usage, estimated } = believable(reply.usage, aside);
  const stated = reply.usage?.costUsd;
  const counted = reply.usage === null ? 0 : costOf(reply.usage, price);
  const cost = stated ?? (estimated ? atLeast(aside.usd, counted) : counted);
  const priced: Usage = {
    ...usage,
    ...(cost === null ? {} : { costUsd: cost }),
    ...(estimated ? { estimated: true } : {}),
  };
  return {
    reply: { ...reply, usage: priced },
    settlement: settlementOf(reply.model, priced),
    basis: estimated && stated === undefined ? 'estimated' : 'reported',
  };
}

/** The part of a request that a server did count may alone be more than was set aside for all. */
const atLeast = (aside: number | null, counted: number | null): number | null =>
  aside === null || counted === null ? aside : Math.max(aside, counted);

/** There is no prompt and no answer without tokens. */
function believable(usage: Usage | null, aside: SetAside): { usage: Usage; estimated: boolean } {
  if (usage !== null && usage.promptTokens > 0 && usage.completionTokens > 0) {
    return { usage, estimated: false };
  }
  const { promptTokens, tokens } = aside;
  const counted = {
    promptTokens: usage?.promptTokens || promptTokens,
    completionTokens: usage?.completionTokens || tokens - promptTokens,
    cachedTokens: usage?.cachedTokens ?? 0,
  };
  return { usage: counted, estimated: true };
}

/** A name comes from the server, and is kept. */
const MAX_MODEL_NAME = 200;

export const settlementOf = (model: string, usage: Usage | null): Settlement => ({
  model: model.slice(0, MAX_MODEL_NAME),
  usd: usage?.costUsd ?? null,
  promptTokens: usage?.promptTokens ?? 0,
  completionTokens: usage?.completionTokens ?? 0,
  cachedTokens: usage?.cachedTokens ?? 0,
});

/** Ends at which the server has worked, and may ask to be paid. */
const WORKED: readonly ModelErrorKind[] = ['cut', 'stalled', 'empty'];

/** An attempt that brought no whole answer. `heard`: characters that came nevertheless. */
export function settledFailure(
  outcome: Exclude<ModelOutcome, { status: 'ok' }>,
  {
    aside,
    model,
    price,
    heard,
  }: { aside: SetAside; model: string; price: Price | null; heard: number },
): Settled {
  const worked = heard > 0 || outcome.status === 'cancelled' || WORKED.includes(outcome.error.kind);
  const promptTokens = worked ? aside.promptTokens : 0;
  const completionTokens = worked ? Math.min(tokensOf(heard), aside.tokens - promptTokens) : 0;
  const usd = price === null ? null : highestCost(price, promptTokens, completionTokens);
  return {
    settlement: { model, usd: worked ? usd : 0, promptTokens, completionTokens, cachedTokens: 0 },
    basis: worked ? 'broken-off' : 'nothing',
  };
}
