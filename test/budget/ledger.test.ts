import { expect, onTestFinished, test } from 'vitest';
import { endOfPeriod, localDay } from '../../messages/calendar.js';
import type { IndexStore } from '../../src/store/index-store.js';
import type { SessionId } from '../../messages/ids.js';
import { START } from '../support/session-samples.js';
import { budgetOf, costing, ledgerOf, newIndex, wantOf } from './ledger-fixture.js';

function index(): IndexStore {
  const opened = newIndex();
  onTestFinished(() => opened.close());
  return opened;
}

test('people are told once at half, four fifths and nineteen twentieths of a limit', () => {
  const ledger = ledgerOf(index(), 's', budgetOf({ sessionUsd: 1 }));
  const spend = (usd: number): string | null => {
    const reservation = ledger.reserve(wantOf(usd));
    return reservation === null ? 'refused' : ledger.settle(reservation, costing(usd));
  };
  expect(spend(0.4)).toBeNull();
  expect(spend(0.1)).toBe("50 % of the session's limit of $1.00 are used up ($0.50)");
  expect(spend(0.1)).toBeNull();
  expect(spend(0.35)).toContain('95 % of');
  expect(spend(0.04)).toBeNull();
  expect(spend(0.1)).toBe('refused');
});

test('what was told before a restart is not told again, and a raised limit is told of anew', () => {
  const ledger = ledgerOf(index(), 's', budgetOf({ sessionUsd: 1 }), { spentUsd: 0.6 });
  const first = ledger.reserve(wantOf(0.1));
  expect(first && ledger.settle(first, costing(0.1))).toBeNull();
  ledger.setBudget(budgetOf({ sessionUsd: 2 }));
  const second = ledger.reserve(wantOf(0.5));
  expect(second && ledger.settle(second, costing(0.5))).toContain('50 % of');
});

test('tokens are limited like money', () => {
  const ledger = ledgerOf(index(), 's', budgetOf({ sessionTokens: 250 }));
  expect(ledger.reserve(wantOf(null, 200))).not.toBeNull();
  expect(ledger.reserve(wantOf(null, 100))).toBeNull();
});

test('a day begins at local midnight, a month on its first, and each counts from nothing', () => {
  const shared = index();
  const midnight = endOfPeriod('day', START) ?? 0;
  const nextMonth = endOfPeriod('month', START) ?? 0;
  expect(localDay(midnight - 1)).toBe(localDay(START));
  expect(localDay(midnight)).not.toBe(localDay(START));
  expect(new Date(nextMonth).getDate()).toBe(1);
  const spendAt = (now: number, usd: number): boolean => {
    const ledger = ledgerOf(
      shared,
      `at ${now}`,
      budgetOf({ dayUsd: 1, monthUsd: 1.5 }),
      {},
      () => now,
    );
    const reservation = ledger.reserve(wantOf(usd));
    if (reservation !== null) ledger.settle(reservation, costing(usd));
    return reservation !== null;
  };
  expect([spendAt(START, 0.9), spendAt(START, 0.2)]).toEqual([true, false]);
  expect([spendAt(midnight, 0.5), spendAt(midnight, 0.2)]).toEqual([true, false]);
  expect(spendAt(nextMonth, 0.9)).toBe(true);
});

test('what a dead process had set aside counts until its session comes back, and after that', () => {
  const shared = index();
  const budget = budgetOf({ dayUsd: 1 });
  expect(ledgerOf(shared, 'dead', budget).reserve(wantOf(0.7))).not.toBeNull();
  const other = ledgerOf(shared, 'other', budget);
  expect(other.reserve(wantOf(0.4))).toBeNull();
  shared.spending.settleLost('dead' as SessionId);
  expect(other.reserve(wantOf(0.4))).toBeNull();
  expect(shared.spending.since('')).toMatchObject([{ session: 'dead', usd: 0.7, requests: 1 }]);
  expect(shared.spending.openBySession().size).toBe(0);
});
