/** What is said of budgets: how limits are called, why a request was not sent, and the hold that follows. Pure. */
import { PROPOSED_RAISE, type BudgetLine, type BudgetUnit } from '../../messages/budget.js';
import { shortId, type Millis, type SessionId } from '../../messages/ids.js';
import type { ModelError } from '../../messages/model.js';
import type { Hold } from '../../messages/pause.js';
import { count, dollars } from '../../tui/text/amounts.js';
import { endOfPeriod } from '../../messages/calendar.js';

export const amountOf = (unit: BudgetUnit, amount: number): string =>
  unit === 'usd' ? dollars(amount) : `${count(amount)} tokens`;

export function limitName({ scope, unit, limit }: Pick<BudgetLine, 'scope' | 'unit' | 'limit'>) {
  const amount = amountOf(unit, limit);
  return scope === 'session'
    ? `the session's limit of ${amount}`
    : `the ${scope}'s limit of ${amount}`;
}

/** Why a request was not sent. `usd`: the least it could have cost. */
export function limitError(line: BudgetLine, usd: number | null, now: Millis): ModelError {
  const { scope, unit, spent, reserved } = line;
  const gone = `${amountOf(unit, spent)} spent`;
  const open = reserved > 0 ? `, ${amountOf(unit, reserved)} set aside for requests under way` : '';
  const next =
    unit === 'usd' && usd !== null ? `; the next request could cost ${dollars(usd)}` : '';
  return {
    kind: 'budget',
    message: `${limitName(line)} is reached: ${gone}${open}${next}`,
    limit: { unit, until: endOfPeriod(scope, now) },
  };
}

/** The hold that reaching a limit means; null: the error is of another kind. */
export function holdForBudget(
  { kind, message, limit }: ModelError,
  session: SessionId,
  now: Millis,
): Hold | null {
  if (kind !== 'budget') return null;
  const flag = PROPOSED_RAISE[limit?.unit ?? 'usd'];
  return {
    kind: 'budget',
    scope: 'session',
    since: now,
    until: limit?.until ?? null,
    reason: message,
    release: `ouro resume ${shortId(session)} ${flag}`,
    ...(limit === undefined ? {} : { limit: limit.unit }),
  };
}

/** The hold that the limit of time means. */
export const holdForTime = (session: SessionId, reason: string, now: Millis): Hold => ({
  kind: 'budget',
  scope: 'session',
  since: now,
  until: null,
  reason,
  release: `ouro resume ${shortId(session)} --add-time 1h`,
  limit: 'time',
});
