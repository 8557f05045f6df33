/**
 * How a session asks its model server: which model answers a round, how many requests are under way at
 * once, and what happens when the server does not answer.
 */
import type { AgentPorts } from '../actors/agent-steps.js';
import type { FailurePorts } from '../actors/model-failure.js';
import type { ModelClient, Time } from '../actors/ports.js';
import type { Config } from '../config/settings.js';
import { isOpen, OUTAGE_HOLDS, type EndpointProbed, type Hold } from '../messages/pause.js';
import type { AgentFact } from '../messages/agents.js';
import { shortId } from '../messages/ids.js';
import type { SessionSpec } from '../messages/session.js';
import type { Endpoint } from './endpoint.js';
import type { Ground, Work } from './ground.js';
import type { Clock } from './session/actor-pump.js';
import type { Mesh } from './session/mesh.js';
import { Outage, type OutagePorts } from './session/outage.js';
import { endpointSlots } from './store/layout.js';
import { Slots } from './store/slots.js';
import { InFlightLimit } from './traffic/in-flight.js';
import { nextModel, route } from './traffic/routing.js';

/** One machine answers one request at a time at full speed; a service answers several. */
const PLACES = { local: 1, remote: 4 } as const;

export interface SessionModelParts {
  readonly spec: SessionSpec;
  readonly home: string;
  readonly config: Pick<Config, 'model' | 'routing'>;
  readonly endpoint: Endpoint;
  /** Requests that the server answers at once, as it reported; null: it did not. */
  readonly slots: number | null;
  readonly time: Time;
  readonly clock: Clock;
  readonly maxWaitMs: number | null;
  /** Models to ask, in this order, when one cannot answer; left out: as the session began. */
  readonly fallback?: () => readonly string[];
  readonly special?: OutagePorts['special'];
  /** The mesh, once there is one. */
  readonly mesh: () => Mesh;
  readonly giveUp: (reason: string) => void;
}

export interface SessionModel {
  readonly model: ModelClient;
  readonly modelFor: NonNullable<AgentPorts['modelFor']>;
  readonly failures: Omit<FailurePorts, 'hold'>;
  /** Hears of the session from here on. */
  follow(): void;
  /** A person wants to know whether the server answers. */
  probe(action: string): void;
  close(): void;
}

export function sessionModel(parts: SessionModelParts): SessionModel {
  const { spec, config, endpoint, time, mesh } = parts;
  const places = placesOf(parts);
  let holds: readonly Hold[] = [];
  const limit =
    places === null
      ? null
      : new InFlightLimit({
          model: endpoint.model,
          tryTake: () => places.tryTake(),
          mayAsk: (agent) => isOpen(holds, agent),
          onQueued: ({ agent, round = 0 }, waiting) => {
            // Side work is nobody's phase.
            if (!mesh().snapshots.current.agents.some(({ id }) => id === agent)) return;
            const status: AgentFact = {
              type: 'agent.status',
              agent,
              round,
              phase: 'asking',
              at: time.now(),
            };
            const queued = { ...status, phase: 'queued' as const, detail: queuedAt(spec.baseUrl) };
            void mesh().tell(waiting ? queued : status);
          },
          setTimeout: (run, ms): unknown => parts.clock.setTimeout(run, ms),
        });
  const outage = outageOf(parts);
  return {
    model: limit ?? endpoint.model,
    modelFor: (_agent, round, configured) => route(config.routing, configured, round),
    failures: { afterRetries: (failure) => outage.afterRetries(failure) },
    follow: () => {
      ({ holds } = mesh().snapshots.current);
      outage.follow(holds);
      mesh().facts.on((fact) => {
        outage.onFact(fact);
        if (fact.type !== 'pause.changed') return;
        ({ holds } = fact);
        limit?.recheck();
      });
    },
    probe: (action) => void outage.probeFor(action),
    close: () => {
      outage.close();
      places?.close();
    },
  };
}

const queuedAt = (baseUrl: string): string => `all places at ${baseUrl} are taken`;

/** Null: the server is the session's own, and nobody else asks it. */
function placesOf({ spec, home, config, slots }: SessionModelParts): Slots | null {
  if (spec.rehearsal !== null) return null;
  const count = config.model.maxInFlight ?? slots ?? PLACES[spec.local ? 'local' : 'remote'];
  return new Slots(endpointSlots(home, spec.baseUrl, count));
}

function outageOf(parts: SessionModelParts): Outage {
  const { spec, endpoint, time, clock, maxWaitMs, special, mesh, giveUp } = parts;
  return new Outage({
    time,
    clock,
    maxWaitMs,
    release: `ouro resume ${shortId(spec.id)}`,
    keyAdvice: endpoint.keyAdvice,
    nextModel: (failure) => nextModel(parts.fallback?.() ?? spec.fallback ?? [], failure),
    ...(special === undefined ? {} : { special }),
    probe: () => endpoint.probe(),
    tell: (message: EndpointProbed) => mesh().tell(message),
    giveUp,
  });
}

/** It was held for its model server when it last ran, or nobody is there to be told that it is away. */
export const waitsForServer = ({ recovered }: Ground, work: Work): boolean =>
  recovered?.holds.some(({ kind }) => OUTAGE_HOLDS.includes(kind)) === true ||
  (work.kind === 'resume' && !work.byPerson);
