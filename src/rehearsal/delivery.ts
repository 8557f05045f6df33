/** Sends a prepared response at its pace, and breaks it off where a fault says so. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { refusalBody } from './refusal.js';
import type { Refusal } from './refusal.js';
import type { Pace } from './scenario.js';

export interface Delivery {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly pace: Pace;
  readonly ending: Ending;
}

export type Ending =
  | { readonly kind: 'whole' }
  /** Bytes of the body after which the connection breaks; null: half of them. */
  | { readonly kind: 'cut'; readonly after: number | null }
  /** Falls silent after so many bytes, and never ends; null: half of them. */
  | { readonly kind: 'silence'; readonly after: number | null }
  /** Never ends; with or without headers. */
  | { readonly kind: 'hang'; readonly headers: boolean };

/** Says on every response, the refused ones too, that no model has answered. */
const SCRIPTED = { 'x-ouro-scripted': '1' } as const;
export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', ...SCRIPTED };
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  ...SCRIPTED,
};
export const WHOLE: Ending = { kind: 'whole' };
const AT_ONCE: Pace = { chunk: 0, delayMs: 0, chunkDelayMs: 0 };

export const jsonDelivery = (body: object | string, status = 200): Delivery => ({
  status,
  headers: JSON_HEADERS,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  pace: AT_ONCE,
  ending: WHOLE,
});

export const refusalDelivery = (refusal: Refusal): Delivery =>
  jsonDelivery(refusalBody(refusal), refusal.status);

/**
 * True: the last byte was sent. False: it was broken off, by the script, or because the connection was
 * closed at either end; a response that hangs waits for that. Never rejects.
 */
export async function deliver(response: ServerResponse, delivery: Delivery): Promise<boolean> {
  const gone = closed(response);
  const { status, headers, pace, ending } = delivery;
  if (!(await pause(pace.delayMs, gone))) return false;
  if (ending.kind === 'hang') {
    if (ending.headers) response.writeHead(status, headers).flushHeaders();
    if (!gone.aborted) await once(gone, 'abort');
    return false;
  }
  response.writeHead(status, headers);
  const body = Buffer.from(delivery.body);
  const bytes = ending.kind === 'whole' ? body : body.subarray(0, cutAt(ending.after, body.length));
  if (!(await write(response, bytes, pace, gone))) return false;
  if (ending.kind === 'cut') {
    // Without an end of the body, so that the client sees that something is missing.
    await new Promise((resolve) => response.write('', resolve));
    response.destroy();
    return false;
  }
  if (ending.kind === 'silence') {
    if (!gone.aborted) await once(gone, 'abort');
    return false;
  }
  response.end();
  return true;
}

const cutAt = (after: number | null, length: number): number =>
  Math.min(after ?? Math.floor(length / 2), Math.max(0, length - 1));

async function write(
  response: ServerResponse,
  bytes: Buffer,
  pace: Pace,
  gone: AbortSignal,
): Promise<boolean> {
  const size = pace.chunk === 0 ? bytes.length : pace.chunk;
  for (let start = 0; start < bytes.length; start += size) {
    if (start > 0 && !(await pause(pace.chunkDelayMs, gone))) return false;
    const room = response.write(bytes.subarray(start, start + size));
    if (!room && !(await drained(response, gone))) return false;
  }
  return !gone.aborted;
}

async function drained(response: ServerResponse, gone: AbortSignal): Promise<boolean> {
  try {
    await once(response, 'drain', { signal: gone });
    return true;
  } catch {
    return false;
  }
}

/** False: the client left while we waited. */
async function pause(ms: number, gone: AbortSignal): Promise<boolean> {
  if (ms === 0) return !gone.aborted;
  try {
    await sleep(ms, undefined, { signal: gone });
    return true;
  } catch {
    return false;
  }
}

function closed(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  response.once('close', () => controller.abort());
  return controller.signal;
}
