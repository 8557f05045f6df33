/**
 * Which key belongs to which model server. A provider's key goes only to that provider's exact host, over
 * TLS and on its usual port, so that a look-alike address never receives one.
 */
import type { Environment } from './home.js';

export { isLocal } from './endpoint.js';

/** Goes to whatever endpoint the person configured, since they gave it for that. */
const OWN_KEY_VARIABLE = 'OURO_API_KEY';

const PROVIDER_KEYS: Readonly<Record<string, readonly string[]>> = {
  'openrouter.ai': ['OPENROUTER_API_KEY'],
  'api.openai.com': ['OPENAI_API_KEY'],
  'api.groq.com': ['GROQ_API_KEY'],
  'api.mistral.ai': ['MISTRAL_API_KEY'],
  'api.deepseek.com': ['DEEPSEEK_API_KEY'],
  'api.anthropic.com': ['ANTHROPIC_API_KEY'],
  'api.together.xyz': ['TOGETHER_API_KEY'],
  'api.together.ai': ['TOGETHER_API_KEY'],
  'api.fireworks.ai': ['FIREWORKS_API_KEY'],
  'api.cerebras.ai': ['CEREBRAS_API_KEY'],
  'api.x.ai': ['XAI_API_KEY'],
  'generativelanguage.googleapis.com': ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
};

interface ApiKey {
  readonly key: string;
  /** The variable it came from, for messages. */
  readonly variable: string;
}

/**
 * Null: none is set for this server. `env` is the merged environment (`effectiveEnvironment`). `own`: the
 * variable that was configured for this server; then no other is looked at.
 */
export function findApiKey(baseUrl: string, env: Environment, own?: string): ApiKey | null {
  for (const variable of own === undefined ? keyVariables(baseUrl) : [own]) {
    const key = env[variable]?.trim();
    if (key !== undefined && key !== '') return { key, variable };
  }
  return null;
}

/** The variables that could hold a key for this server, the preferred one first; for messages too. */
export function keyVariables(baseUrl: string): readonly string[] {
  if (!URL.canParse(baseUrl)) return [OWN_KEY_VARIABLE];
  const url = new URL(baseUrl);
  const known = url.protocol === 'https:' ? url.host : '';
  return [
    OWN_KEY_VARIABLE,
    ...(Object.hasOwn(PROVIDER_KEYS, known) ? (PROVIDER_KEYS[known] ?? []) : []),
  ];
}
