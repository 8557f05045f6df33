/**
 * What a session may use up, what it has used up, and what is set aside for requests under way. Money is in
 * dollars. Null is always "no limit" for a limit, and "not known" for an amount.
 */
import type { Millis } from './ids.js';

/** Dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Prompt tokens read from the provider's cache; left out: as `input`. */
  readonly cached?: number;
  /** Prompt tokens written to it; left out: as `input`. */
  readonly cacheWrite?: number;
}

/** By name or pattern of a model. */
export type Prices = Readonly<Record<string, Price>>;

export interface SessionBudget {
  readonly sessionUsd: number | null;
  /** Of all sessions together, by the local calendar. */
  readonly dayUsd: number | null;
  readonly monthUsd: number | null;
  /** Prompt and completion tokens of all its agents together. */
  readonly sessionTokens: number | null;
}

export const NO_BUDGET: SessionBudget = {
  sessionUsd: null,
  dayUsd: null,
  monthUsd: null,
  sessionTokens: null,
};

/** What a person adds to the limits of a session that reached one, or is about to. */
export interface Raise {
  /** To each limit in dollars that the session has. */
  readonly usd?: number;
  readonly tokens?: number;
  readonly timeMs?: number;
}

/** What is proposed to who reached a limit; any other amount will do. */
export const PROPOSED_RAISE: Readonly<Record<'usd' | 'tokens', string>> = {
  usd: '--add-cost 2',
  tokens: '--add-tokens 500000',
};

export type BudgetScope = 'session' | 'day' | 'month';
export type BudgetUnit = 'usd' | 'tokens';

/** One limit and how much of it is gone. */
export interface BudgetLine {
  readonly scope: BudgetScope;
  readonly unit: BudgetUnit;
  readonly limit: number;
  readonly spent: number;
  /** Set aside for requests under way; not part of `spent`. */
  readonly reserved: number;
}

/** Where the amount of a settled request comes from. */
export type SettledBasis =
  /** From what the server reported. */
  | 'reported'
  /** The server reported nothing that can be true: what was set aside counts. */
  | 'estimated'
  /** No whole answer came: the prompt and what had arrived of the answer count, by estimate. */
  | 'broken-off'
  /** It was refused before it cost anything. */
  | 'nothing'
  /** The process ended while it ran: what was set aside counts. */
  | 'lost';

/** Limits are as they were, or as they are now; said after every request that counts against one. */
export interface BudgetFact {
  readonly type: 'budget.changed';
  readonly lines: readonly BudgetLine[];
  /** For people: a share of a limit is gone; null: nothing to say. */
  readonly notice: string | null;
  /** Cost of an attempt that brought no answer, and so stands in no `model.used`; null: its price is not known. */
  readonly unansweredUsd: number | null;
  readonly at: Millis;
}
