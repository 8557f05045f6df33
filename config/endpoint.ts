/** Addresses of model servers: which are acceptable, and where one comes from when none is configured. */
import type { Environment } from './home.js';

const OLLAMA_PORT = '11434';

export const ENDPOINT_FORM =
  'an http or https address such as "http://127.0.0.1:11434/v1", without user name, password, query or fragment';

/** Credentials in an address would end up in logs and error messages. */
export function isEndpoint(text: string): boolean {
  const url = parsed(text);
  if (url === null || !/^https?:\/\//i.test(text)) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

/** One slash less to trip over when paths are appended. */
export const trimmedEndpoint = (text: string): string => text.replace(/\/+$/, '');

interface FoundEndpoint {
  readonly url: string;
  readonly variable: string;
}

/** What other programs' variables say: `OPENAI_BASE_URL`, then `OLLAMA_HOST`. Null: nothing. */
export function endpointFromEnvironment(env: Environment): FoundEndpoint | null {
  const openai = env['OPENAI_BASE_URL'];
  if (openai !== undefined && openai !== '') return { url: openai, variable: 'OPENAI_BASE_URL' };
  const ollama = env['OLLAMA_HOST'];
  if (ollama !== undefined && ollama !== '')
    return { url: ollamaEndpoint(ollama), variable: 'OLLAMA_HOST' };
  return null;
}

/** `host`, `host:port`, `:port` or an address, as Ollama itself reads it; returned as is if it is none of them. */
function ollamaEndpoint(text: string): string {
  const hasScheme = /^https?:\/\//i.test(text);
  const bare = text.startsWith(':') ? `127.0.0.1${text}` : text;
  const url = parsed(hasScheme ? text : `http://${bare}`);
  if (url === null) return text;
  // With a scheme a missing port is the scheme's own, without one it is Ollama's.
  if (!hasScheme && !/:\d+(\/|$)/.test(bare.replace(/^\[[^\]]*\]/, ''))) url.port = OLLAMA_PORT;
  // What a server binds to is no address to connect to.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/v1') ? path : `${path}/v1`;
  return url.href;
}

/** Whether the server is on this machine. Judged by name only: good for limits and prices, not for trust. */
export function isLocal(baseUrl: string): boolean {
  const host = parsed(baseUrl)?.hostname.replace(/\.$/, '').toLowerCase();
  if (host === undefined) return false;
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return /^(127(\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/.test(
    host,
  );
}

function parsed(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
