/** Sorts what a server refused into kinds by what should happen next. */
import type { ModelErrorKind } from '../../messages/model.js';
import type { ErrorBody } from './error-body.js';

const OVERFLOW =
  /exceed_context_size|context_length_exceeded|maximum context length|context (window|size|length)[^.]{0,40}exceeded|exceeds?[^.]{0,40}context|(prompt|input) is too long|maximum (prompt|input) length|reduce the length of the (messages|prompt|input)/i;
const NO_MODEL =
  /\bmodel\b[^.]{0,120}(not found|does not exist|doesn't exist)|(not a valid|invalid|unknown|no such) model/i;
/** Waiting does not help: somebody has to pay. */
const UNPAID = /insufficient_quota|insufficient (credits|balance|funds)|credit balance is too low/i;
/** The model's own text was refused; asked again, it writes another. */
const FAILED_GENERATION = /tool_use_failed/;
const MODERATED = /moderation|flagged/i;

/** The status says less than the words for these; null: the words say nothing special. */
function kindOfWords(status: number | null, words: string): ModelErrorKind | null {
  if (status === 401) return null;
  if (UNPAID.test(words)) return 'auth';
  if (status === 429) return null;
  if (status === 403) return MODERATED.test(words) ? 'bad-request' : null;
  if (OVERFLOW.test(words)) return 'context-overflow';
  if (FAILED_GENERATION.test(words)) return 'server';
  return (status ?? 0) < 500 && NO_MODEL.test(words) ? 'not-found' : null;
}

function kindOfStatus(status: number): ModelErrorKind {
  switch (status) {
    case 401:
    case 402:
    case 403:
      return 'auth';
    case 404:
    case 410:
      return 'not-found';
    case 408:
    case 409:
      return 'server';
    case 413:
      return 'context-overflow';
    case 429:
      return 'rate-limit';
    case 425:
    case 503:
    case 529:
      return 'overloaded';
    default:
      return status >= 400 && status < 500 ? 'bad-request' : 'server';
  }
}

/** Errors inside a stream have no status, only names. */
function kindOfNames(names: string): ModelErrorKind {
  if (/rate.?limit/i.test(names)) return 'rate-limit';
  if (/overload|capacity|unavailable/i.test(names)) return 'overloaded';
  if (/authentication|permission|api.?key/i.test(names)) return 'auth';
  if (/not.?found/i.test(names)) return 'not-found';
  return /invalid.?request/i.test(names) ? 'bad-request' : 'server';
}

/** OpenRouter and llama-server give the HTTP status they would have answered as a code. */
function statusIn(body: ErrorBody): number | null {
  const code = Number(body.code);
  return Number.isInteger(code) && code >= 400 && code < 600 ? code : null;
}

/** `status` null: the error came inside an answer that had begun as a good one. */
export function kindOf(status: number | null, body: ErrorBody): ModelErrorKind {
  const effective = status ?? statusIn(body);
  const special = kindOfWords(effective, `${body.type} ${body.code} ${body.message}`);
  if (special !== null) return special;
  return effective === null ? kindOfNames(`${body.type} ${body.code}`) : kindOfStatus(effective);
}
