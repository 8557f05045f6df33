/** What a simulated session thinks with, or the fault that is put into it. */
import type { ModelClient } from '../../actors/ports.js';
import type { Config } from '../../config/settings.js';
import { NO_BUDGET } from '../../messages/budget.js';
import type { SessionSpec } from '../../messages/session.js';
import type { SessionContext } from '../../src/session/agent-context.js';
import type { Fault } from '../faults.js';

export const limitsOfMoney = (spec: SessionSpec, fault: Fault | null): SessionSpec =>
  fault === 'forget-budget' && spec.budget !== undefined ? { ...spec, budget: NO_BUDGET } : spec;

/** Every answer seems to have cost nothing. */
export const costsAsTold = (model: ModelClient, fault: Fault | null): ModelClient =>
  fault !== 'forget-costs'
    ? model
    : {
        ask: async (...question) => {
          const outcome = await model.ask(...question);
          if (outcome.status !== 'ok' || outcome.reply.usage === null) return outcome;
          const usage = { ...outcome.reply.usage, costUsd: 0 };
          return { status: 'ok', reply: { ...outcome.reply, usage } };
        },
      };

const TOO_WIDE = 3;

export const windowAsKnown = (config: Config, fault: Fault | null): Config => {
  const { window } = config.context;
  return fault === 'misjudge-window' && window !== null
    ? { ...config, context: { ...config.context, window: window * TOO_WIDE } }
    : config;
};

export const contextAsKept = (context: SessionContext, fault: Fault | null): SessionContext =>
  fault === 'forget-words'
    ? { ...context, beginning: (agent) => context.beginning(agent, []) }
    : context;
