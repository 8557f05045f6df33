/** Days and months by the local calendar: the limits of a day and a month end with them. */
import type { BudgetScope } from './budget.js';
import type { Millis } from './ids.js';

const two = (n: number): string => String(n).padStart(2, '0');

/** `2026-03-01`; its first seven characters are the month. */
export function localDay(at: Millis): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export const monthOf = (day: string): string => day.slice(0, 7);

/** When a limit of this kind counts from nothing again; null: never by itself. */
export function endOfPeriod(scope: BudgetScope, at: Millis): Millis | null {
  const date = new Date(at);
  switch (scope) {
    case 'session':
      return null;
    case 'day':
      return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
    case 'month':
      return new Date(date.getFullYear(), date.getMonth() + 1, 1).getTime();
  }
}
