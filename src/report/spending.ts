/** What a period has used up, in all and by model. How usage becomes money is the caller's to say. */
import type { JournalRow, RowBodies } from '../../messages/journal.js';
import type { ModelUse, Usage } from '../../messages/model.js';
import type { SessionSpec } from '../../messages/session.js';
import type { Totals } from '../../messages/snapshot.js';
import type { ToolOutcome } from '../../messages/tools.js';
import type { SessionReport, Spending } from './report.js';

/** The sums that the session itself keeps. */
export interface Sums {
  readonly none: Totals;
  readonly round: (totals: Totals, usage: Usage | null, spec: SessionSpec | null) => Totals;
  readonly call: (totals: Totals, outcome: ToolOutcome, spec: SessionSpec | null) => Totals;
  readonly use: (totals: Totals, used: readonly ModelUse[], spec: SessionSpec | null) => Totals;
  /** What was paid for without an answer. */
  readonly settled: (totals: Totals, settled: RowBodies['budget.settled']) => Totals;
  readonly unanswered: (totals: Totals, usd: number | null) => Totals;
  /** Finds, row by row, what was paid for answers that a crash has taken with it. */
  readonly unclaimed: () => { count(row: JournalRow): readonly (number | null)[] };
}

export class SpendingFold {
  readonly #sums: Sums;
  #all: Totals;
  readonly #byModel = new Map<string, Totals>();
  readonly #unclaimed: ReturnType<Sums['unclaimed']>;

  constructor(sums: Sums) {
    this.#sums = sums;
    this.#unclaimed = sums.unclaimed();
    this.#all = sums.none;
  }

  apply(row: JournalRow, spec: SessionSpec | null): void {
    for (const usd of this.#unclaimed.count(row)) this.#all = this.#sums.unanswered(this.#all, usd);
    switch (row.kind) {
      case 'model.outcome': {
        if (row.body.status !== 'ok') return;
        const { usage, model } = row.body;
        this.#all = this.#sums.round(this.#all, usage, spec);
        this.#add(model, (totals) => this.#sums.round(totals, usage, spec));
        return;
      }
      case 'tool.outcome':
        this.#all = this.#sums.call(this.#all, row.body.outcome, spec);
        this.#addUsed(row.body.outcome.modelUse, spec);
        return;
      case 'context.summarised':
      case 'context.refused':
      case 'session.titled':
        this.#all = this.#sums.use(this.#all, row.body.modelUse ?? [], spec);
        this.#addUsed(row.body.modelUse, spec);
        return;
      case 'budget.settled': {
        const settled = row.body;
        this.#all = this.#sums.settled(this.#all, settled);
        const { none } = this.#sums;
        // Most stand with their answers.
        if (this.#sums.settled(none, settled) !== none)
          this.#add(settled.model, (totals) => this.#sums.settled(totals, settled));
        return;
      }
      default:
    }
  }

  #addUsed(used: readonly ModelUse[] = [], spec: SessionSpec | null): void {
    for (const use of used) this.#add(use.model, (totals) => this.#sums.use(totals, [use], spec));
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
