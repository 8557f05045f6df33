/** Sums over a session: tokens, calls, cost. Pure; the live state and the fold over the journal share them. */
import type { RowBodies } from '../messages/journal.js';
import type { ModelUse, Usage } from '../messages/model.js';
import type { SessionSpec } from '../messages/session.js';
import type { Totals } from '../messages/snapshot.js';
import type { ToolOutcome } from '../messages/tools.js';

export const NO_TOTALS: Totals = {
  rounds: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  toolCalls: 0,
  denials: 0,
  costUsd: 0,
};

/** What a request cost was reckoned when it was answered; where it was not, a server on this machine is free. */
export const withRound = (
  totals: Totals,
  usage: Usage | null,
  spec: SessionSpec | null,
): Totals => ({ ...withUsage(totals, usage, spec), rounds: totals.rounds + 1 });

function withUsage(totals: Totals, usage: Usage | null, spec: SessionSpec | null): Totals {
  const free = spec !== null && (spec.local || spec.rehearsal !== null);
  return {
    ...totals,
    promptTokens: totals.promptTokens + (usage?.promptTokens ?? 0),
    completionTokens: totals.completionTokens + (usage?.completionTokens ?? 0),
    cachedTokens: totals.cachedTokens + (usage?.cachedTokens ?? 0),
    costUsd: addCost(totals, usage?.costUsd ?? (free ? 0 : null)),
  };
}

/** One unknown price makes the sum unknown, and it stays so: a sum that leaves something out misleads. */
const addCost = ({ costUsd }: Totals, cost: number | null): number | null =>
  cost === null || costUsd === null ? null : costUsd + cost;

/** An attempt that brought no answer can cost all the same. */
export const withUnanswered = (totals: Totals, costUsd: number | null): Totals =>
  costUsd === 0 ? totals : { ...totals, costUsd: addCost(totals, costUsd) };

/** The cost of what was answered stands with the answer. */
export const withSettled = (totals: Totals, settled: RowBodies['budget.settled']): Totals =>
  settled.basis === 'reported' || settled.basis === 'estimated'
    ? totals
    : withUnanswered(totals, settled.usd);

/** Answers beside the rounds: tokens and money all the same. */
export const withModelUse = (
  totals: Totals,
  used: readonly ModelUse[] | undefined,
  spec: SessionSpec | null,
): Totals => (used ?? []).reduce((sum, { usage }) => withUsage(sum, usage, spec), totals);

/** With what its tool asked of models. */
export function withCall(totals: Totals, outcome: ToolOutcome, spec: SessionSpec | null): Totals {
  const paid = withModelUse(totals, outcome.modelUse, spec);
  return {
    ...paid,
    toolCalls: totals.toolCalls + 1,
    denials: totals.denials + (outcome.status === 'denied' ? 1 : 0),
  };
}
