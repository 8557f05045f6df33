/** How requests travel: Node's fetch without its own time limits, and with bounded error bodies. */
import type { EventReader } from './answer.js';
import { readStart } from './body-text.js';
import { readErrorBody } from './error-body.js';
import type { JsonRecord } from './json-shape.js';

/** A request on its way. */
export interface Wire {
  readonly path: string;
  readonly body: JsonRecord;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface Transport {
  /** Loads what the first request would have to load. */
  warm(): Promise<void>;
  /** Resolves with a success whose body is still to be read. Throws what `errorOf` understands. */
  send(wire: Wire): Promise<{ readonly response: Response; readonly readEvents: EventReader }>;
}

/** Enough for every error that says something; a hostile server could send without end. */
const MAX_ERROR_BYTES = 64 * 1024;

type Dispatcher = NonNullable<RequestInit['dispatcher']>;

/** Where fetch keeps its connections; shared by all versions of its library. */
const FETCH_CONNECTIONS = Symbol.for('undici.globalDispatcher.1');

/**
 * Connections that may be silent for as long as our own limits allow: Node gives up after 300 s, and a
 * local model may think longer than that about a long prompt. Undefined: this Node does not offer it, and
 * its limits stay in force beside ours.
 */
function patientConnections(): Dispatcher | undefined {
  // Asking for it loads fetch, which then has its connections.
  if (typeof Response === 'undefined') return undefined;
  const shared = (globalThis as Record<symbol, unknown>)[FETCH_CONNECTIONS];
  if (typeof shared !== 'object' || shared === null) return undefined;
  try {
    const Agent = shared.constructor as new (options: object) => Dispatcher;
    return new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  } catch {
    return undefined;
  }
}

/** The same refusal with its body read and in one shape, so that the SDK passes all of it on. */
async function readRefusal(refused: Response): Promise<Response> {
  const body = refused.body === null ? '' : await readStart(refused.body, MAX_ERROR_BYTES);
  const error = readErrorBody(body);
  // These may not have a body, and nothing good can be said about them either.
  const status = refused.status === 304 ? 502 : refused.status;
  return new Response(JSON.stringify({ error }), { status, headers: refused.headers });
}

/** A `fetch` for the SDK. Idle connections do not keep the process alive. */
export function createFetch(): typeof fetch {
  const dispatcher = patientConnections();
  const patience = dispatcher === undefined ? {} : { dispatcher };
  return async (input, init) => {
    const response = await fetch(input, { ...init, ...patience });
    return response.ok ? response : readRefusal(response);
  };
}
