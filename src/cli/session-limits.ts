/**
 * The limits of cost and tokens that a session starts with: what is configured, else what holds for a server
 * that wants money. A session on this machine's own server has none of its own accord.
 */
import { isLocal } from '../../config/endpoint.js';
import { DEFAULT_COSTS, type Config } from '../../config/settings.js';
import type { SessionBudget } from '../../messages/budget.js';
import type { SessionSpec } from '../../messages/session.js';
import { pricesOf } from '../session-budget.js';

type Server = Pick<SessionSpec, 'model' | 'local' | 'rehearsal'>;
type Configured = Config['budget']['sessionCost'];

const limitOf = (configured: Configured, otherwise: number | null): number | null =>
  configured === 'none' ? null : (configured ?? otherwise);

export function budgetOf(config: Config, server: Server, headless: boolean): SessionBudget {
  const { sessionCost, dayCost, monthCost, sessionTokens } = config.budget;
  const price = pricesOf(server, config).priceOf(server.model);
  const isFree = price !== null && price.input === 0 && price.output === 0;
  // Who limits tokens has said how a model without a price is to be kept in bounds.
  const byDefault = !isFree && !(price === null && sessionTokens !== null);
  const sessionUsd = limitOf(sessionCost, byDefault ? DEFAULT_COSTS.session : null);
  // What nobody asked for must not be less than what somebody did.
  const least = typeof sessionCost === 'number' ? sessionCost : 0;
  const shared = (amount: number): number | null =>
    byDefault && !headless && sessionCost !== 'none' ? Math.max(amount, least) : null;
  return {
    sessionUsd,
    dayUsd: limitOf(dayCost, shared(DEFAULT_COSTS.day)),
    monthUsd: limitOf(monthCost, shared(DEFAULT_COSTS.month)),
    sessionTokens,
  };
}

/** What the flags of a resumed run change; another server has the limits of a new session. */
export function budgetChanges(
  config: Config,
  byFlag: (key: string) => boolean,
  headless: boolean,
): { readonly budget?: Partial<SessionBudget> } {
  const { baseUrl, name } = config.model;
  const { sessionCost, sessionTokens } = config.budget;
  if (byFlag('model.base_url') && baseUrl !== null) {
    const server = { model: name ?? '', local: isLocal(baseUrl), rehearsal: null };
    return { budget: budgetOf(config, server, headless) };
  }
  const changes = {
    ...(byFlag('budget.session_cost') ? { sessionUsd: limitOf(sessionCost, null) } : {}),
    ...(byFlag('budget.session_tokens') ? { sessionTokens } : {}),
  };
  return Object.keys(changes).length === 0 ? {} : { budget: changes };
}
