/** A real HTTP server for the model client to talk to, which behaves as badly as a test wants. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createModelClient } from '../../src/model/client.js';
import type { ModelClientOptions } from '../../src/model/client.js';
import type { ModelDelta, ModelOutcome, ModelRequest } from '../../messages/model.js';
import { MAIN_AGENT } from '../../messages/ids.js';

export interface Received {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface TestServer {
  /** Base URL, ending in /v1. */
  readonly url: string;
  readonly received: readonly Received[];
}

type Answer = (response: ServerResponse, request: Received) => void | Promise<void>;

async function readAll(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** Runs until the test is over, and then ends with every connection it has. */
export async function serve(answer: Answer): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    request.socket.setNoDelay(true);
    void readAll(request).then((body) => {
      const seen = { url: request.url ?? '', headers: request.headers, body };
      received.push(seen);
      return answer(response, seen);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/v1`, received };
}

export const EVENT_STREAM = { 'content-type': 'text/event-stream' };

export const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../fixtures/sse/${name}.sse`, import.meta.url));

export const event = (chunk: unknown): string => `data: ${JSON.stringify(chunk)}\n\n`;

export const textEvent = (content: string, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] });

/** Sends the pieces one by one, so that the other side reads them in different turns. */
export async function sendPieces(response: ServerResponse, pieces: Iterable<Uint8Array>) {
  response.writeHead(200, EVENT_STREAM);
  for (const piece of pieces) {
    response.write(piece);
    await setImmediate();
  }
  response.end();
}

export function* cutInto(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Long enough that only a test about limits ever meets one. */
const PATIENT_MS = 30_000;

export const clientFor = (url: string, options: Partial<ModelClientOptions> = {}) =>
  createModelClient({
    baseUrl: url,
    apiKey: null,
    firstTokenTimeoutMs: PATIENT_MS,
    silenceTimeoutMs: PATIENT_MS,
    version: '1.2.3',
    ...options,
  });

export const REQUEST: ModelRequest = {
  agent: MAIN_AGENT,
  model: 'test-model',
  messages: [{ role: 'user', text: 'hello', origin: 'goal' }],
  tools: [],
};

interface Asked {
  readonly outcome: ModelOutcome;
  readonly deltas: readonly ModelDelta[];
}

export async function askOnce(
  url: string,
  options: Partial<ModelClientOptions> = {},
  signal = new AbortController().signal,
): Promise<Asked> {
  const deltas: ModelDelta[] = [];
  const client = clientFor(url, options);
  const outcome = await client.ask(REQUEST, (delta) => deltas.push(delta), signal);
  return { outcome, deltas };
}
