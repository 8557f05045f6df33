/** What `ouro doctor` looks at beyond this program: the model server, and those that could be used. */
import { findApiKey, isLocal, keyVariables } from '../../config/api-key.js';
import { endpointFor, type ConfiguredEndpoint } from '../../config/endpoint-settings.js';
import type { Config } from '../../config/settings.js';
import type { EndpointFacts } from '../../messages/endpoint-facts.js';
import { checkEndpoint, type EndpointPorts, type EndpointQuestion } from '../doctor/endpoint.js';
import { problem, type Check, type Finding } from '../doctor/finding.js';
import {
  findServers,
  foundFindings,
  type FoundServer,
  type UsualServer,
} from '../doctor/local-servers.js';
import { isExpected } from '../expected-error.js';
import { knownEndpoint } from '../known-endpoint.js';
import { openIndex, type IndexStore } from '../store/index-store.js';
import { ensureHome } from '../store/layout.js';
import { VERSION } from '../version.js';
import type { ReadConfig } from './read-config.js';
import type { VerbContext } from './verb-context.js';

export interface ModelServerQuestion {
  readonly config: Config;
  readonly read: ReadConfig;
  readonly context: VerbContext;
  /** A configured one by its name; null: the chosen one. */
  readonly endpoint: string | null;
  readonly probe: boolean;
  readonly usual: readonly UsualServer[];
}

/** A list that costs nothing; a model that may have to be loaded first. */
const LIST_MS = 5_000;
const TRIAL_MS = 60_000;

export const modelServerChecks = (question: ModelServerQuestion): readonly Check[] => [
  () => chosenFindings(question),
  async () => {
    const servers = await findServers(question.usual);
    const { baseUrl } = placeOf(question);
    return foundFindings(servers.filter((server) => !isAt(server, baseUrl)));
  },
];

/** One server, whatever path its address has. */
const isAt = (server: FoundServer, baseUrl: string | null): boolean =>
  baseUrl !== null &&
  URL.canParse(baseUrl) &&
  isLocal(baseUrl) &&
  new URL(baseUrl).port === String(server.port);

interface Place {
  readonly baseUrl: string | null;
  readonly configured: ConfiguredEndpoint | null;
}

function placeOf({ config, endpoint }: ModelServerQuestion): Place {
  const named = config.endpoints.find(({ name }) => name === endpoint) ?? null;
  if (named !== null) return { baseUrl: named.baseUrl, configured: named };
  const { baseUrl } = config.model;
  return { baseUrl, configured: baseUrl === null ? null : endpointFor(baseUrl, config) };
}

async function chosenFindings(question: ModelServerQuestion): Promise<readonly Finding[]> {
  const { config } = question;
  const { baseUrl, configured } = placeOf(question);
  if (baseUrl === null) {
    const advice =
      'set base_url under [model], or use --base-url; without any: ouro rehearse survey';
    return [problem('endpoint', 'no model server is configured', advice)];
  }
  if (config.model.name === null) {
    const advice = 'set name under [model], or use -m NAME';
    return [problem('model', `no model is named for ${baseUrl}`, advice)];
  }
  const about = { ...question, baseUrl, configured, model: config.model.name };
  return checkEndpoint(questionOf(about), portsOf(about));
}

interface About extends ModelServerQuestion {
  readonly baseUrl: string;
  readonly configured: ConfiguredEndpoint | null;
  readonly model: string;
}

function questionOf(about: About): EndpointQuestion {
  const { baseUrl, configured, model, read, probe } = about;
  const local = isLocal(baseUrl);
  const own = configured?.apiKeyVariable;
  return {
    baseUrl,
    model,
    local,
    key: {
      used: findApiKey(baseUrl, read.env, own)?.variable ?? null,
      possible: own === undefined ? keyVariables(baseUrl) : [own],
    },
    mayTry: local || probe,
    section: configured?.name ?? null,
    textCalls: configured?.settings.textCalls === true,
    windowWith: (facts) => windowWith(about, facts),
  };
}

function windowWith({ baseUrl, model, config, context }: About, facts: EndpointFacts): number {
  const spec = { baseUrl, model, local: isLocal(baseUrl), rehearsal: null };
  const endpoints = { get: () => facts, set: () => undefined };
  return knownEndpoint({ spec, config, index: { endpoints }, time: context }).windowOf(model);
}

function portsOf(about: About): EndpointPorts {
  const { baseUrl, configured, model, read, context } = about;
  const key = findApiKey(baseUrl, read.env, configured?.apiKeyVariable);
  const server = {
    baseUrl,
    apiKey: key?.key ?? null,
    apiKeyVariable:
      key?.variable ?? configured?.apiKeyVariable ?? keyVariables(baseUrl).at(-1) ?? '',
    model,
    ...(configured === null ? {} : { settings: configured.settings }),
  };
  return {
    now: () => context.now(),
    check: async () => {
      const { checkEndpoint: ask } = await import('../model/preflight.js');
      return ask({ ...server, timeoutMs: LIST_MS });
    },
    facts: async () => {
      const { askFacts } = await import('../model/server-facts.js');
      return askFacts({ ...server, local: isLocal(baseUrl), timeoutMs: LIST_MS });
    },
    tryOut: async () => {
      const { tryModel } = await import('../model/trial.js');
      return tryModel({ ...server, version: VERSION, timeoutMs: TRIAL_MS });
    },
    kept: () => inIndex(context, (index) => index.endpoints.get(baseUrl, model)),
    keep: (facts) => void inIndex(context, (index) => index.endpoints.set(baseUrl, model, facts)),
  };
}

/** Null too where the index cannot be opened: why is another finding. */
function inIndex<T>(context: VerbContext, use: (index: IndexStore) => T): T | null {
  const { home } = context;
  try {
    ensureHome(home);
    const index = openIndex({ home, time: context });
    try {
      return use(index);
    } finally {
      index.close();
    }
  } catch (error) {
    if (!isExpected(error)) throw error;
    return null;
  }
}
