/**
 * The sections `[endpoints.NAME]`: model servers by name, with what may be set for each. One of them is
 * chosen with `model.endpoint`, and one whose address is used is meant too. Also what they look like once
 * resolved; the schema is built by the file that loads zod.
 */
import { trimmedEndpoint } from './endpoint.js';

export const PROTOCOLS = ['openai', 'openrouter', 'ollama', 'anthropic'] as const;
export const EFFORTS = ['minimal', 'low', 'medium', 'high'] as const;

/** As it is written in TOML. */
export interface WrittenEndpoint {
  readonly base_url: string;
  readonly protocol?: (typeof PROTOCOLS)[number] | undefined;
  readonly api_key_variable?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly text_calls?: boolean | undefined;
  readonly num_ctx?: number | undefined;
  readonly keep_alive?: string | undefined;
  readonly think?: boolean | undefined;
  readonly thinking_tokens?: number | undefined;
  readonly plugins?: readonly string[] | undefined;
  readonly reasoning_effort?: (typeof EFFORTS)[number] | undefined;
  readonly reasoning_tokens?: number | undefined;
  readonly hide_reasoning?: boolean | undefined;
}

export interface ConfiguredEndpoint {
  readonly name: string;
  readonly baseUrl: string;
  /** The environment variable that holds its key; left out: as for any server. */
  readonly apiKeyVariable?: string;
  readonly settings: {
    readonly protocol?: (typeof PROTOCOLS)[number];
    readonly headers?: Readonly<Record<string, string>>;
    readonly textCalls?: boolean;
    readonly numCtx?: number;
    readonly keepAlive?: string;
    readonly think?: boolean;
    readonly thinkingTokens?: number;
    readonly plugins?: readonly string[];
    readonly reasoningEffort?: string;
    readonly reasoningTokens?: number;
    readonly hideReasoning?: boolean;
  };
}

/** Only what is set, so that the rest is left to the protocol. */
const present = <T extends object>(
  fields: T,
): { readonly [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };

export const resolvedEndpoint = (name: string, written: WrittenEndpoint): ConfiguredEndpoint => ({
  name,
  baseUrl: trimmedEndpoint(written.base_url),
  ...present({ apiKeyVariable: written.api_key_variable }),
  settings: present({
    protocol: written.protocol,
    headers: written.headers,
    textCalls: written.text_calls,
    numCtx: written.num_ctx,
    keepAlive: written.keep_alive,
    think: written.think,
    thinkingTokens: written.thinking_tokens,
    plugins: written.plugins,
    reasoningEffort: written.reasoning_effort,
    reasoningTokens: written.reasoning_tokens,
    hideReasoning: written.hide_reasoning,
  }),
});

/** What is set for a server: the chosen one where the address is its own, else the first with that address. */
export function endpointFor(
  baseUrl: string,
  {
    endpoints,
    model,
  }: {
    readonly endpoints: readonly ConfiguredEndpoint[];
    readonly model: { readonly endpoint: string | null };
  },
): ConfiguredEndpoint | null {
  const here = endpoints.filter((endpoint) => endpoint.baseUrl === trimmedEndpoint(baseUrl));
  return here.find(({ name }) => name === model.endpoint) ?? here[0] ?? null;
}
