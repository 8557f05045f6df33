/** What a server says about its own error, in one shape, from the many shapes that servers use. */
import { isRecord, listOf, parseJson, recordOf, textOf } from './json-shape.js';
import type { JsonRecord } from './json-shape.js';

export interface ErrorBody {
  /** One line; empty when the server said nothing. */
  readonly message: string;
  readonly type: string;
  readonly code: string;
}

/** Enough for any sentence a person will read; servers also send whole pages and requests back. */
const MAX_MESSAGE = 600;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE);

const wordOf = (value: unknown): string =>
  typeof value === 'number' ? String(value) : textOf(value).slice(0, MAX_MESSAGE);

/** FastAPI reports a list of fields that it did not like. */
const detailText = (detail: unknown): string =>
  textOf(detail) ||
  listOf(detail)
    .map((entry) => textOf(recordOf(entry)['msg']))
    .join('; ');

/** OpenRouter keeps the words of the provider behind it apart. */
function withMetadata(message: string, error: JsonRecord): string {
  const raw = recordOf(error['metadata'])['raw'];
  const inner = typeof raw === 'string' ? readErrorBody(raw).message : '';
  return inner === '' || inner === message ? message : `${message}: ${inner}`;
}

/** llama-server says by how much the prompt was too long. */
function withSizes(message: string, error: JsonRecord): string {
  const { n_prompt_tokens: prompt, n_ctx: window } = error;
  if (typeof prompt !== 'number' || typeof window !== 'number') return message;
  return `${message} (${prompt} tokens in a window of ${window})`;
}

/** The value of an `error` field, or a whole body that has none. */
export function errorBodyOf(value: unknown): ErrorBody {
  if (Array.isArray(value)) return errorBodyOf(value[0]);
  if (!isRecord(value)) return { message: oneLine(textOf(value)), type: '', code: '' };
  const { error } = value;
  if (isRecord(error)) return errorBodyOf(error);
  const said = textOf(value['message']) || textOf(error) || detailText(value['detail']);
  return {
    message: oneLine(withSizes(withMetadata(said, value), value)),
    type: wordOf(value['type']),
    code: wordOf(value['code']),
  };
}

function pageText(html: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1] ?? '';
  return title.trim() === '' ? 'a web page' : `a web page titled "${title.trim()}"`;
}

/** The body of an answer that was not 200. */
export function readErrorBody(text: string): ErrorBody {
  const json = parseJson(text);
  if (isRecord(json) || Array.isArray(json)) return errorBodyOf(json);
  const said = text.trimStart().startsWith('<') ? pageText(text) : text;
  return { message: oneLine(said), type: '', code: '' };
}
