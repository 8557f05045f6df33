/** What was found out about a session's model server before (`ouro doctor`), and what follows from it. */
import type { Time } from '../actors/ports.js';
import { endpointFor } from '../config/endpoint-settings.js';
import { windowOf } from '../config/model-windows.js';
import type { Config } from '../config/settings.js';
import type { EndpointFacts } from '../messages/endpoint-facts.js';
import type { SessionSpec } from '../messages/session.js';
import { DEFAULT_NUM_CTX } from './model/ollama-protocol.js';
import { protocolFor } from './model/protocols.js';
import type { IndexStore } from './store/index-store.js';

export interface KnownEndpoint {
  /** Tokens that a conversation with this model has room for. */
  windowOf(model: string): number;
  /** Requests that it answers at once; null: it did not say. */
  readonly slots: number | null;
}

export interface KnownEndpointParts {
  readonly spec: Pick<SessionSpec, 'baseUrl' | 'model' | 'local' | 'rehearsal'>;
  readonly config: Pick<Config, 'endpoints' | 'model' | 'context'>;
  readonly index: Pick<IndexStore, 'endpoints'>;
  readonly time: Time;
}

/** Servers are started anew with other settings: what was found longer ago than this is not relied on. */
export const FACTS_MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

/** More requests at once than any server on one machine is started for; it is the number of lock files. */
const MAX_SLOTS = 64;

export function knownEndpoint({ spec, config, index, time }: KnownEndpointParts): KnownEndpoint {
  const { baseUrl, local, rehearsal } = spec;
  // Looked up once for each model: the window of a conversation does not change while it goes on.
  const read = new Map<string, EndpointFacts | null>();
  const factsOf = (model: string): EndpointFacts | null => {
    const known = read.get(model);
    if (known !== undefined) return known;
    const facts = rehearsal === null ? index.endpoints.get(baseUrl, model) : null;
    const isOld = facts !== null && time.now() - facts.at > FACTS_MAX_AGE_MS;
    const counts = isOld ? null : facts;
    read.set(model, counts);
    return counts;
  };
  const asked = rehearsal === null ? askedWindow(baseUrl, config) : null;
  const slots = factsOf(spec.model)?.slots ?? null;
  return {
    windowOf(model) {
      const found = factsOf(model)?.window ?? null;
      const served = asked === null ? found : Math.min(asked, found ?? Infinity);
      const { window } = config.context;
      if (window !== null) return Math.min(window, served ?? Infinity);
      return windowOf(model, local || rehearsal !== null, served);
    },
    slots: slots === null ? null : Math.min(slots, MAX_SLOTS),
  };
}

/** Ollama gives the window that it is asked for; null: nobody is asked for one. */
function askedWindow(baseUrl: string, config: KnownEndpointParts['config']): number | null {
  const settings = endpointFor(baseUrl, config)?.settings;
  const { name } = protocolFor(baseUrl, settings?.protocol).metadata;
  return name === 'ollama' ? (settings?.numCtx ?? DEFAULT_NUM_CTX) : null;
}
