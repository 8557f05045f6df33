/** How a simulated session asks its model's server: routing, fallback and outage are the product's own. */
import type { QuitReason } from '../../messages/session.js';
import { sessionModel, type SessionModel } from '../../src/session-model.js';
import type { Mesh } from '../../src/session/mesh.js';
import { SimulatedModel } from '../world/simulated-model.js';
import type { LifeParts } from './life-parts.js';
import { configOf } from './simulated-config.js';
import type { SimulatedProcess } from './simulated-process.js';

/** How long a session waits for its server that asks nobody. */
const MAX_WAIT_MS = 300_000;

export function simulatedAsking(
  parts: LifeParts & { readonly process: SimulatedProcess },
  mesh: () => Mesh,
  quit: (reason: QuitReason, detail: string) => void,
): SessionModel {
  const { scenario, process, chance } = parts;
  const { spec } = scenario;
  const model = new SimulatedModel({
    ...parts,
    chance: chance.stream('model'),
    temper: scenario.model,
    talk: scenario.talk,
    money: scenario.money,
  });
  return sessionModel({
    spec,
    home: '',
    config: configOf(scenario),
    endpoint: {
      model,
      warnings: [],
      checked: true,
      keyAdvice: '',
      probe: () => model.probe(),
      close: () => Promise.resolve(),
    },
    time: process,
    clock: process,
    maxWaitMs: spec.onQuestion === 'wait' ? null : MAX_WAIT_MS,
    mesh,
    slots: null,
    giveUp: (reason) => quit('provider_error', reason),
  });
}
