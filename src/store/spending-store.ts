/**
 * What all sessions of a person have spent and set aside, by local day and model, in the shared index. What
 * is set aside stays so until it is settled: a process that dies cannot make it come back. Setting aside and
 * judging the limits is one step among all processes.
 */
import type { Millis, SessionId } from '../../messages/ids.js';
import type { Database } from './database.js';

export const SPENDING_TABLES = `CREATE TABLE reservations (
    session TEXT NOT NULL,
    id TEXT NOT NULL,
    pid INTEGER NOT NULL,
    model TEXT NOT NULL,
    day TEXT NOT NULL,
    at INTEGER NOT NULL,
    usd REAL,
    tokens INTEGER NOT NULL,
    PRIMARY KEY (session, id)
  ) STRICT;
  CREATE TABLE spending (
    session TEXT NOT NULL,
    day TEXT NOT NULL,
    model TEXT NOT NULL,
    requests INTEGER NOT NULL,
    usd REAL NOT NULL,
    unpriced INTEGER NOT NULL,
    promptTokens INTEGER NOT NULL,
    completionTokens INTEGER NOT NULL,
    cachedTokens INTEGER NOT NULL,
    PRIMARY KEY (session, day, model)
  ) STRICT;
  CREATE INDEX spending_by_day ON spending (day)`;

/** What one session spent on one day with one model. */
export interface SpendingRow {
  readonly session: SessionId;
  /** `2026-03-01`, by the local calendar. */
  readonly day: string;
  readonly model: string;
  readonly requests: number;
  /** Of the requests whose price is known. */
  readonly usd: number;
  /** Requests whose price is not. */
  readonly unpriced: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
}

export interface ReservationRow {
  readonly id: string;
  readonly model: string;
  readonly day: string;
  readonly at: Millis;
  readonly usd: number | null;
  readonly tokens: number;
}

export interface SettledRequest {
  readonly model: string;
  readonly usd: number | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
}

interface Sum {
  readonly spent: number;
  readonly reserved: number;
}

export interface SpendingStore {
  sums(day: string): { readonly day: Sum; readonly month: Sum };
  /** False: with it more than a limit would be spent and set aside; nothing is then. */
  reserve(
    session: SessionId,
    reservation: ReservationRow,
    limits: { readonly dayUsd: number | null; readonly monthUsd: number | null },
  ): boolean;
  /** `id` null: nothing had been set aside. */
  settle(session: SessionId, id: string | null, day: string, request: SettledRequest): void;
  /** What a dead process of this session had set aside counts as spent. Only for the holder of its lock. */
  settleLost(session: SessionId): void;
  /** From that day on. */
  since(day: string): readonly SpendingRow[];
  /** Set aside by session, for requests under way or lost. */
  openBySession(): ReadonlyMap<SessionId, number>;
}

const SUMS = `SELECT
  (SELECT coalesce(sum(usd), 0) FROM spending WHERE day >= @from AND day <= @to) AS spent,
  (SELECT coalesce(sum(usd), 0) FROM reservations WHERE day >= @from AND day <= @to) AS reserved`;

const ADD = `INSERT INTO spending VALUES
  (@session, @day, @model, 1, @usd, @unpriced, @promptTokens, @completionTokens, @cachedTokens)
  ON CONFLICT (session, day, model) DO UPDATE SET requests = requests + 1, usd = usd + @usd,
    unpriced = unpriced + @unpriced, promptTokens = promptTokens + @promptTokens,
    completionTokens = completionTokens + @completionTokens, cachedTokens = cachedTokens + @cachedTokens`;

const LAST_OF_MONTH = '-31';

export function spendingOn(db: Database): SpendingStore {
  const sum = (from: string, to: string): Sum =>
    db.prepare<[object], Sum>(SUMS).get({ from, to }) ?? { spent: 0, reserved: 0 };
  const sums = (day: string): { day: Sum; month: Sum } => {
    const month = day.slice(0, 7);
    return { day: sum(day, day), month: sum(`${month}-01`, `${month}${LAST_OF_MONTH}`) };
  };
  const remove = (session: SessionId, id: string): void =>
    void db.prepare('DELETE FROM reservations WHERE session = ? AND id = ?').run(session, id);
  const add = (session: SessionId, day: string, { usd, ...request }: SettledRequest): void =>
    void db
      .prepare(ADD)
      .run({ session, day, ...request, usd: usd ?? 0, unpriced: usd === null ? 1 : 0 });
  const atomically = <T>(work: () => T): T => db.transaction(work).immediate();
  return {
    sums,
    reserve: (session, reservation, { dayUsd, monthUsd }) =>
      atomically(() => {
        const { day, month } = sums(reservation.day);
        const more = reservation.usd ?? 0;
        const passes = ({ spent, reserved }: Sum, limit: number | null): boolean =>
          limit !== null && spent + reserved + more > limit;
        if (passes(day, dayUsd) || passes(month, monthUsd)) return false;
        const row = { session, pid: process.pid, ...reservation };
        db.prepare(
          'INSERT INTO reservations VALUES (@session, @id, @pid, @model, @day, @at, @usd, @tokens)',
        ).run(row);
        return true;
      }),
    settle: (session, id, day, request) =>
      atomically(() => {
        if (id !== null) remove(session, id);
        add(session, day, request);
      }),
    settleLost: (session) =>
      atomically(() => {
        const lost = db
          .prepare<[string], ReservationRow>('SELECT * FROM reservations WHERE session = ?')
          .all(session);
        for (const { id, day, model, usd, tokens } of lost) {
          remove(session, id);
          const counted = { promptTokens: tokens, completionTokens: 0, cachedTokens: 0 };
          add(session, day, { model, usd, ...counted });
        }
      }),
    since: (day) =>
      db.prepare<[string], SpendingRow>('SELECT * FROM spending WHERE day >= ?').all(day),
    openBySession: () =>
      new Map(
        db
          .prepare<[], { session: SessionId; usd: number }>(
            'SELECT session, coalesce(sum(usd), 0) AS usd FROM reservations GROUP BY session',
          )
          .all()
          .map(({ session, usd }) => [session, usd] as const),
      ),
  };
}
