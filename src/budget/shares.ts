/** When people are told that a limit comes near: at half of it, at four fifths, and shortly before its end. */
import type { BudgetLine, BudgetScope } from '../../messages/budget.js';
import { amountOf, limitName } from './budget-texts.js';

const NOTICES = [0.95, 0.8, 0.5] as const;

/** The highest share that was told of each limit, by what it is about. */
export type Shares = Map<string, number>;

/** Takes down which shares are gone, and returns words for those that were not before; null: there are none. */
export function crossedShares(
  lines: readonly BudgetLine[],
  period: (scope: BudgetScope) => string,
  told: Shares,
): string | null {
  const texts: string[] = [];
  for (const line of lines) {
    const share = NOTICES.find((notice) => line.spent >= notice * line.limit) ?? 0;
    const key = [line.scope, line.unit, period(line.scope), line.limit].join(' ');
    if (share > (told.get(key) ?? 0)) texts.push(shareText(line, share));
    told.set(key, share);
  }
  return texts.length === 0 ? null : texts.join('; ');
}

const shareText = (line: BudgetLine, share: number): string =>
  `${Math.round(share * 100)} % of ${limitName(line)} are used up (${amountOf(line.unit, line.spent)})`;
