/** Ledgers of several sessions over one real index, and processes of theirs that die. */
import type { SessionBudget } from '../../messages/budget.js';
import { NO_BUDGET } from '../../messages/budget.js';
import type { AgentId, SessionId } from '../../messages/ids.js';
import { Ledger, type LedgerStart, type Settlement } from '../../src/budget/ledger.js';
import { openIndex, type IndexStore } from '../../src/store/index-store.js';
import { ensureHome } from '../../src/store/layout.js';
import { START } from '../support/session-samples.js';
import { tempFolder } from '../store/temp-folder.js';

export const MODEL = 'model-1';

export function newIndex(): IndexStore {
  const home = tempFolder();
  ensureHome(home);
  return openIndex({ home, time: { now: () => START } });
}

export const budgetOf = (part: Partial<SessionBudget>): SessionBudget => ({
  ...NO_BUDGET,
  ...part,
});

export function ledgerOf(
  index: IndexStore,
  session: string,
  budget: SessionBudget,
  start: Partial<LedgerStart> = {},
  now: () => number = () => START,
): Ledger {
  const id = session as SessionId;
  const { spending } = index;
  return new Ledger(
    { budget, spentUsd: 0, spentTokens: 0, reservations: 0, ...start },
    {
      sums: (day) => spending.sums(day),
      reserve: (reservation, limits) => spending.reserve(id, reservation, limits),
      settle: (reservation, day, settlement) =>
        spending.settle(id, reservation?.id ?? null, day, settlement),
    },
    now,
  );
}

export const wantOf = (usd: number | null, tokens = 100) => ({
  agent: 'main' as AgentId,
  model: MODEL,
  usd,
  tokens,
});

export const costing = (usd: number | null, tokens = 100): Settlement => ({
  model: MODEL,
  usd,
  promptTokens: tokens,
  completionTokens: 0,
  cachedTokens: 0,
});
