/**
 * The client of a real model server, with the key that the server accepts. Keys come from the environment
 * and from `$OURO_HOME/.env`, which is read anew when the server is looked for: so a session that waits for
 * another key can be given one while it runs.
 */
import type { ModelClient } from '../actors/ports.js';
import { findApiKey, keyVariables } from '../config/api-key.js';
import { effectiveEnvironment } from '../config/environment.js';
import type { ConfiguredEndpoint } from '../config/endpoint-settings.js';
import type { Environment } from '../config/home.js';
import type { EndpointFinding } from './model/preflight.js';

/** A person who asks for it waits 5 s at most. */
const PROBE_MS = 4_000;

export interface Access {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly apiKeyVariable?: string;
}

export interface EndpointClientOptions {
  readonly baseUrl: string;
  readonly model: string;
  readonly home: string;
  readonly env: Environment;
  /** What is configured for this address; null: nothing. */
  readonly configured: ConfiguredEndpoint | null;
  readonly clientFor: (access: Access) => ModelClient;
}

const variableOf = ({ baseUrl, configured }: EndpointClientOptions): string | undefined =>
  configured?.apiKeyVariable ?? keyVariables(baseUrl).at(-1);

/** The keys there are, the environment's own before the file's; one access without, if there is none. */
function accessesOf(options: EndpointClientOptions): readonly Access[] {
  const { baseUrl, home, env, configured } = options;
  const name = configured?.apiKeyVariable;
  const own = findApiKey(baseUrl, env, name);
  const filed = findApiKey(baseUrl, effectiveEnvironment(home, {}).env, name);
  const found = [own, filed].filter((key) => key !== null);
  const distinct = found.filter(({ key }, i) => found.findIndex((k) => k.key === key) === i);
  const variable = variableOf(options);
  if (distinct.length === 0) {
    return [
      { baseUrl, apiKey: null, ...(variable === undefined ? {} : { apiKeyVariable: variable }) },
    ];
  }
  return distinct.map(({ key, variable: name }) => ({
    baseUrl,
    apiKey: key,
    apiKeyVariable: name,
  }));
}

export class EndpointClient implements ModelClient {
  readonly #options: EndpointClientOptions;
  #access: Access;
  #client: ModelClient;

  constructor(options: EndpointClientOptions) {
    this.#options = options;
    this.#access = accessesOf(options)[0] ?? { baseUrl: options.baseUrl, apiKey: null };
    this.#client = options.clientFor(this.#access);
  }

  readonly ask: ModelClient['ask'] = (...question) => this.#client.ask(...question);

  /** For a hold that waits for another key. */
  get keyAdvice(): string {
    const name = this.#access.apiKeyVariable ?? variableOf(this.#options) ?? 'OURO_API_KEY';
    return `Another key can be put into ${this.#options.home}/.env, as ${name}=…`;
  }

  /** What the server says to the key in use, or to another one there is, if it refuses that one. */
  async checkFirst(timeoutMs: number): Promise<EndpointFinding> {
    const found = await this.#check(timeoutMs, this.#access);
    const isRefused = !found.ok && found.error.kind === 'auth';
    return isRefused && (await this.probe()) ? { ok: true } : found;
  }

  async #check(timeoutMs: number, access: Access): Promise<EndpointFinding> {
    const { checkEndpoint } = await import('./model/preflight.js');
    const { model, configured } = this.#options;
    const settings = configured === null ? {} : { settings: configured.settings };
    return checkEndpoint({ ...access, ...settings, model, timeoutMs });
  }

  /** Whether it answers, with one of the keys there are now; that one is used from then on. */
  async probe(): Promise<boolean> {
    for (const access of accessesOf(this.#options)) {
      const found = await this.#check(PROBE_MS, access);
      if (found.ok && found.busy !== true) {
        this.#use(access);
        return true;
      }
      if (found.ok || found.error.kind !== 'auth') return false;
    }
    return false;
  }

  #use(access: Access): void {
    if (access.apiKey === this.#access.apiKey) return;
    this.#access = access;
    this.#client = this.#options.clientFor(access);
  }
}
