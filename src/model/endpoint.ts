/** A model server as it was configured: its address, the key, and how both may be shown. */

export interface EndpointOptions {
  readonly baseUrl: string;
  /** Null: the server wants none. */
  readonly apiKey: string | null;
  /** The environment variable the key came from, or should come from; named in advice. */
  readonly apiKeyVariable?: string;
}

export interface Endpoint {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** The address without user name and password: the only form that is shown. */
  readonly shownUrl: string;
  /** Empty when the address cannot be read. */
  readonly host: string;
  readonly apiKey: string | null;
  readonly apiKeyVariable: string | null;
  /** Why nothing can be asked there at all; null: it can. */
  readonly problem: EndpointProblem | null;
}

export interface EndpointProblem {
  readonly kind: 'bad-request' | 'auth';
  readonly message: string;
}

/** A shorter key is a stand-in such as `none`; taking it out would garble the text around it. */
const MIN_SECRET_LENGTH = 6;

function readUrl(baseUrl: string): URL | null {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

function urlProblem(baseUrl: string, url: URL | null): string | null {
  if (url === null) {
    return `"${baseUrl}" is not an http or https address. Check --base-url.`;
  }
  return url.username === '' && url.password === ''
    ? null
    : `The base URL of ${url.host} holds a user name or password, which is not supported. Put the key into its environment variable.`;
}

/** Said here, because the error of the HTTP library would quote the key. */
function keyProblem(key: string, variable: string | undefined): string | null {
  return /^[\x21-\x7e]*$/.test(key)
    ? null
    : `The API key holds a space or another character that no key has. Check the value of ${variable ?? 'its environment variable'}.`;
}

function problemOf(url: string | null, key: string | null): EndpointProblem | null {
  if (url !== null) return { kind: 'bad-request', message: url };
  return key === null ? null : { kind: 'auth', message: key };
}

export function readEndpoint(options: EndpointOptions): Endpoint {
  const baseUrl = options.baseUrl.trim().replace(/\/+$/, '');
  const url = readUrl(baseUrl);
  // A key read from a file or a command often ends in a newline, which no header may hold.
  const key = options.apiKey?.trim() ?? '';
  return {
    baseUrl,
    shownUrl: url === null ? baseUrl : `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    host: url?.hostname ?? '',
    apiKey: key === '' ? null : key,
    apiKeyVariable: options.apiKeyVariable ?? null,
    problem: problemOf(urlProblem(baseUrl, url), keyProblem(key, options.apiKeyVariable)),
  };
}

/** Servers echo keys in their errors; nothing that is shown or kept may hold one. */
export function withoutKey(text: string, endpoint: Endpoint): string {
  const { apiKey, apiKeyVariable } = endpoint;
  if (apiKey === null || apiKey.length < MIN_SECRET_LENGTH) return text;
  return text.replaceAll(apiKey, `[redacted:${apiKeyVariable ?? 'API_KEY'}]`);
}

/**
 * Servers that take the form of the final answer beside the tools. Many others, local ones above all, would
 * then let the model write nothing else, so that it could not call a tool any more.
 */
export const takesResponseFormat = (endpoint: Endpoint): boolean =>
  endpoint.host === 'api.openai.com' || endpoint.host === 'openrouter.ai';
