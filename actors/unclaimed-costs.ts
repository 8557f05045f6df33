/**
 * Costs of answers that were settled, while the rows that the answers stand in were lost with their process:
 * they were paid for all the same. Fed row by row.
 */
import type { AgentId } from '../messages/ids.js';
import type { JournalRow } from '../messages/journal.js';
import type { ModelUse, Usage } from '../messages/model.js';

export interface Cost {
  readonly agent: AgentId;
  /** Null: no price was known. */
  readonly usd: number | null;
}

export class UnclaimedCosts {
  readonly #costs: Cost[];

  constructor(costs: readonly Cost[] = []) {
    this.#costs = [...costs];
  }

  get state(): readonly Cost[] {
    return [...this.#costs];
  }

  /** Costs that no answer will stand for any more. */
  count(row: JournalRow): readonly Cost['usd'][] {
    switch (row.kind) {
      case 'budget.settled': {
        const { basis, usd } = row.body;
        const isAnswered = basis === 'reported' || basis === 'estimated';
        if (isAnswered) this.#costs.push({ agent: row.agent, usd });
        return [];
      }
      case 'model.outcome':
        if (row.body.status === 'ok') this.#claim(row.agent, row.body.usage);
        return [];
      case 'tool.outcome':
        return this.#claimAll(row.agent, row.body.outcome.modelUse);
      case 'context.summarised':
      case 'context.refused':
        return this.#claimAll(row.agent, row.body.modelUse);
      case 'session.titled':
        return this.#claimAll(null, row.body.modelUse);
      case 'session.resumed':
        return this.#costs.splice(0).map(({ usd }) => usd);
      default:
        return [];
    }
  }

  /** `agent` null: whoever asked for it. */
  #claimAll(agent: AgentId | null, used: readonly ModelUse[] = []): readonly [] {
    for (const { usage } of used) this.#claim(agent, usage);
    return [];
  }

  #claim(agent: AgentId | null, usage: Usage | null): void {
    const usd = usage?.costUsd ?? null;
    const at = this.#costs.findIndex(
      (cost) => (agent === null || cost.agent === agent) && cost.usd === usd,
    );
    if (at >= 0) this.#costs.splice(at, 1);
  }
}
