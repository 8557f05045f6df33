/** The budget of one session, tied to its journal, to the index that all sessions share, and to its mesh. */
import type { Journal, ModelClient, Time } from '../actors/ports.js';
import type { Recovered } from '../actors/recovery.js';
import type { Config } from '../config/settings.js';
import { NO_BUDGET } from '../messages/budget.js';
import type { CoordinatorMessage, Letter } from '../messages/coordinator.js';
import type { SessionSpec } from '../messages/session.js';
import { dollars } from '../tui/text/amounts.js';
import { holdForTime } from './budget/budget-texts.js';
import { heldAtLimit, type HoldingPorts } from './budget/held-at-limit.js';
import { Ledger } from './budget/ledger.js';
import { meteredModel } from './budget/metered-model.js';
import { priceList, type PriceList } from './budget/prices.js';
import type { SessionGate } from './session-gate.js';
import type { Ending } from './session/ending.js';
import type { LifeParts } from './session/life.js';
import type { Mesh } from './session/mesh.js';
import type { SpendingStore } from './store/spending-store.js';

/** A server on this machine is free, unless the configuration prices the model. */
export const isFree = ({ local, rehearsal }: Pick<SessionSpec, 'local' | 'rehearsal'>): boolean =>
  local || rehearsal !== null;

export const pricesOf = (
  spec: Pick<SessionSpec, 'local' | 'rehearsal'>,
  { prices }: Pick<Config, 'prices'>,
): PriceList => priceList(prices, isFree(spec));

/** A limit in dollars cannot hold for a model without a price. Null: all is well. */
export function unpricedLimit(spec: SessionSpec, config: Config): Ending | null {
  const { sessionUsd, dayUsd, monthUsd } = spec.budget ?? NO_BUDGET;
  const limit = sessionUsd ?? dayUsd ?? monthUsd;
  if (limit === null || pricesOf(spec, config).priceOf(spec.model) !== null) return null;
  const reason =
    `No price is known for the model ${spec.model} at ${spec.baseUrl}, so a limit of ${dollars(limit)} could not be kept. ` +
    `Say in config.toml what a million tokens cost: [prices."${spec.model}"] input = 3.0, output = 15.0 ` +
    `(0 and 0 if it costs nothing). Or limit tokens instead: --max-tokens 1000000. Or have no limit of cost: --max-cost none`;
  return { status: 'config', reason, text: '' };
}

/** What of a session's ground its budget stands on. */
export interface BudgetGround {
  readonly spec: SessionSpec;
  readonly recovered: Pick<Recovered, 'spent'> | null;
  readonly journal: Journal;
  readonly index: { readonly spending: SpendingStore };
}

export interface BudgetParts {
  readonly ground: BudgetGround;
  readonly config: Pick<Config, 'prices' | 'model'>;
  readonly time: Time;
  readonly model: ModelClient;
  /** Reaching a limit is a hold; otherwise the cycle ends with it. */
  readonly holdAtLimit: boolean;
  readonly tell: (message: CoordinatorMessage) => Promise<boolean>;
  readonly deliver: (letter: Letter) => void;
  /** There from the first request on. */
  readonly facts: () => Mesh['facts'];
  readonly gate: Pick<SessionGate, 'isOpen'>;
}

export interface MeteredSession {
  readonly model: ModelClient;
  /** The same, but a limit that is reached is only a failure. */
  readonly metered: ModelClient;
  readonly life: Pick<LifeParts, 'raised' | 'onTimeLimit'>;
}

export function sessionBudget(parts: BudgetParts): MeteredSession {
  const { ground, config, time, holdAtLimit } = parts;
  const { spec, index, journal, recovered } = ground;
  const { spending } = index;
  // Whatever a process before this one had set aside is gone: this one holds the lock.
  spending.settleLost(spec.id);
  const spent = recovered?.spent;
  const lost = [...(spent?.open.values() ?? [])];
  const ledger = new Ledger(
    {
      budget: spec.budget ?? NO_BUDGET,
      spentUsd: lost.reduce((sum, { usd }) => sum + (usd ?? 0), spent?.usd ?? 0),
      spentTokens: lost.reduce((sum, { tokens }) => sum + tokens, spent?.tokens ?? 0),
      reservations: spent?.reservations ?? 0,
    },
    {
      sums: (day) => spending.sums(day),
      reserve: (reservation, limits) => spending.reserve(spec.id, reservation, limits),
      settle: (reservation, day, settlement) =>
        spending.settle(spec.id, reservation?.id ?? null, day, settlement),
    },
    () => time.now(),
  );
  const metered = meteredModel(parts.model, {
    ledger,
    prices: pricesOf(spec, config),
    maxTokens: config.model.maxTokens,
    journal,
    now: () => time.now(),
    mayAsk: (agent) => parts.gate.isOpen(agent),
    tell: (fact) => void parts.tell(fact),
  });
  return {
    metered,
    model: holdAtLimit ? heldAtLimit(metered, holdingPorts(parts)) : metered,
    life: {
      raised: ({ budget }) => {
        ledger.setBudget(budget ?? NO_BUDGET);
        tellLimits(parts, ledger);
      },
      ...(holdAtLimit ? { onTimeLimit: (reason) => holdInTime(parts, reason) } : {}),
    },
  };
}

/** The limits as they are now, before a request counts against them. */
function tellLimits({ tell, time }: BudgetParts, ledger: Ledger): void {
  const nothing = { notice: null, unansweredUsd: 0, at: time.now() };
  try {
    void tell({ type: 'budget.changed', lines: ledger.lines(), ...nothing });
  } catch {
    // What all sessions have spent cannot be read: the next request finds out, and says so.
  }
}

function holdInTime({ ground, time, deliver }: BudgetParts, reason: string): void {
  const hold = holdForTime(ground.spec.id, reason, time.now());
  deliver({ to: 'pause', message: { type: 'pause.hold', hold } });
}

const holdingPorts = ({ ground, time, deliver, facts }: BudgetParts): HoldingPorts => ({
  session: ground.spec.id,
  now: () => time.now(),
  hold: (hold, signal) =>
    new Promise<void>((resolve) => {
      const off = facts().on((fact) => {
        if (fact.type === 'pause.changed' && fact.holds.some(({ kind }) => kind === 'budget'))
          end();
      });
      const end = (): void => {
        off();
        signal.removeEventListener('abort', end);
        resolve();
      };
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
      else deliver({ to: 'pause', message: { type: 'pause.hold', hold } });
    }),
});
