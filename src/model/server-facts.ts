/**
 * What a server says about itself and a model, where it says it: the window, and how many requests it
 * answers at once. Costs nothing; where one server has it another has nothing, so every look may be in vain.
 */
import { readStart } from './body-text.js';
import { readEndpoint, type EndpointOptions } from './endpoint.js';
import { isRecord, listOf, parseJson, recordOf, textOf, type JsonRecord } from './json-shape.js';
import { addressOf } from './protocol.js';
import { protocolFor } from './protocols.js';
import type { EndpointSettings } from './settings.js';

export interface FactsQuestion extends EndpointOptions {
  readonly model: string;
  readonly settings?: EndpointSettings;
  /** On this machine, where it may be asked at the addresses of several kinds of servers. */
  readonly local: boolean;
  readonly timeoutMs: number;
}

export interface ServerFacts {
  readonly window: number | null;
  readonly slots: number | null;
}

/** The longest list seen (OpenRouter's) is about 1 MB. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Names for the window in lists of models: vLLM; OpenRouter, Together; Groq; Mistral; Anthropic. */
const WINDOW_FIELDS = [
  'max_model_len',
  'context_length',
  'context_window',
  'max_context_length',
  'max_input_tokens',
];

type Look = (path: string, body?: JsonRecord) => Promise<unknown>;

/** Must not throw; each look takes no longer than `timeoutMs`. */
export async function askFacts(question: FactsQuestion): Promise<ServerFacts> {
  const { metadata } = protocolFor(question.baseUrl, question.settings?.protocol);
  const { model, local } = question;
  const [own, root] = [looker(question, false), looker(question, true)];
  if (metadata.name === 'ollama')
    return { window: shown(await root('/api/show', { model })), slots: null };
  const listed = windowIn(entryOf(await own(metadata.listPath), model));
  if (!local) return { window: listed, slots: null };
  const props = recordOf(await root('/props'));
  const settings = recordOf(props['default_generation_settings']);
  const slots = tokens(props['total_slots']) ?? slotCount(await root('/slots'));
  const studio = recordOf(entryOf(await root('/api/v0/models'), model));
  const window =
    tokens(settings['n_ctx']) ??
    tokens(studio['loaded_context_length']) ??
    listed ??
    windowIn(entryOf(await root('/api/ps'), model));
  return { window, slots };
}

/** Asks below the base URL, or below the server's root. Undefined: nothing that can be read. */
function looker(question: FactsQuestion, atRoot: boolean): Look {
  const endpoint = readEndpoint(question);
  const { metadata, headers } = protocolFor(endpoint.baseUrl, question.settings?.protocol);
  return async (path, body) => {
    const base = atRoot ? endpoint.baseUrl.replace(/\/(v1|api)$/, '') : endpoint.baseUrl;
    try {
      const response = await fetch(addressOf(atRoot ? { travel: 'sdk' } : metadata, base, path), {
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers(endpoint),
          ...question.settings?.headers,
        },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(question.timeoutMs),
        // Another address would be handed the key.
        redirect: 'error',
      });
      const text = response.body === null ? '' : await readStart(response.body, MAX_BYTES);
      return response.ok ? parseJson(text) : undefined;
    } catch {
      return undefined;
    }
  };
}

/** The entry of a model in a list of any of the known forms. */
function entryOf(list: unknown, model: string): unknown {
  const known = recordOf(list);
  const entries = Array.isArray(list) ? listOf(list) : listOf(known['data'] ?? known['models']);
  const names = [model, `${model}:latest`];
  return entries.find((entry) => {
    const { id, name, model: called } = recordOf(entry);
    return [id, name, called].some((one) => names.includes(textOf(one)));
  });
}

function windowIn(entry: unknown): number | null {
  const known = recordOf(entry);
  const found = WINDOW_FIELDS.map((field) => tokens(known[field])).filter((n) => n !== null);
  const provider = tokens(recordOf(known['top_provider'])['context_length']);
  const all = provider === null ? found : [...found, provider];
  return all.length === 0 ? null : Math.min(...all);
}

/** Ollama names the field after the family of the model: `llama.context_length`. */
function shown(answer: unknown): number | null {
  const info = recordOf(recordOf(answer)['model_info']);
  const field = Object.keys(info).find((name) => name.endsWith('.context_length'));
  return field === undefined ? null : tokens(info[field]);
}

const slotCount = (list: unknown): number | null =>
  Array.isArray(list) && list.length > 0 && list.every(isRecord) ? list.length : null;

/** Null: no number that can be true. */
const tokens = (value: unknown): number | null =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : null;
