/** What a period has used up, in all and by model. How usage becomes money is the caller's to say. */
import type { JournalRow } from '../../messages/journal.js';
import type { Usage } from '../../messages/model.js';
import type { SessionSpec } from '../../messages/session.js';
import type { Totals } from '../../messages/snapshot.js';
import type { ToolOutcome } from '../../messages/tools.js';
import type { SessionReport, Spending } from './report.js';

/** The sums that the session itself keeps. */
export interface Sums {
  readonly none: Totals;
  readonly round: (totals: Totals, usage: Usage | null, spec: SessionSpec | null) => Totals;
  readonly call: (totals: Totals, outcome: ToolOutcome, spec: SessionSpec | null) => Totals;
}

export class SpendingFold {
  readonly #sums: Sums;
  #all: Totals;
  readonly #byModel = new Map<string, Totals>();

  constructor(sums: Sums) {
    this.#sums = sums;
    this.#all = sums.none;
  }

  apply(row: JournalRow, spec: SessionSpec | null): void {
    if (row.kind === 'model.outcome' && row.body.status === 'ok') {
      const { usage, model } = row.body;
      this.#all = this.#sums.round(this.#all, usage, spec);
      this.#add(model, (totals) => this.#sums.round(totals, usage, spec));
    } else if (row.kind === 'tool.outcome') {
      const { outcome } = row.body;
      this.#all = this.#sums.call(this.#all, outcome, spec);
      for (const use of outcome.modelUse ?? []) {
        this.#add(use.model, (totals) =>
          this.#sums.call(totals, { ...outcome, modelUse: [use] }, spec),
        );
      }
    }
  }

  #add(model: string, change: (totals: Totals) => Totals): void {
    this.#byModel.set(model, change(this.#byModel.get(model) ?? this.#sums.none));
  }

  get usage(): Spending {
    return spendingOf(this.#all);
  }

  get models(): SessionReport['models'] {
    return [...this.#byModel].map(([model, totals]) => ({ model, ...spendingOf(totals) }));
  }
}

const spendingOf = (totals: Totals): Spending => ({
  rounds: totals.rounds,
  prompt_tokens: totals.promptTokens,
  completion_tokens: totals.completionTokens,
  cached_tokens: totals.cachedTokens,
  cost_usd: totals.costUsd,
});
