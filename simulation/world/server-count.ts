/** How the simulated server counts tokens: by the product's first weights, times what the seed decides. */
import { addBulk, bulkOf, bulkOfTools, Estimator } from '../../actors/context/estimator.js';
import type { ModelReply, ModelRequest, Usage } from '../../messages/model.js';
import { ASSUMED_OUTPUT_TOKENS } from '../../src/budget/plan-request.js';
import type { Chance } from '../chance.js';
import type { Money } from '../money.js';
import type { Talk } from '../talk.js';

const FIRST = new Estimator();

export const promptTokensOf = (
  { messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>,
  { counts }: Pick<Talk, 'counts'>,
): number =>
  Math.ceil(FIRST.tokens(addBulk([...messages.map(bulkOf), bulkOfTools(tools)])) * counts);

/** Dollars that a server says an answer has cost, whatever its price list says. */
const STATED_USD = 0.02;
const STATED_SHARE = 0.03;

/** What the server reports of an answer. The limit of an answer is the request's, else the configured one. */
export function usageOf(
  request: ModelRequest,
  { talk, money }: { readonly talk: Talk; readonly money: Money },
  chance: Chance,
): ModelReply['usage'] {
  const limit = request.maxTokens ?? money.maxTokens;
  const isEndless = limit === null && chance.happens(talk.endless);
  const most = isEndless ? 2 * ASSUMED_OUTPUT_TOKENS : (limit ?? ASSUMED_OUTPUT_TOKENS);
  const isPriced = Object.keys(money.prices).length > 0;
  const promptTokens = promptTokensOf(request, talk);
  const usage: Usage = {
    promptTokens,
    completionTokens: chance.skewed(1, most),
    cachedTokens: chance.happens(0.5) ? Math.floor(promptTokens / 2) : 0,
    ...(isPriced && chance.happens(STATED_SHARE) ? { costUsd: STATED_USD } : {}),
  };
  if (!chance.happens(talk.silent)) return usage;
  return chance.pick([null, { ...usage, promptTokens: 0 }, { ...usage, completionTokens: 0 }]);
}
