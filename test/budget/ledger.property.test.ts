/**
 * Two sessions of one person draw on the same day, each with several requests under way; any of them may die
 * at any moment and come back. Whatever the order: what is spent and set aside never passes a limit.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionId } from '../../messages/ids.js';
import type { Ledger, Reservation } from '../../src/budget/ledger.js';
import type { IndexStore } from '../../src/store/index-store.js';
import { START } from '../support/session-samples.js';
import { localDay } from '../../messages/calendar.js';
import { budgetOf, costing, ledgerOf, newIndex, wantOf } from './ledger-fixture.js';

type Step =
  | { readonly do: 'reserve'; readonly who: 0 | 1; readonly usd: number }
  | { readonly do: 'settle'; readonly who: 0 | 1; readonly share: number }
  | { readonly do: 'crash'; readonly who: 0 | 1 };

const who = fc.constantFrom(0 as const, 1 as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('reserve' as const),
    who,
    usd: fc.double({ min: 0, max: 0.8, noNaN: true }),
  }),
  fc.record({
    do: fc.constant('settle' as const),
    who,
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  fc.record({ do: fc.constant('crash' as const), who }),
);

const SESSION_LIMIT = 1;
const DAY_LIMIT = 1.5;
/** Sums of binary fractions in another order differ in the last places. */
const ROUNDING = 1e-9;

/** One session: its ledger, what is under way, and what its journal knows. */
class Life {
  ledger: Ledger;
  open: Reservation[] = [];
  spent = 0;
  made = 0;
  readonly #index: IndexStore;
  readonly #name: string;

  constructor(index: IndexStore, name: string) {
    this.#index = index;
    this.#name = name;
    this.ledger = this.#born();
  }

  #born(): Ledger {
    const budget = budgetOf({ sessionUsd: SESSION_LIMIT, dayUsd: DAY_LIMIT });
    return ledgerOf(this.#index, this.#name, budget, {
      spentUsd: this.spent,
      reservations: this.made,
    });
  }

  reserve(usd: number): void {
    const reservation = this.ledger.reserve(wantOf(usd));
    if (reservation === null) return;
    this.made += 1;
    this.open.push(reservation);
  }

  settle(share: number): void {
    const reservation = this.open.shift();
    if (reservation === undefined) return;
    const usd = (reservation.usd ?? 0) * share;
    this.spent += usd;
    this.ledger.settle(reservation, costing(usd));
  }

  /** What was under way counts in full from then on. */
  crash(): void {
    for (const { usd } of this.open) this.spent += usd ?? 0;
    this.open = [];
    this.#index.spending.settleLost(this.#name as SessionId);
    this.ledger = this.#born();
  }

  get used(): number {
    return this.open.reduce((sum, { usd }) => sum + (usd ?? 0), this.spent);
  }
}

function play(index: IndexStore, steps: readonly Step[]): void {
  const lives = [new Life(index, 'session-1'), new Life(index, 'session-2')] as const;
  for (const each of steps) {
    const life = lives[each.who];
    if (each.do === 'reserve') life.reserve(each.usd);
    else if (each.do === 'settle') life.settle(each.share);
    else life.crash();
    for (const { used } of lives) expect(used).toBeLessThanOrEqual(SESSION_LIMIT + ROUNDING);
    const { day } = index.spending.sums(localDay(START));
    expect(day.spent + day.reserved).toBeLessThanOrEqual(DAY_LIMIT + ROUNDING);
    expect(day.spent + day.reserved).toBeCloseTo(lives[0].used + lives[1].used, 8);
  }
}

test('in any order of setting aside, settling and dying no limit is passed and nothing is lost', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const index = newIndex();
      try {
        play(index, steps);
      } finally {
        index.close();
      }
    }),
    { numRuns: 60 },
  );
});
