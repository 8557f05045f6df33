/** The limits of a session in words: what it may use up, and how much of that is gone. */
import type { BudgetLine } from '../messages/budget.js';
import type { SessionSpec } from '../messages/session.js';
import { count, dollars, duration } from './text/amounts.js';

/** `limits: $2.00 a session, 200 rounds, 60m00s`, or that there are none. */
export function limitsText({ budget, limits }: Pick<SessionSpec, 'budget' | 'limits'>): string {
  const { sessionUsd = null, dayUsd = null, monthUsd = null, sessionTokens = null } = budget ?? {};
  const parts = [
    ...(sessionUsd === null ? [] : [`${dollars(sessionUsd)} a session`]),
    ...(dayUsd === null ? [] : [`${dollars(dayUsd)} a day`]),
    ...(monthUsd === null ? [] : [`${dollars(monthUsd)} a month`]),
    ...(sessionTokens === null ? [] : [`${count(sessionTokens)} tokens`]),
    ...(limits.maxRounds === null ? [] : [`${count(limits.maxRounds)} rounds`]),
    ...(limits.maxTimeMs === null ? [] : [duration(limits.maxTimeMs)]),
  ];
  return parts.length === 0 ? 'no limits' : `limits: ${parts.join(', ')}`;
}

const amount = (line: BudgetLine, value: number): string =>
  line.unit === 'usd' ? dollars(value) : count(value);

/** `$0.31 of $2.00 a session`. */
export const budgetText = (line: BudgetLine): string =>
  `${amount(line, line.spent)} of ${amount(line, line.limit)}${line.unit === 'usd' ? '' : ' tokens'} a ${line.scope}`;
