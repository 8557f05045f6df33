/** Which protocol a server speaks: as configured, else as its address tells. */
import { anthropicProtocol } from './anthropic-protocol.js';
import { ollamaProtocol } from './ollama-protocol.js';
import { openAiProtocol } from './openai-protocol.js';
import { openRouterProtocol } from './openrouter-protocol.js';
import type { Protocol } from './protocol.js';
import type { ProtocolName } from './settings.js';

const PROTOCOLS: Readonly<Record<ProtocolName, Protocol>> = {
  openai: openAiProtocol,
  openrouter: openRouterProtocol,
  ollama: ollamaProtocol,
  anthropic: anthropicProtocol,
};

export const OLLAMA_PORT = '11434';

/** Ollama and Anthropic also offer what OpenAI speaks, below addresses that say so. */
function nameFor(baseUrl: string): ProtocolName {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url?.hostname === 'openrouter.ai') return 'openrouter';
  if (url?.hostname === 'api.anthropic.com') return 'anthropic';
  const root = url?.pathname === '/' || url?.pathname === '';
  return url?.port === OLLAMA_PORT && root ? 'ollama' : 'openai';
}

export const protocolFor = (baseUrl: string, configured?: ProtocolName): Protocol =>
  PROTOCOLS[configured ?? nameFor(baseUrl)];
