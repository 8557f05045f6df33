/** What a simulated session thinks with: its budget and the keeper of its contexts are the product's own. */
import type { Recovered } from '../../actors/recovery.js';
import type { Journal, ModelClient } from '../../actors/ports.js';
import type { TodoItem } from '../../messages/journal.js';
import type { SessionSpec } from '../../messages/session.js';
import { knownEndpoint } from '../../src/known-endpoint.js';
import { sessionBudget, type MeteredSession } from '../../src/session-budget.js';
import { sessionContext } from '../../src/session-context.js';
import { sessionGate } from '../../src/session-gate.js';
import type { SessionContext } from '../../src/session/agent-context.js';
import { Estimators } from '../../src/session/estimators.js';
import type { Mesh } from '../../src/session/mesh.js';
import { contextAsKept, costsAsTold, limitsOfMoney, windowAsKnown } from './faulty-minds.js';
import type { LifeParts } from './life-parts.js';
import { configOf } from './simulated-config.js';
import type { SimulatedProcess } from './simulated-process.js';

export interface MindParts extends LifeParts {
  readonly process: SimulatedProcess;
  readonly journal: Journal;
  readonly recovered: Recovered | null;
  /** As it is now, with limits that were raised. */
  readonly spec: SessionSpec;
  /** The server's. */
  readonly model: ModelClient;
  readonly todos: { readonly current: readonly TodoItem[] };
  /** The mesh, once there is one. */
  readonly mesh: () => Mesh;
}

export interface SimulatedMinds extends Pick<MeteredSession, 'life'> {
  /** What agents ask. */
  readonly model: ModelClient;
  readonly context: SessionContext;
}

/** Nothing is written down for agents in this world. */
const NOWHERE = { ouroHome: '/simulated-home', workspace: '/simulated', trusted: true } as const;

export function simulatedMinds(parts: MindParts): SimulatedMinds {
  const { scenario, world, process: time, journal, recovered, spec, mesh, fault } = parts;
  const config = configOf(scenario);
  const gate = sessionGate(mesh);
  const budget = sessionBudget({
    ground: {
      spec: limitsOfMoney(spec, fault),
      recovered,
      journal,
      index: { spending: world.index.store() },
    },
    config,
    time,
    model: parts.model,
    holdAtLimit: spec.onQuestion === 'wait',
    tell: (message) => mesh().tell(message),
    deliver: (letter) => mesh().deliver(letter),
    facts: () => mesh().facts,
    gate,
  });
  const model = costsAsTold(budget.model, fault);
  const known = knownEndpoint({
    spec,
    config: windowAsKnown(config, fault),
    index: { endpoints: NO_ENDPOINTS },
    time,
  });
  const context = sessionContext({
    spec,
    config,
    known,
    time,
    clock: time,
    gate,
    instructions: NOWHERE,
    model,
    hooks: undefined,
    findings: () => mesh().snapshots.current.discoveries,
    todos: () => parts.todos.current,
    budget: () => mesh().snapshots.current.budget ?? [],
    estimators: new Estimators(),
  });
  return { model, context: contextAsKept(context, fault), life: budget.life };
}

/** Nobody has looked at this server before. */
const NO_ENDPOINTS = { get: () => null, set: () => undefined };
