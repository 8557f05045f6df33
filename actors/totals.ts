/** Sums over a session: tokens, calls, cost. Pure; the live state and the fold over the journal share them. */
import type { Usage } from '../messages/model.js';
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

/** A server on this machine costs nothing; of others only what they report themselves is known. */
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

/** With what its tool asked of models: no rounds, but tokens and money all the same. */
export function withCall(totals: Totals, outcome: ToolOutcome, spec: SessionSpec | null): Totals {
  const used = outcome.modelUse ?? [];
  const paid = used.reduce((sum, { usage }) => withUsage(sum, usage, spec), totals);
  return {
    ...paid,
    toolCalls: totals.toolCalls + 1,
    denials: totals.denials + (outcome.status === 'denied' ? 1 : 0),
  };
}
