/**
 * What all sessions of one person spend, kept by the product's own store in a database that outlives every
 * process. Another session draws on it too, at the worst moment: between the look at what is left and the step
 * that sets something aside.
 */
import { localDay } from '../../messages/calendar.js';
import type { Millis, SessionId } from '../../messages/ids.js';
import { openDatabase, type Database } from '../../src/store/database.js';
import { SPENDING_TABLES, spendingOn, type SpendingStore } from '../../src/store/spending-store.js';
import type { Chance } from '../chance.js';
import type { Happening } from '../happenings.js';
import type { Money } from '../money.js';

const OTHER = '5e550000-0000-4000-8000-000000000002' as SessionId;

interface OtherRequest {
  readonly id: string;
  readonly day: string;
  readonly usd: number;
}

export class SharedIndex {
  readonly #chance: Chance;
  readonly #money: Money;
  readonly #now: () => Millis;
  readonly #note: (what: Happening) => void;
  /** Dollars set aside for requests under way, of this session. */
  readonly #open = new Map<string, number>();
  #others: OtherRequest[] = [];
  #asked = 0;
  #db: Database | null = null;
  #store: SpendingStore | null = null;

  constructor(money: Money, chance: Chance, now: () => Millis, note: (what: Happening) => void) {
    this.#money = money;
    this.#chance = chance;
    this.#now = now;
    this.#note = note;
  }

  /** Opened by the first who needs it. */
  get #spending(): SpendingStore {
    if (this.#store !== null) return this.#store;
    this.#db = openDatabase({ file: ':memory:', access: 'write', busyMs: 0 });
    this.#db.exec(SPENDING_TABLES);
    this.#store = spendingOn(this.#db);
    return this.#store;
  }

  /** As a session of this person has it. */
  store(): SpendingStore {
    return {
      sums: (day) => this.#spending.sums(day),
      reserve: (session, reservation, limits) => {
        this.#letOthersAct();
        const isKept = this.#spending.reserve(session, reservation, limits);
        if (isKept) this.#open.set(reservation.id, reservation.usd ?? 0);
        this.#tell(0);
        return isKept;
      },
      settle: (session, id, day, request) => {
        this.#spending.settle(session, id, day, request);
        const aside = id === null ? 0 : (this.#open.get(id) ?? 0);
        if (id !== null) this.#open.delete(id);
        this.#tell(Math.max(0, (request.usd ?? 0) - aside));
      },
      settleLost: (session) => {
        if (this.#store === null) return;
        this.#spending.settleLost(session);
        this.#open.clear();
        this.#tell(0);
      },
      since: (day) => this.#spending.since(day),
      openBySession: () => this.#spending.openBySession(),
    };
  }

  /** It keeps to the same limits, and takes what it set aside or less. */
  #letOthersAct(): void {
    const { budget, others } = this.#money;
    if (budget === undefined || !this.#chance.happens(others)) return;
    const day = localDay(this.#now());
    const done = this.#others.shift();
    if (done !== undefined && this.#chance.happens(0.5)) {
      const usd = done.usd * this.#chance.next();
      const counted = { promptTokens: 1, completionTokens: 1, cachedTokens: 0 };
      this.#spending.settle(OTHER, done.id, done.day, { model: 'other', usd, ...counted });
    }
    const usd = this.#chance.pick([0.01, 0.3]);
    const id = `b${(this.#asked += 1)}`;
    const wanted = { id, model: 'other', day, at: this.#now(), usd, tokens: 2 };
    if (this.#spending.reserve(OTHER, wanted, budget)) this.#others.push({ id, day, usd });
  }

  /** Where nobody has a limit of the day or the month, nobody wants to know. */
  #tell(excessUsd: number): void {
    const { dayUsd = null, monthUsd = null } = this.#money.budget ?? {};
    if (dayUsd === null && monthUsd === null) return;
    const { day, month } = this.#spending.sums(localDay(this.#now()));
    this.#note({ type: 'index.changed', day, month, excessUsd });
  }

  close(): void {
    this.#db?.close();
  }
}
