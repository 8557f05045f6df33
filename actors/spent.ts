/**
 * What a session has used up, as its journal says. Fed row by row. What was set aside and never settled is
 * kept apart: its process ended, and it counts in full.
 */
import type { AgentId } from '../messages/ids.js';
import type { JournalRow, RowBodies } from '../messages/journal.js';

export type OpenReservation = RowBodies['budget.reserved'] & { readonly agent: AgentId };

export interface SpentState {
  readonly usd: number;
  readonly tokens: number;
  readonly reservations: number;
  readonly open: readonly OpenReservation[];
  readonly settled: readonly AgentId[];
}

const NOTHING_SPENT: SpentState = { usd: 0, tokens: 0, reservations: 0, open: [], settled: [] };

export class Spent {
  usd: number;
  tokens: number;
  /** Requests for which something was ever set aside; an id is never used twice. */
  reservations: number;
  readonly #open: Map<string, OpenReservation>;
  /** Agents whose request, under way, was settled in a row of its own. */
  readonly #settled: Set<AgentId>;

  constructor({ usd, tokens, reservations, open, settled }: SpentState = NOTHING_SPENT) {
    this.usd = usd;
    this.tokens = tokens;
    this.reservations = reservations;
    this.#open = new Map(open.map((reservation) => [reservation.id, reservation]));
    this.#settled = new Set(settled);
  }

  get state(): SpentState {
    const { usd, tokens, reservations } = this;
    const [open, settled] = [[...this.#open.values()], [...this.#settled]];
    return { usd, tokens, reservations, open, settled };
  }

  get open(): ReadonlyMap<string, OpenReservation> {
    return this.#open;
  }

  count(row: JournalRow): void {
    switch (row.kind) {
      case 'model.intent':
        this.#settled.delete(row.agent);
        return;
      case 'budget.reserved':
        this.reservations += 1;
        this.#open.set(row.body.id, { ...row.body, agent: row.agent });
        return;
      case 'budget.settled':
        this.#open.delete(row.body.id);
        this.#settled.add(row.agent);
        this.#add(row.body.usd, row.body.tokens);
        return;
      case 'model.outcome': {
        // Nothing had been set aside for it: there was no limit, or no budget yet when it was written.
        if (this.#settled.delete(row.agent) || row.body.status !== 'ok') return;
        const { usage } = row.body;
        if (usage !== null) {
          this.#add(usage.costUsd ?? null, usage.promptTokens + usage.completionTokens);
        }
        return;
      }
      default:
        return;
    }
  }

  #add(usd: number | null, tokens: number): void {
    this.usd += usd ?? 0;
    this.tokens += tokens;
  }
}
