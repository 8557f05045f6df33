/**
 * The model server of a session: a real one, or the embedded scripted one started for it. Says before the
 * first request what is wrong with it, if that is asked for.
 */
import type { ModelClient } from '../actors/ports.js';
import { findApiKey, keyVariables } from '../config/api-key.js';
import { endpointFor } from '../config/endpoint-settings.js';
import type { Environment } from '../config/home.js';
import type { Config } from '../config/settings.js';
import type { SessionSpec } from '../messages/session.js';
import { createModelClient, type ModelClientOptions } from './model/client.js';
import type { Ending } from './session/ending.js';
import { VERSION } from './version.js';

/** `start` answers within ten seconds; this leaves room for everything else. */
const CHECK_MS = 7_000;

export interface Endpoint {
  readonly model: ModelClient;
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

export type StartedEndpoint =
  | { readonly ok: true; readonly endpoint: Endpoint }
  | { readonly ok: false; readonly ending: Ending };

export interface EndpointRequest {
  readonly env: Environment;
  readonly config: Config;
  readonly checkFirst: boolean;
}

export async function startEndpoint(
  spec: SessionSpec,
  request: EndpointRequest,
): Promise<StartedEndpoint> {
  if (spec.rehearsal !== null) return startScripted(spec, spec.rehearsal, request);
  const configured = endpointFor(spec.baseUrl, request.config);
  const own = configured?.apiKeyVariable;
  const found = findApiKey(spec.baseUrl, request.env, own);
  const variable = found?.variable ?? own ?? keyVariables(spec.baseUrl).at(-1);
  const access = {
    baseUrl: spec.baseUrl,
    apiKey: found?.key ?? null,
    ...(variable === undefined ? {} : { apiKeyVariable: variable }),
    ...(configured === null ? {} : { settings: configured.settings }),
  };
  const warnings: string[] = [];
  if (request.checkFirst) {
    const { checkEndpoint } = await import('./model/preflight.js');
    const check = await checkEndpoint({ ...access, model: spec.model, timeoutMs: CHECK_MS });
    if (!check.ok) {
      const status = check.error.kind === 'auth' ? 'auth' : 'provider_error';
      return { ok: false, ending: { status, reason: check.error.message, text: '' } };
    }
    if (check.warning !== undefined) warnings.push(check.warning);
  }
  const model = clientFor(access, request.config);
  return { ok: true, endpoint: { model, warnings, close: () => Promise.resolve() } };
}

async function startScripted(
  { baseUrl }: SessionSpec,
  scenarioName: string,
  { config }: EndpointRequest,
): Promise<StartedEndpoint> {
  const { loadScenario } = await import('./rehearsal/load-scenario.js');
  const { startRehearsal } = await import('./rehearsal/server.js');
  const loaded = loadScenario(scenarioName);
  if (!loaded.ok) {
    return { ok: false, ending: { status: 'bad_input', reason: loaded.message, text: '' } };
  }
  const server = await startRehearsal({ scenario: loaded.scenario });
  const model = clientFor({ baseUrl: server.baseUrl, apiKey: null }, config);
  const warnings = [`scripted by the scenario ${scenarioName}: no real model answers (${baseUrl})`];
  return { ok: true, endpoint: { model, warnings, close: () => server.close() } };
}

function clientFor(
  access: Pick<ModelClientOptions, 'baseUrl' | 'apiKey' | 'apiKeyVariable' | 'settings'>,
  { model }: Config,
): ModelClient {
  const client = createModelClient({
    ...access,
    firstTokenTimeoutMs: model.firstTokenTimeoutMs,
    silenceTimeoutMs: model.silenceTimeoutMs,
    version: VERSION,
    ...(model.temperature === null ? {} : { temperature: model.temperature }),
    ...(model.maxTokens === null ? {} : { maxTokens: model.maxTokens }),
  });
  // The SDK takes a while to load; the rest of the start goes on meanwhile.
  void client.warm();
  return client;
}
