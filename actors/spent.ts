/**
 * What a session has used up, as its journal says. Fed row by row. What was set aside and never settled is
 * kept apart: its process ended, and it counts in full.
 */
import type { AgentId } from '../messages/ids.js';
import type { JournalRow, RowBodies } from '../messages/journal.js';

export type OpenReservation = RowBodies['budget.reserved'] & { readonly agent: AgentId };

export class Spent {
  usd = 0;
  tokens = 0;
  /** Requests for which something was ever set aside; an id is never used twice. */
  reservations = 0;
  readonly #open = new Map<string, OpenReservation>();
  /** Agents whose newest request was settled in a row of its own. */
  readonly #settled = new Set<AgentId>();

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
        if (row.body.status !== 'ok' || this.#settled.has(row.agent)) return;
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
