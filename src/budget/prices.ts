/**
 * What a model costs, and what a request did. Pure. The longest name or pattern that fits counts, those of
 * the configuration before the built-in ones; a model that none fits has no price, which is not a price of 0.
 */
import type { Price, Prices } from '../../messages/budget.js';
import type { Usage } from '../../messages/model.js';
import { BUILT_IN_PRICES } from './built-in-prices.js';

const MILLION = 1_000_000;

export const FREE: Price = { input: 0, output: 0 };

/** What tells one version of the same model from another; any other ending makes another model. */
const VERSION = /^[-@:](\d|latest|preview|exp|beta|free)/;

/** A `*` stands for any text; without one the name itself, its versions, and it behind a provider's name. */
function fits(pattern: string, model: string): boolean {
  if (pattern.includes('*')) {
    const parts = pattern.split(/\*+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`).test(model);
  }
  const own = model.slice(model.lastIndexOf('/') + 1);
  return [model, own].some(
    (name) =>
      name === pattern || (name.startsWith(pattern) && VERSION.test(name.slice(pattern.length))),
  );
}

function longest(prices: Prices, model: string): Price | null {
  const found = Object.keys(prices)
    .filter((pattern) => fits(pattern.toLowerCase(), model))
    .sort((a, b) => b.length - a.length)[0];
  return found === undefined ? null : (prices[found] ?? null);
}

export interface PriceList {
  /** Null: not known. */
  priceOf(model: string): Price | null;
}

/** `free`: the server is on this machine; only what the configuration says of a model costs anything there. */
export const priceList = (configured: Prices, free: boolean): PriceList => ({
  priceOf(model) {
    const name = model.toLowerCase();
    return longest(configured, name) ?? (free ? FREE : longest(BUILT_IN_PRICES, name));
  },
});

/** Dollars. A cost that the server itself states wins; null: neither that nor a price is known. */
export function costOf(usage: Usage, price: Price | null): number | null {
  if (usage.costUsd !== undefined) return usage.costUsd;
  if (price === null) return null;
  const cached = Math.min(usage.cachedTokens, usage.promptTokens);
  const written = Math.min(usage.cacheWriteTokens ?? 0, usage.promptTokens - cached);
  const plain = usage.promptTokens - cached - written;
  const dollars =
    plain * price.input +
    cached * (price.cached ?? price.input) +
    written * (price.cacheWrite ?? price.input) +
    usage.completionTokens * price.output;
  return dollars / MILLION;
}

/** The most that so many tokens can cost: nothing comes from a cache, and all of it may be put there. */
export const highestCost = (price: Price, promptTokens: number, outputTokens: number): number =>
  (promptTokens * Math.max(price.input, price.cacheWrite ?? 0) + outputTokens * price.output) /
  MILLION;
