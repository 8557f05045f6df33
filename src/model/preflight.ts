/**
 * Asks a server what models it has, which costs nothing, to find out before a session starts whether it
 * can be reached and takes the key. It refuses only what is certain: lists are often incomplete.
 */
import type { ModelError } from '../../messages/model.js';
import { readStart } from './body-text.js';
import { readEndpoint } from './endpoint.js';
import type { EndpointOptions } from './endpoint.js';
import { readErrorBody } from './error-body.js';
import { modelError, networkError, refusal } from './errors.js';
import type { Asked } from './errors.js';
import { addressOf } from './protocol.js';
import { protocolFor } from './protocols.js';
import type { EndpointSettings } from './settings.js';
import { isRecord, listOf, parseJson, recordOf, textOf } from './json-shape.js';

export interface EndpointCheck extends EndpointOptions {
  readonly model: string;
  readonly timeoutMs: number;
  readonly settings?: Pick<EndpointSettings, 'protocol' | 'headers'>;
}

export type EndpointFinding =
  | {
      readonly ok: true;
      /** Absent: the server does not tell. */
      readonly models?: readonly string[];
      /** What may go wrong later, for people. */
      readonly warning?: string;
      /** It answers, but not yet in earnest: it is overloaded, failing or still loading. */
      readonly busy?: true;
    }
  | { readonly ok: false; readonly error: ModelError };

/** The longest list seen (OpenRouter's) is about 1 MB. */
const MAX_LIST_BYTES = 16 * 1024 * 1024;
/** How many names are shown to somebody who mistyped one. */
const SHOWN_NAMES = 5;

function modelNames(text: string): readonly string[] | null {
  const json = parseJson(text);
  if (!isRecord(json)) return null;
  // Ollama's own list is of `models`, which have names.
  const list = json['data'] ?? json['models'];
  if (!Array.isArray(list)) return null;
  return listOf(list)
    .map(recordOf)
    .map((entry) => textOf(entry['id']) || textOf(entry['name']))
    .filter((name) => name !== '');
}

/** Ollama lists `name:latest` for what may be called `name`. */
const isListed = (model: string, names: readonly string[]): boolean =>
  names.includes(model) || names.includes(`${model}:latest`);

function listFinding(text: string, { endpoint, model, metadata }: Asked): EndpointFinding {
  const at = endpoint.shownUrl;
  const names = modelNames(text);
  if (names === null) {
    const warning = `${at} did not answer with a list of models. Check that --base-url is ${metadata.addressForm}.`;
    return { ok: true, warning };
  }
  if (names.length === 0 || isListed(model, names)) return { ok: true, models: names };
  const shown = names.slice(0, SHOWN_NAMES).join(', ');
  const more = names.length > SHOWN_NAMES ? `, and ${names.length - SHOWN_NAMES} more` : '';
  const warning = `${at} does not list model "${model}"; it lists ${shown}${more}. Check --model.`;
  return { ok: true, models: names, warning };
}

async function readFinding(response: Response, asked: Asked): Promise<EndpointFinding> {
  const text = response.body === null ? '' : await readStart(response.body, MAX_LIST_BYTES);
  if (response.ok) return listFinding(text, asked);
  const { status } = response;
  const error = refusal(readErrorBody(text), status, asked);
  if (status === 401 || status === 403) return { ok: false, error };
  // Not every server has a list, and one that is busy or still loading may be ready in a moment.
  if (status === 404 || status === 405) return { ok: true };
  return { ok: true, warning: error.message, ...(status >= 500 ? { busy: true } : {}) };
}

/** Must not throw; takes no longer than `timeoutMs`. */
export async function checkEndpoint(check: EndpointCheck): Promise<EndpointFinding> {
  const endpoint = readEndpoint(check);
  const { metadata, headers: headersFor } = protocolFor(endpoint.baseUrl, check.settings?.protocol);
  const asked = { endpoint, model: check.model, metadata };
  const { problem, shownUrl } = endpoint;
  if (problem !== null) return { ok: false, error: problem };
  const signal = AbortSignal.timeout(check.timeoutMs);
  try {
    const headers = { ...headersFor(endpoint), ...check.settings?.headers };
    const url = addressOf(metadata, endpoint.baseUrl, metadata.listPath);
    // Another address would be handed the key.
    const redirect = metadata.travel === 'sdk' ? 'follow' : 'error';
    return await readFinding(await fetch(url, { headers, signal, redirect }), asked);
  } catch (thrown) {
    if (!signal.aborted) return { ok: false, error: networkError(thrown, asked) };
    const message = `Cannot reach ${shownUrl}: it did not answer within ${check.timeoutMs / 1000} s. Is the server running? Check --base-url.`;
    return { ok: false, error: modelError('network', message, asked) };
  }
}
