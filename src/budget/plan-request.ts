/**
 * How much is set aside for a request, and how long its answer may be, so that no limit is passed whatever
 * the answer turns out to be. Pure.
 */
import type { BudgetLine, Price } from '../../messages/budget.js';
import { highestCost } from './prices.js';

/**
 * An answer is taken to be this long at most where no limit is configured (`model.max_tokens`); most models
 * end earlier. One that does not can pass a limit by the difference, once.
 */
export const ASSUMED_OUTPUT_TOKENS = 16_384;
/** Where less than that is left, an answer may have this many: more would be refused by some models. */
export const SHORT_OUTPUT_TOKENS = 4_096;
/** An answer shorter than this is of no use to an agent: then the limit counts as reached. */
export const LEAST_OUTPUT_TOKENS = 512;

const MILLION = 1_000_000;

export type RequestPlan =
  | {
      readonly fits: true;
      /** Null: no price is known. */
      readonly usd: number | null;
      readonly tokens: number;
      /** Null: as long as usual. */
      readonly maxTokens: number | null;
    }
  | { readonly fits: false; readonly line: BudgetLine; readonly usd: number | null };

export interface Asking {
  readonly promptTokens: number;
  /** Null: not known; limits in dollars then do not hold, and must have been refused before. */
  readonly price: Price | null;
  /** Configured; null: not. */
  readonly maxTokens: number | null;
  readonly lines: readonly BudgetLine[];
}

const left = ({ limit, spent, reserved }: BudgetLine): number => limit - spent - reserved;

/** Tokens of an answer that this limit has room for; negative: not even the prompt fits. */
function room(line: BudgetLine, { promptTokens, price }: Asking): number {
  if (line.unit === 'tokens') return left(line) - promptTokens;
  if (price === null) return -1;
  const after = left(line) - highestCost(price, promptTokens, 0);
  if (price.output === 0) return after >= 0 ? Infinity : -1;
  return Math.floor((after * MILLION) / price.output);
}

export function planRequest(asking: Asking): RequestPlan {
  const { promptTokens, price, maxTokens, lines } = asking;
  const wanted = maxTokens ?? ASSUMED_OUTPUT_TOKENS;
  const plan = (output: number, cap: number | null): RequestPlan => ({
    fits: true,
    usd: price === null ? null : highestCost(price, promptTokens, output),
    tokens: promptTokens + output,
    maxTokens: cap,
  });
  const rooms = lines.map((line) => ({ line, room: room(line, asking) }));
  const tightest = rooms.reduce<(typeof rooms)[number] | null>(
    (least, one) => (least === null || one.room < least.room ? one : least),
    null,
  );
  if (tightest === null || tightest.room >= wanted) return plan(wanted, null);
  if (tightest.room < Math.min(LEAST_OUTPUT_TOKENS, wanted)) {
    const usd = price === null ? null : highestCost(price, promptTokens, LEAST_OUTPUT_TOKENS);
    return { fits: false, line: tightest.line, usd };
  }
  const short = maxTokens === null ? Math.min(tightest.room, SHORT_OUTPUT_TOKENS) : tightest.room;
  return plan(short, short);
}

/** It fits, but a longer answer would too if what others have set aside came back. */
export const isShort = (plan: RequestPlan): boolean => plan.fits && plan.maxTokens !== null;
