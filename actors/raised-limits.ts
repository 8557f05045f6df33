/** What it means that a person adds to the limits of a session, and what any action makes of it. Pure: the live state and the fold share it. */
import type { ActionRequest } from '../messages/actions.js';
import type { Raise } from '../messages/budget.js';
import type { SessionSpec } from '../messages/session.js';
import { changedSpec } from './changed-settings.js';

const plus = (limit: number | null, by: number | undefined): number | null =>
  limit === null ? null : limit + (by ?? 0);

/** Why nothing can be added: there is no such limit. Null: it can. */
export function cannotRaise({ budget, limits }: SessionSpec, by: Raise): string | null {
  const dollars = [budget?.sessionUsd, budget?.dayUsd, budget?.monthUsd];
  if (by.usd !== undefined && dollars.every((limit) => (limit ?? null) === null)) {
    return 'it has no limit of cost that could be raised';
  }
  if (by.tokens !== undefined && (budget?.sessionTokens ?? null) === null) {
    return 'it has no limit of tokens that could be raised';
  }
  if (by.timeMs !== undefined && limits.maxTimeMs === null) {
    return 'it has no limit of time that could be raised';
  }
  return null;
}

/** The spec after a person's action: most change nothing of it. */
export function afterAction(spec: SessionSpec | null, action: ActionRequest): SessionSpec | null {
  if (spec !== null && action.do === 'set') return changedSpec(spec, action.change);
  if (spec === null || action.do !== 'resume' || action.add === undefined) return spec;
  return cannotRaise(spec, action.add) === null ? raised(spec, action.add) : spec;
}

export function raised(spec: SessionSpec, by: Raise): SessionSpec {
  const { budget, limits } = spec;
  const time = { ...limits, maxTimeMs: plus(limits.maxTimeMs, by.timeMs) };
  if (budget === undefined) return { ...spec, limits: time };
  return {
    ...spec,
    limits: time,
    budget: {
      sessionUsd: plus(budget.sessionUsd, by.usd),
      dayUsd: plus(budget.dayUsd, by.usd),
      monthUsd: plus(budget.monthUsd, by.usd),
      sessionTokens: plus(budget.sessionTokens, by.tokens),
    },
  };
}
