/**
 * List prices of well-known models, in dollars for a million tokens. A name stands for itself, its dated
 * versions and the same behind a provider's name; a variant that is not listed has no price here, because a
 * wrong one is worse than none. Providers change prices: `[prices]` in the configuration goes before these.
 */
import type { Prices } from '../../messages/budget.js';

export const BUILT_IN_PRICES: Prices = {
  'claude-3-opus': { input: 15, output: 75, cached: 1.5, cacheWrite: 18.75 },
  'claude-opus-4': { input: 15, output: 75, cached: 1.5, cacheWrite: 18.75 },
  'claude-opus-4.1': { input: 15, output: 75, cached: 1.5, cacheWrite: 18.75 },
  'claude-opus-4-5': { input: 5, output: 25, cached: 0.5, cacheWrite: 6.25 },
  'claude-opus-4.5': { input: 5, output: 25, cached: 0.5, cacheWrite: 6.25 },
  'claude-3-5-sonnet': { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 },
  'claude-3.5-sonnet': { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 },
  'claude-3-7-sonnet': { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 },
  'claude-3.7-sonnet': { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 },
  'claude-sonnet-4': { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 },
  'claude-sonnet-4.5': { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 },
  'claude-3-haiku': { input: 0.25, output: 1.25, cached: 0.03, cacheWrite: 0.3 },
  'claude-3-5-haiku': { input: 0.8, output: 4, cached: 0.08, cacheWrite: 1 },
  'claude-3.5-haiku': { input: 0.8, output: 4, cached: 0.08, cacheWrite: 1 },
  'claude-haiku-4-5': { input: 1, output: 5, cached: 0.1, cacheWrite: 1.25 },
  'claude-haiku-4.5': { input: 1, output: 5, cached: 0.1, cacheWrite: 1.25 },
  'gpt-4o-mini': { input: 0.15, output: 0.6, cached: 0.075 },
  'gpt-4o': { input: 2.5, output: 10, cached: 1.25 },
  'gpt-4.1-nano': { input: 0.1, output: 0.4, cached: 0.025 },
  'gpt-4.1-mini': { input: 0.4, output: 1.6, cached: 0.1 },
  'gpt-4.1': { input: 2, output: 8, cached: 0.5 },
  'gpt-4-turbo': { input: 10, output: 30 },
  'gpt-4': { input: 30, output: 60 },
  'gpt-5-nano': { input: 0.05, output: 0.4, cached: 0.005 },
  'gpt-5-mini': { input: 0.25, output: 2, cached: 0.025 },
  'gpt-5': { input: 1.25, output: 10, cached: 0.125 },
  o1: { input: 15, output: 60, cached: 7.5 },
  'o1-mini': { input: 1.1, output: 4.4, cached: 0.55 },
  o3: { input: 2, output: 8, cached: 0.5 },
  'o3-mini': { input: 1.1, output: 4.4, cached: 0.55 },
  'o4-mini': { input: 1.1, output: 4.4, cached: 0.275 },
  'gemini-1.5-flash': { input: 0.075, output: 0.3 },
  'gemini-1.5-pro': { input: 1.25, output: 5 },
  'gemini-2.0-flash': { input: 0.1, output: 0.4, cached: 0.025 },
  'gemini-2.5-flash': { input: 0.3, output: 2.5, cached: 0.075 },
  // From 200,000 prompt tokens on; below that it is 1.25 and 10.
  'gemini-2.5-pro': { input: 2.5, output: 15, cached: 0.625 },
  'deepseek-chat': { input: 0.27, output: 1.1, cached: 0.07 },
  'deepseek-reasoner': { input: 0.55, output: 2.19, cached: 0.14 },
};
