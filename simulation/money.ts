/** What a seed decides about money: the limits of the session, what its models cost, who else spends. */
import {
  NO_BUDGET,
  type Price,
  type Prices,
  type Raise,
  type SessionBudget,
} from '../messages/budget.js';
import type { Chance } from './chance.js';

export interface Money {
  /** Left out: the session knows none. */
  readonly budget?: SessionBudget;
  /** Empty: everything is free. */
  readonly prices: Prices;
  /** Tokens of an answer, as configured; null: they are not. */
  readonly maxTokens: number | null;
  /** Share of requests before which another session of the same person asks for something too. */
  readonly others: number;
}

const WITHOUT_LIMITS: Money = { prices: {}, maxTokens: null, others: 0 };

const PRICES: readonly Price[] = [
  { input: 3, output: 15 },
  { input: 0.3, output: 1.2, cached: 0.03, cacheWrite: 0.4 },
];

const PRICE_OF_ANOTHER: Price = { input: 1, output: 5 };

export function moneyOf(chance: Chance): Money {
  if (chance.happens(0.35)) return WITHOUT_LIMITS;
  const isFree = chance.happens(0.2);
  const limit = (share: number, most: number): number | null =>
    chance.happens(share) ? most * chance.pick([0.05, 0.2, 1]) : null;
  return {
    budget: {
      ...NO_BUDGET,
      sessionTokens: limit(isFree ? 1 : 0.4, 400_000),
      // Without a price no limit in dollars could be kept; a real session is refused then.
      ...(isFree
        ? {}
        : { sessionUsd: limit(0.6, 4), dayUsd: limit(0.4, 5), monthUsd: limit(0.3, 6) }),
    },
    prices: isFree ? {} : pricesOf(chance),
    maxTokens: chance.pick([null, 800, 4_000]),
    others: chance.pick([0, 0.2]),
  };
}

/** Of the models that are asked, and of the one that says that it has answered. */
const pricesOf = (chance: Chance): Prices => ({
  first: chance.pick(PRICES),
  second: chance.pick(PRICES),
  third: chance.pick(PRICES),
  simulated: chance.pick(PRICES),
  // What a person may set in their place.
  another: PRICE_OF_ANOTHER,
});

/** What a person adds to the limits of a session; not every session has such a limit. */
export const raiseOf = (chance: Chance): Raise =>
  chance.pick<Raise>([{ usd: 0.5 }, { tokens: 30_000 }, { timeMs: 60_000 }]);
