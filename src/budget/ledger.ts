/**
 * The budget of one session and its share of the day's and the month's. Nothing is sent before the most it
 * can cost is set aside here; what is set aside and what is spent together never pass a limit. All agents of
 * the session draw on it, in one process, so that setting aside is one step; the day and the month are shared
 * with other processes and checked once more where they are kept.
 */
import type { BudgetLine, BudgetScope, SessionBudget } from '../../messages/budget.js';
import { Gate } from '../../messages/channels/gate.js';
import type { AgentId, Millis } from '../../messages/ids.js';
import { localDay, monthOf } from '../../messages/calendar.js';
import { crossedShares, type Shares } from './shares.js';

/** A request that something is set aside for. `usd` null: no price is known. */
export interface Reservation {
  readonly id: string;
  readonly agent: AgentId;
  readonly model: string;
  readonly usd: number | null;
  readonly tokens: number;
  readonly day: string;
}

export interface Settlement {
  readonly model: string;
  readonly usd: number | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
}

export type SharedLimits = Pick<SessionBudget, 'dayUsd' | 'monthUsd'>;

/** What all sessions of a person have spent, by day; kept by the store. */
export interface SharedSpending {
  /** Dollars spent and set aside, of all sessions. */
  sums(day: string): Readonly<Record<'day' | 'month', { spent: number; reserved: number }>>;
  /** In one step. False: it would pass a limit. */
  reserve(reservation: Reservation & { readonly at: Millis }, limits: SharedLimits): boolean;
  /** `reservation` null: nothing had been set aside. */
  settle(reservation: Reservation | null, day: string, settlement: Settlement): void;
}

export interface LedgerStart {
  readonly budget: SessionBudget;
  readonly spentUsd: number;
  readonly spentTokens: number;
  /** Requests for which something was set aside before. */
  readonly reservations: number;
}

const NOBODY = { spent: 0, reserved: 0 };

export class Ledger {
  readonly #shared: SharedSpending;
  readonly #now: () => Millis;
  readonly #open = new Map<string, Reservation>();
  readonly #changed = new Gate();
  readonly #shares: Shares = new Map();
  #budget: SessionBudget;
  #usd: number;
  #tokens: number;
  #made: number;

  constructor(start: LedgerStart, shared: SharedSpending, now: () => Millis) {
    this.#shared = shared;
    this.#now = now;
    this.#budget = start.budget;
    this.#usd = start.spentUsd;
    this.#tokens = start.spentTokens;
    this.#made = start.reservations;
    // What is gone already was said before.
    crossedShares(this.lines(), this.#period, this.#shares);
  }

  get hasLimits(): boolean {
    return Object.values(this.#budget).some((limit) => limit !== null);
  }

  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Every limit there is, as it stands now. */
  lines(): readonly BudgetLine[] {
    const { sessionUsd, dayUsd, monthUsd, sessionTokens } = this.#budget;
    const open = [...this.#open.values()];
    const own = {
      spent: this.#usd,
      reserved: open.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
    };
    const tokens = {
      spent: this.#tokens,
      reserved: open.reduce((sum, one) => sum + one.tokens, 0),
    };
    const shared =
      dayUsd === null && monthUsd === null
        ? { day: NOBODY, month: NOBODY }
        : this.#shared.sums(localDay(this.#now()));
    return [
      lineOf('session', 'usd', sessionUsd, own),
      lineOf('session', 'tokens', sessionTokens, tokens),
      lineOf('day', 'usd', dayUsd, shared.day),
      lineOf('month', 'usd', monthUsd, shared.month),
    ].flatMap((line) => line ?? []);
  }

  /** Null: another process was quicker, or it does not fit. */
  reserve(wanted: Pick<Reservation, 'agent' | 'model' | 'usd' | 'tokens'>): Reservation | null {
    const fits = this.lines().every(
      ({ unit, limit, spent, reserved }) =>
        spent + reserved + (unit === 'usd' ? (wanted.usd ?? 0) : wanted.tokens) <= limit,
    );
    if (!fits) return null;
    const at = this.#now();
    const reservation = { ...wanted, id: `b${this.#made + 1}`, day: localDay(at) };
    if (!this.#shared.reserve({ ...reservation, at }, this.#budget)) return null;
    this.#made += 1;
    this.#open.set(reservation.id, reservation);
    return reservation;
  }

  /** Returns what is to be said about limits that are nearly used up; null: nothing. */
  settle(reservation: Reservation, settlement: Settlement): string | null {
    if (!this.#open.delete(reservation.id)) return null;
    this.#usd += settlement.usd ?? 0;
    this.#tokens += settlement.promptTokens + settlement.completionTokens;
    this.#changed.open();
    try {
      this.#shared.settle(reservation, reservation.day, settlement);
      return crossedShares(this.lines(), this.#period, this.#shares);
    } catch {
      // It stays set aside there, and so counts in full; the journal has the amount.
      return null;
    }
  }

  /** For the statistics alone: a request that no limit is about. */
  note(settlement: Settlement): void {
    try {
      this.#shared.settle(null, localDay(this.#now()), settlement);
    } catch {
      // For `ouro cost` only: the journal says so if the disk is full.
    }
  }

  setBudget(budget: SessionBudget): void {
    this.#budget = budget;
    crossedShares(this.lines(), this.#period, this.#shares);
    this.#changed.open();
  }

  /** Resolves when something that was set aside has been settled, limits were raised, or `signal` aborts. */
  async changed(signal: AbortSignal): Promise<void> {
    const wake = (): void => this.#changed.open();
    signal.addEventListener('abort', wake);
    try {
      if (!signal.aborted) await this.#changed.opened();
    } finally {
      signal.removeEventListener('abort', wake);
    }
  }

  /** Names the day or month that a shared limit is about: the next one counts anew. */
  readonly #period = (scope: BudgetScope): string => {
    const day = localDay(this.#now());
    return scope === 'session' ? '' : scope === 'day' ? day : monthOf(day);
  };
}

const lineOf = (
  scope: BudgetScope,
  unit: BudgetLine['unit'],
  limit: number | null,
  used: { spent: number; reserved: number },
): BudgetLine | null => (limit === null ? null : { scope, unit, limit, ...used });
