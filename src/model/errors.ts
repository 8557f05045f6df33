/** Turns whatever a request ended in into a `ModelError`: a kind, and words that say what to do. */
import type { ModelError, ModelErrorKind } from '../../messages/model.js';
import { withoutKey } from './endpoint.js';
import type { Endpoint } from './endpoint.js';
import type { ProtocolMetadata } from './protocol.js';
import { errorBodyOf } from './error-body.js';
import type { ErrorBody } from './error-body.js';
import { kindOf } from './error-kind.js';
import { recordOf } from './json-shape.js';
import { networkCause } from './network-cause.js';
import { retryAfterMs } from './retry-after.js';

/** What was asked of whom; the messages name both. */
export interface Asked {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly metadata: Pick<ProtocolMetadata, 'chatPath' | 'addressForm'>;
}

/** The server reported an error inside an answer that had begun as a good one. */
export class ServerFault extends Error {
  readonly error: unknown;

  constructor(error: unknown) {
    super('the server reported an error in its answer');
    this.error = error;
  }
}

/** What came is not an answer that this protocol knows. The message completes "URL sent …". */
export class ForeignAnswer extends Error {}

/** An error whose words are made already; the key is taken out of them. */
export function modelError(
  kind: ModelErrorKind,
  message: string,
  asked: Asked,
  more: Pick<ModelError, 'httpStatus' | 'retryAfterMs'> = {},
): ModelError {
  return { kind, message: withoutKey(message, asked.endpoint), ...more };
}

function keyAdvice({ apiKey, apiKeyVariable }: Endpoint): string {
  const name = apiKeyVariable ?? 'the environment variable of the API key';
  return apiKey === null ? `Set ${name} to a valid key.` : `Check the value of ${name}.`;
}

function authText({ endpoint }: Asked, status: number | null, said: string): string {
  const at = endpoint.shownUrl;
  if (status === 401 || status === 403) {
    const refusal = endpoint.apiKey === null ? 'wants an API key' : 'did not accept the API key';
    return `${at} ${refusal}${said}. ${keyAdvice(endpoint)}`;
  }
  return `${at} refused the account${said}. Check the credit and the key with the provider.`;
}

/** One sentence for what happened, one for what to try. */
function refusalText(
  kind: ModelErrorKind,
  asked: Asked,
  status: number | null,
  said: string,
): string {
  const at = asked.endpoint.shownUrl;
  switch (kind) {
    case 'auth':
      return authText(asked, status, said);
    case 'not-found':
      return `${at} has no model "${asked.model}", or is not the right address${said}. Check --model and --base-url (it ends where ${asked.metadata.chatPath} begins).`;
    case 'bad-request':
      return `${at} refused the request${said}. Check that model "${asked.model}" can use tools, or choose another with --model.`;
    case 'context-overflow':
      return `The conversation is too long for model "${asked.model}" at ${at}${said}. Use a model with a larger window.`;
    case 'rate-limit':
      return `${at} limits how much may be asked${said}. Wait, or use another model or endpoint.`;
    case 'overloaded':
      return `${at} is too busy to answer${said}. Try again in a while.`;
    default:
      return `${at} failed${said}. Try again; if it is your own server, look at its log.`;
  }
}

/** The server's refusal, with its own words in brackets. `status` null: it came inside the answer. */
export function refusal(
  body: ErrorBody,
  status: number | null,
  asked: Asked,
  waitMs?: number,
): ModelError {
  const kind = kindOf(status, body);
  const words = body.message === '' ? body.code || body.type : body.message;
  const said = [status === null ? '' : String(status), words.replace(/[.\s]+$/, '')]
    .filter((part) => part !== '')
    .join(': ');
  const message = refusalText(kind, asked, status, said === '' ? '' : ` (${said})`);
  return modelError(kind, message, asked, {
    ...(status === null ? {} : { httpStatus: status }),
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  });
}

/** Node's own limits on a silent connection; ours are in force where these could be lifted. */
const NODE_STALLED = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

export function networkError(thrown: unknown, asked: Asked): ModelError {
  const { code, happened, advice } = networkCause(thrown);
  const at = asked.endpoint.shownUrl;
  if (NODE_STALLED.includes(code)) {
    return modelError('stalled', `${at} was silent until the connection was given up.`, asked);
  }
  const named = code === '' || happened.includes(code) ? happened : `${happened} (${code})`;
  return modelError('network', `Cannot reach ${at}: ${named}. ${advice}`, asked);
}

/** The parts of the SDK's `APIError` that say what it was; it throws one for each of these endings. */
interface SdkError {
  readonly status: number | null;
  readonly error: unknown;
  readonly headers: Headers | null;
}

function readSdkError(thrown: Error): SdkError {
  const { status, error, headers } = recordOf(thrown);
  return {
    status: typeof status === 'number' ? status : null,
    error,
    headers: headers instanceof Headers ? headers : null,
  };
}

/** Whether the connection failed, rather than the server having said something. */
export const isConnectionFailure = (thrown: unknown): boolean =>
  !(thrown instanceof ForeignAnswer) &&
  !(thrown instanceof SyntaxError) &&
  !(
    thrown instanceof Error &&
    (readSdkError(thrown).status !== null || readSdkError(thrown).error !== undefined)
  );

/** Must not throw. `now` is the time that dates in headers are compared with. */
export function errorOf(thrown: unknown, asked: Asked, now: number): ModelError {
  const at = asked.endpoint.shownUrl;
  if (thrown instanceof ForeignAnswer) {
    const advice = `Check that --base-url is ${asked.metadata.addressForm}.`;
    return modelError('server', `${at} sent ${thrown.message}. ${advice}`, asked);
  }
  if (thrown instanceof SyntaxError) {
    return modelError('server', `${at} sent a broken stream: ${thrown.message}.`, asked);
  }
  if (isConnectionFailure(thrown) || !(thrown instanceof Error)) return networkError(thrown, asked);
  const { status, error, headers } = readSdkError(thrown);
  const waitMs = headers === null ? undefined : retryAfterMs(headers, now);
  return refusal(errorBodyOf(error), status, asked, waitMs);
}
