/**
 * One GET, to an address that was judged at the moment of connecting. No redirect is followed, no proxy of
 * the environment is used, and nothing is sent but the headers that were given. Never rejects.
 */
import { once } from 'node:events';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { connectionFailure } from './connection-failure.js';
import { ACCEPTED_CODINGS, readBody } from './decoded-body.js';
import type { Ending } from './ending.js';
import { hostOf, type Gatekeeper } from './gatekeeper.js';
import { guardedLookup, Refusal, type Resolver } from './guarded-lookup.js';

export interface GetLimits {
  readonly connectMs: number;
  /** From the connection to the first byte of the answer. */
  readonly firstByteMs: number;
  /** Of the body, unpacked; what is beyond is not read. */
  readonly bytes: number;
}

export interface Head {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

export interface GetRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: GetLimits;
  /** Whether the body is worth reading; it is empty otherwise. */
  wantsBody(head: Head): boolean;
}

export type GetEnd =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** The signal; the caller knows whether that was a time limit. */
  | { readonly kind: 'aborted' }
  | Exclude<Ending, { kind: 'cancelled' }>;

export interface Answer extends Head {
  readonly body: Buffer;
  readonly truncated: boolean;
}

export type HttpGet = (request: GetRequest, signal: AbortSignal) => Promise<GetEnd>;

/** Headers beyond this are no ordinary answer. */
const MAX_HEADER_BYTES = 32 * 1024;

/** A limit ran out; travels through the socket as its error. */
class TooSlow extends Error {
  readonly afterMs: number;

  constructor(afterMs: number, what: string) {
    super(what);
    this.afterMs = afterMs;
  }
}

export function createHttpGet(gatekeeper: Gatekeeper, resolve: Resolver): HttpGet {
  return async (request, signal) => {
    if (gaveUp(signal)) return { kind: 'aborted' };
    const host = hostOf(request.url);
    // An address in the URL is connected to without any look-up, so that it is judged here.
    const reason = isIP(host) === 0 ? null : gatekeeper.refusal(request.url, host);
    if (reason !== null) return { kind: 'refused', message: reason };
    try {
      return await exchange(await open(request, gatekeeper, resolve, signal), request);
    } catch (thrown) {
      return gaveUp(signal) ? { kind: 'aborted' } : endingOf(host, thrown);
    }
  };
}

/** Asked again: it may have changed while something was waited for. */
const gaveUp = (signal: AbortSignal): boolean => signal.aborted;

type SentRequest = ReturnType<typeof watched>;

async function open(
  request: GetRequest,
  gatekeeper: Gatekeeper,
  resolve: Resolver,
  signal: AbortSignal,
): Promise<SentRequest> {
  const { url, headers, limits } = request;
  const secure = url.protocol === 'https:';
  const { request: send } = secure ? await import('node:https') : await import('node:http');
  const sent = send(url, {
    method: 'GET',
    headers: { ...headers, 'accept-encoding': ACCEPTED_CODINGS },
    // A connection of its own, closed afterwards: a kept one was judged for another moment.
    agent: false,
    lookup: guardedLookup(resolve, (address) => gatekeeper.refusal(url, address)),
    maxHeaderSize: MAX_HEADER_BYTES,
    // Whatever the environment says.
    ...(secure ? { rejectUnauthorized: true } : {}),
    signal,
  });
  return watched(sent, secure, limits);
}

/** Ends the request when it takes too long to connect or to begin its answer. */
function watched(sent: ClientRequest, secure: boolean, limits: GetLimits) {
  let timer: NodeJS.Timeout | undefined;
  const limit = (ms: number, what: string): void => {
    clearTimeout(timer);
    timer = setTimeout(() => sent.destroy(new TooSlow(ms, what)), ms);
  };
  const closed = new Promise<never>((_, reject) => {
    sent.on('error', reject);
    sent.once('close', () => {
      clearTimeout(timer);
      reject(new Error('closed without an answer'));
    });
  });
  // Those who wait for the answer hear of it; after that nobody has to.
  closed.catch(() => undefined);
  sent.once('socket', (socket) => {
    socket.once(secure ? 'secureConnect' : 'connect', () =>
      limit(limits.firstByteMs, 'it was connected, but sent no answer'),
    );
  });
  sent.once('response', () => clearTimeout(timer));
  limit(limits.connectMs, 'it could not be connected');
  return { sent, closed };
}

async function exchange({ sent, closed }: SentRequest, request: GetRequest): Promise<GetEnd> {
  try {
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.end();
    const [response] = await Promise.race([answered, closed]);
    // Whoever reads the body hears of its errors; without a reader they are of no interest.
    response.on('error', () => undefined);
    const head: Head = { status: response.statusCode ?? 0, headers: response.headers };
    if (!request.wantsBody(head)) return answeredWith(head, Buffer.alloc(0), false);
    const body = await readBody(response, request.limits.bytes);
    if (body.ok) return answeredWith(head, body.bytes, body.truncated);
    return unknownCoding(hostOf(request.url), body.coding);
  } finally {
    sent.destroy();
  }
}

const answeredWith = (head: Head, body: Buffer, truncated: boolean): GetEnd => ({
  kind: 'answered',
  answer: { ...head, body, truncated },
});

const unknownCoding = (host: string, coding: string): GetEnd => ({
  kind: 'failed',
  message: `${host}: its answer is packed as "${coding.replace(/[^\w, -]/g, '?').slice(0, 40)}", which cannot be unpacked.`,
});

function endingOf(host: string, thrown: unknown): GetEnd {
  if (thrown instanceof Refusal) return { kind: 'refused', message: thrown.message };
  if (thrown instanceof TooSlow) {
    const message = `${host}: ${thrown.message} within ${thrown.afterMs / 1000} s.`;
    return { kind: 'timeout', afterMs: thrown.afterMs, message };
  }
  return { kind: 'failed', message: connectionFailure(host, thrown) };
}
