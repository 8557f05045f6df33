/**
 * The model server of a session: a real one, or the embedded scripted one started for it. Says before the
 * first request what is wrong with it, if that is asked for.
 */
import type { ModelClient } from '../actors/ports.js';
import { endpointFor } from '../config/endpoint-settings.js';
import type { Environment } from '../config/home.js';
import type { Config } from '../config/settings.js';
import type { SessionSpec } from '../messages/session.js';
import { EndpointClient, type Access } from './endpoint-client.js';
import { createModelClient } from './model/client.js';
import type { Ending } from './session/ending.js';
import { VERSION } from './version.js';

/** `start` answers within ten seconds; this leaves room for everything else. */
const CHECK_MS = 7_000;

export interface Endpoint {
  readonly model: ModelClient;
  readonly warnings: readonly string[];
  /** It was asked before the start, and answered. */
  readonly checked: boolean;
  /** How a session that waits for another key can be given one. */
  readonly keyAdvice: string;
  /** Whether it answers now. Never rejects. */
  probe(): Promise<boolean>;
  close(): Promise<void>;
}

export type StartedEndpoint =
  | { readonly ok: true; readonly endpoint: Endpoint }
  | { readonly ok: false; readonly ending: Ending };

export interface EndpointRequest {
  readonly home: string;
  readonly env: Environment;
  readonly config: Config;
  readonly checkFirst: boolean;
  /** Where the model's answers are written down; `goal` null: an old one goes on. */
  readonly record?: { readonly file: string; readonly goal: string | null };
}

/** `waitsForIt`: the session is held until the server answers, so that it need not answer now. */
export async function startEndpoint(
  spec: SessionSpec,
  request: EndpointRequest,
  waitsForIt: boolean,
): Promise<StartedEndpoint> {
  const started =
    spec.rehearsal === null
      ? await startReal(spec, request, waitsForIt)
      : await startScripted(spec, spec.rehearsal, request);
  const { record, env } = request;
  if (!started.ok || record === undefined) return started;
  const { endpoint } = started;
  const { recordAnswers } = await import('./record-answers.js');
  const recorded = recordAnswers(endpoint.model, { ...record, ...asked(spec), env });
  if (!recorded.ok) {
    await endpoint.close();
    return { ok: false, ending: { status: 'bad_input', reason: recorded.reason, text: '' } };
  }
  const close = async (): Promise<void> => {
    recorded.close();
    await endpoint.close();
  };
  return { ok: true, endpoint: { ...endpoint, model: recorded.client, close } };
}

const asked = ({ model, baseUrl }: SessionSpec) => ({ model, baseUrl });

async function startReal(
  spec: SessionSpec,
  request: EndpointRequest,
  waitsForIt: boolean,
): Promise<StartedEndpoint> {
  const { baseUrl, model } = spec;
  const clientOf = (access: Access): ModelClient => clientFor(access, spec, request.config);
  const configured = endpointFor(baseUrl, request.config);
  const client = new EndpointClient({
    baseUrl,
    model,
    configured,
    ...request,
    clientFor: clientOf,
  });
  const check = request.checkFirst ? await client.checkFirst(CHECK_MS) : null;
  if (check?.ok === false && !waitsForIt) {
    const status = check.error.kind === 'auth' ? 'auth' : 'provider_error';
    return { ok: false, ending: { status, reason: check.error.message, text: '' } };
  }
  const warning = check?.ok === false ? check.error.message : check?.warning;
  const endpoint: Endpoint = {
    model: client,
    warnings: warning === undefined ? [] : [warning],
    checked: check?.ok === true && check.busy !== true,
    keyAdvice: client.keyAdvice,
    probe: () => client.probe(),
    close: () => Promise.resolve(),
  };
  return { ok: true, endpoint };
}

async function startScripted(
  spec: SessionSpec,
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
  const endpoint: Endpoint = {
    model: clientFor({ baseUrl: server.baseUrl, apiKey: null }, spec, config),
    warnings: [`scripted by the scenario ${scenarioName}: no real model answers (${spec.baseUrl})`],
    checked: true,
    keyAdvice: '',
    // It lives in this process.
    probe: () => Promise.resolve(true),
    close: () => server.close(),
  };
  return { ok: true, endpoint };
}

/** Prompt tokens read in a second: by a slow machine of one's own, by a service under load. */
const PROMPT_RATE = { local: 150, remote: 2_000 } as const;

function clientFor(access: Access, spec: SessionSpec, config: Config): ModelClient {
  const { model } = config;
  const configured = spec.rehearsal === null ? endpointFor(spec.baseUrl, config) : null;
  const client = createModelClient({
    ...access,
    ...(configured === null ? {} : { settings: configured.settings }),
    firstTokenTimeoutMs: model.firstTokenTimeoutMs,
    silenceTimeoutMs: model.silenceTimeoutMs,
    promptTokensPerSecond: model.promptRate ?? PROMPT_RATE[spec.local ? 'local' : 'remote'],
    version: VERSION,
    ...(model.temperature === null ? {} : { temperature: model.temperature }),
    ...(model.maxTokens === null ? {} : { maxTokens: model.maxTokens }),
  });
  // The SDK takes a while to load; the rest of the start goes on meanwhile.
  void client.warm();
  return client;
}
