/**
 * What is spent and what is set aside never pass a limit together. A request is sent with something set aside
 * for it; that fits into every limit when it is set aside. Afterwards what the server says that it cost takes
 * its place, and nothing else can be more than what was set aside.
 */
import { afterAction } from '../../actors/raised-limits.js';
import type { AgentId } from '../../messages/ids.js';
import { NO_BUDGET, type SessionBudget } from '../../messages/budget.js';
import type { JournalFact, RowBodies } from '../../messages/journal.js';
import type { ModelOutcome, Usage } from '../../messages/model.js';
import type { SessionSpec } from '../../messages/session.js';
import type { Moment, SpendingSum } from '../happenings.js';
import type { Invariant, Of } from './invariant.js';

export const budgetsKept: Invariant = {
  name: 'budgets-kept',
  promise: 'Spent and set aside together never pass a limit of dollars or tokens.',
  watch: (report) => {
    const watch = new BudgetWatch(report);
    return { see: (moment) => watch.see(moment) };
  },
};

type Reserved = RowBodies['budget.reserved'] & { readonly agent: AgentId };
type Settled = RowBodies['budget.settled'];

/** Sums of fractions of a cent. */
const ROUNDING_USD = 1e-9;

class BudgetWatch {
  readonly #report: (what: string) => void;
  #spec: SessionSpec | null = null;
  #isPriced = false;
  readonly #open = new Map<string, Reserved>();
  readonly #onDisk = new Set<string>();
  readonly #answers = new Map<AgentId, ModelOutcome>();
  #usd = 0;
  #tokens = 0;
  /** What the shared limits were passed by, as servers have it. */
  #excessUsd = 0;

  constructor(report: (what: string) => void) {
    this.#report = report;
  }

  see({ what }: Moment): void {
    switch (what.type) {
      case 'life.began':
        this.#begin(what);
        return;
      case 'rows.handed':
        for (const fact of what.facts) this.#hear(fact, true);
        return;
      case 'rows.acknowledged':
        for (const { kind, body } of what.rows) {
          if (kind === 'budget.reserved') this.#onDisk.add(body.id);
        }
        return;
      case 'request.sent':
        this.#checkCover(what.request.agent);
        return;
      case 'request.ended':
        this.#answers.set(what.agent, what.outcome);
        return;
      case 'index.changed':
        this.#excessUsd += what.excessUsd;
        this.#checkShared('day', what.day);
        this.#checkShared('month', what.month);
        return;
      default:
    }
  }

  #begin({ spec, rows }: Of<'life.began'>): void {
    this.#spec = spec;
    this.#open.clear();
    this.#usd = 0;
    this.#tokens = 0;
    for (const row of rows) this.#hear(row, false);
  }

  get #limits(): SessionBudget {
    return this.#spec?.budget ?? NO_BUDGET;
  }

  /** `isNew`: to be judged; the rest was. */
  #hear(fact: JournalFact, isNew: boolean): void {
    switch (fact.kind) {
      case 'budget.reserved': {
        this.#isPriced ||= fact.body.usd !== 0;
        this.#answers.delete(fact.agent);
        this.#open.set(fact.body.id, { ...fact.body, agent: fact.agent });
        if (isNew) this.#checkLimits(fact.body.id);
        return;
      }
      case 'budget.settled': {
        const reserved = this.#open.get(fact.body.id);
        if (reserved === undefined) return;
        if (isNew) this.#checkSettled(reserved, fact.body);
        this.#open.delete(fact.body.id);
        this.#usd += fact.body.usd ?? 0;
        this.#tokens += fact.body.tokens;
        return;
      }
      case 'user.action':
        this.#spec = afterAction(this.#spec, fact.body.action);
        return;
      default:
    }
  }

  #checkLimits(id: string): void {
    const { sessionUsd, sessionTokens } = this.#limits;
    const open = [...this.#open.values()];
    const usd = open.reduce((sum, each) => sum + (each.usd ?? 0), this.#usd);
    const tokens = open.reduce((sum, each) => sum + each.tokens, this.#tokens);
    if (sessionUsd !== null && usd > sessionUsd + ROUNDING_USD)
      this.#report(`with ${id}, $${usd} are spent and set aside, and the limit is $${sessionUsd}`);
    if (sessionTokens !== null && tokens > sessionTokens)
      this.#report(`with ${id}, ${tokens} tokens are gone, and the limit is ${sessionTokens}`);
  }

  /** Others spend too; but no more than is left. */
  #checkShared(scope: 'day' | 'month', { spent, reserved }: SpendingSum): void {
    const limit = this.#limits[scope === 'day' ? 'dayUsd' : 'monthUsd'];
    if (limit === null || spent + reserved <= limit + this.#excessUsd + ROUNDING_USD) return;
    this.#report(`$${spent + reserved} are gone in this ${scope}, and the limit is $${limit}`);
  }

  #checkCover(agent: AgentId): void {
    const hasLimits = Object.values(this.#limits).some((limit) => limit !== null);
    if (!hasLimits && !this.#isPriced) return;
    const cover = [...this.#open.values()].filter((each) => each.agent === agent);
    if (cover.length !== 1 || !this.#onDisk.has(cover[0]?.id ?? ''))
      this.#report(`${agent} sent a request, and ${cover.length} amounts are set aside for it`);
  }

  #checkSettled(reserved: Reserved, settled: Settled): void {
    const { id, basis, tokens, usd } = settled;
    const answer = this.#answers.get(reserved.agent);
    const usage = answer?.status === 'ok' ? answer.reply.usage : null;
    const most = basis === 'lost' || basis === 'broken-off' ? reserved : mostOf(reserved, usage);
    const isMore = tokens > most.tokens || (usd ?? 0) > (most.usd ?? Infinity) + ROUNDING_USD;
    if (isMore) this.#report(`${id} is settled (${basis}) with more than there was a reason for`);
    if (basis === 'reported' && tokens !== counted(usage) && usage?.costUsd === undefined)
      this.#report(`${id} is settled with ${tokens} tokens, and the server counted another number`);
    if (basis === 'estimated' && (usd ?? 0) < (reserved.usd ?? 0))
      this.#report(`${id} is settled with less than was set aside, and the server said nothing`);
    if (basis === 'lost' && (tokens !== reserved.tokens || usd !== reserved.usd))
      this.#report(`${id} was lost, and does not count in full`);
    if (basis === 'nothing' && (tokens !== 0 || usd !== 0))
      this.#report(`${id} is settled with something, and cost nothing`);
    if (basis === 'nothing' && answer?.status === 'ok')
      this.#report(`${id} is settled with nothing, and was answered`);
  }
}

const counted = (usage: Usage | null): number =>
  usage === null ? 0 : usage.promptTokens + usage.completionTokens;

/** What was set aside, or what the server has counted beyond it; of a part alone, beside what it left out. */
const mostOf = (
  reserved: Reserved,
  usage: Usage | null,
): { readonly tokens: number; readonly usd: number | null } => {
  if (usage === null || counted(usage) === 0) return reserved;
  const isWhole = usage.promptTokens > 0 && usage.completionTokens > 0;
  const tokens = isWhole
    ? Math.max(reserved.tokens, counted(usage))
    : reserved.tokens + counted(usage);
  return { tokens, usd: null };
};
