/**
 * The embedded model server: chat completions over HTTP on loopback, driven by a scenario. It can be killed
 * and started again in the middle of a conversation. Every response says that it is scripted.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ChatEndpoint, unauthorised } from './chat-endpoint.js';
import { deliver, jsonDelivery, refusalDelivery } from './delivery.js';
import type { Delivery } from './delivery.js';
import { badRequest } from './refusal.js';
import { RequestLog } from './request-log.js';
import type { RecordedRequest, RehearsalListener } from './request-log.js';
import type { Scenario } from './scenario.js';

export interface RehearsalOptions {
  readonly scenario: Scenario;
  /** 0, the default: any free one. */
  readonly port?: number;
  /** When set, every request must carry it. */
  readonly apiKey?: string;
}

export interface RehearsalServer {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** The newest chat requests, oldest first; grows while the server runs. */
  readonly requests: readonly RecordedRequest[];
  /** Returns how to stop listening. */
  on(listener: RehearsalListener): () => void;
  /** Breaks off what is under way. May be called again. */
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
/** A session may be held for a while between rounds; a connection closed meanwhile would look like a fault. */
const KEEP_ALIVE_MS = 600_000;

/** Rejects when the port cannot be had. */
export async function startRehearsal(options: RehearsalOptions): Promise<RehearsalServer> {
  const model = `scripted/${options.scenario.name}`;
  const log = new RequestLog();
  const apiKey = options.apiKey ?? null;
  const chat = new ChatEndpoint({ scenario: options.scenario, model, apiKey, log });
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true });
  server.on('request', (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (path === '/v1/chat/completions' && request.method === 'POST') {
      void chat.serve(request, response);
      return;
    }
    request.resume();
    const reply = unauthorised(request, apiKey) ?? listing(model, request.method, path);
    void deliver(response, reply);
  });
  server.listen(options.port ?? 0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://${LOOPBACK}:${port}/v1`,
    model,
    requests: log.requests,
    on: (listener) => log.on(listener),
    close: () => shut(server),
  };
}

async function shut(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

function listing(model: string, method: string | undefined, path: string): Delivery {
  if (path === '/v1/models' && method === 'GET') {
    const entry = { id: model, object: 'model', created: 0, owned_by: 'ouro-rehearsal' };
    return jsonDelivery({ object: 'list', data: [entry] });
  }
  const served = 'POST /v1/chat/completions and GET /v1/models';
  const message = `${method ?? ''} ${path} is not served here; there are ${served}`;
  return refusalDelivery({ ...badRequest(message), status: 404 });
}
