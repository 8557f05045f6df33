/** One chat-completions request over HTTP: read it, have it answered, send the answer, note the times. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ConversationServer, refused } from './conversation-server.js';
import type { Reply } from './conversation-server.js';
import { deliver, refusalDelivery } from './delivery.js';
import type { Delivery } from './delivery.js';
import { badRequest } from './refusal.js';
import type { Refusal } from './refusal.js';
import type { RequestLog } from './request-log.js';
import type { Scenario } from './scenario.js';

/** A history of a long session is a few megabytes; real servers have a limit too. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const DEFAULT_AGENT = 'main';

interface ChatEndpointOptions {
  readonly scenario: Scenario;
  readonly model: string;
  /** Null: no key is asked for. */
  readonly apiKey: string | null;
  readonly log: RequestLog;
}

export class ChatEndpoint {
  readonly #conversations: ConversationServer;
  readonly #apiKey: string | null;
  readonly #log: RequestLog;

  constructor({ scenario, model, apiKey, log }: ChatEndpointOptions) {
    this.#conversations = new ConversationServer(scenario, model);
    this.#apiKey = apiKey;
    this.#log = log;
  }

  /** Never rejects. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const record = this.#log.open(now(), agentOf(request));
    const body = await readBody(request);
    if (body.status === 'gone') {
      this.#log.tell('broken-off', record);
      return;
    }
    const reply = this.#reply(request, body, record.agent);
    record.round = reply.round;
    record.messages = reply.messages;
    record.attempt = reply.attempt;
    record.turn = reply.turn;
    if (body.status === 'read') this.#log.keepBody(record, body.text);
    this.#log.tell('received', record);
    const sent = await deliver(response, reply.delivery);
    if (response.headersSent) record.status = reply.delivery.status;
    if (sent) {
      record.answeredAt = now();
      reply.delivered();
    }
    this.#log.tell(sent ? 'answered' : 'broken-off', record);
  }

  #reply(request: IncomingMessage, body: Body, agent: string): Reply {
    const wrongKey = keyRefusal(request, this.#apiKey);
    if (wrongKey !== null) return refused(wrongKey);
    if (body.status !== 'read') {
      const message = `The request is larger than ${MAX_BODY_BYTES} bytes.`;
      return refused({ ...badRequest(message, 'request_too_large'), status: 413 });
    }
    return this.#conversations.reply(body.text, agent);
  }
}

/** Null: the key is right, or none is asked for. */
export function unauthorised(request: IncomingMessage, apiKey: string | null): Delivery | null {
  const refusal = keyRefusal(request, apiKey);
  return refusal === null ? null : refusalDelivery(refusal);
}

/** The key that was sent is not repeated: it may be a real one, sent to the wrong server. */
function keyRefusal(request: IncomingMessage, apiKey: string | null): Refusal | null {
  if (apiKey === null || request.headers.authorization === `Bearer ${apiKey}`) return null;
  return { ...badRequest('Incorrect API key provided.', 'invalid_api_key'), status: 401 };
}

function agentOf(request: IncomingMessage): string {
  const given = request.headers['x-ouro-agent'];
  return typeof given === 'string' && given !== '' ? given : DEFAULT_AGENT;
}

type Body =
  | { readonly status: 'read'; readonly text: string }
  | { readonly status: 'too-large' }
  /** The client left before it had sent everything. */
  | { readonly status: 'gone' };

/** What is too large is read to its end, but not kept: an answer is only heard after the question. */
async function readBody(request: IncomingMessage): Promise<Body> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) chunks = [];
      else chunks.push(chunk);
    }
  } catch {
    return { status: 'gone' };
  }
  if (bytes > MAX_BODY_BYTES) return { status: 'too-large' };
  return { status: 'read', text: Buffer.concat(chunks).toString('utf8') };
}

/** Finer than a millisecond: times between requests are measured with it. */
const now = (): number => performance.timeOrigin + performance.now();
