/**
 * The model server that rounds are timed at. Every client has a lane of its own, which is a path. A request
 * costs the same however long its history is: the body is taken in and counted, never parsed. The clock of a
 * round runs from the last byte sent to the first of the next request, so that nobody reports on himself.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Arrival {
  /** Requests of this lane so far, this one included: the round. */
  readonly round: number;
  /** When its first byte was there. */
  readonly at: number;
  /** Since the last byte of the answer before it; null for the first. */
  readonly gapMs: number | null;
  readonly bytes: number;
  readonly body: Buffer;
}

export type Reply =
  | {
      readonly call: string;
      readonly args: Readonly<Record<string, unknown>>;
      /** Said before it, a delta each. */
      readonly words?: readonly string[];
    }
  | { readonly text: string }
  /** The connection is cut: whoever asked is gone, or is to be. */
  | null;

/** Answers one lane's requests; may wait before it does. */
export type Lane = (arrival: Arrival) => Reply | Promise<Reply>;

interface LaneState {
  readonly answer: Lane;
  round: number;
  sentAt: number | null;
}

export const MODEL = 'bench';

export class ModelServer {
  readonly #server: Server;
  readonly #lanes = new Map<string, LaneState>();

  private constructor() {
    this.#server = createServer((request, response) => {
      const at = performance.now();
      this.#serve(request, response, at).catch(() => response.destroy());
    });
    // Lanes wait for each other; nobody is to lose a connection meanwhile.
    this.#server.keepAliveTimeout = 0;
  }

  static async start(): Promise<ModelServer> {
    const server = new ModelServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  /** Returns the lane's base URL. A lane of the same name is replaced, and counts from 1. */
  open(name: string, answer: Lane): string {
    this.#lanes.set(name, { answer, round: 0, sentAt: null });
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/${name}/v1`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse, at: number): Promise<void> {
    const [, name = '', , ...path] = (request.url ?? '').split('/');
    const lane = this.#lanes.get(name);
    if (request.method === 'GET' && path[0] === 'models') {
      response.end(JSON.stringify({ object: 'list', data: [{ id: MODEL, object: 'model' }] }));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (lane === undefined) {
      response.writeHead(404).end();
      return;
    }
    const body = Buffer.concat(chunks);
    const gapMs = lane.sentAt === null ? null : at - lane.sentAt;
    lane.round += 1;
    const { round } = lane;
    const reply = await lane.answer({ round, at, gapMs, bytes: body.length, body });
    if (reply === null) {
      response.destroy();
      return;
    }
    const bytes = streamOf(reply, round);
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'content-length': bytes.length,
    });
    response.end(bytes);
    lane.sentAt = performance.now();
  }
}

/** As a streaming server frames it; sent in one piece, so that all of the reading falls into the round. */
function streamOf(reply: Exclude<Reply, null>, round: number): Buffer {
  const chunk = (delta: object, finish: string | null): object => ({
    id: `bench-${round}`,
    object: 'chat.completion.chunk',
    created: 0,
    model: MODEL,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const events =
    'text' in reply
      ? [chunk({ role: 'assistant', content: reply.text }, null), chunk({}, 'stop')]
      : [
          ...(reply.words ?? []).map((content) => chunk({ content }, null)),
          chunk({ role: 'assistant', content: null, tool_calls: [callOf(reply, round)] }, null),
          chunk({}, 'tool_calls'),
        ];
  const usage = { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 };
  const last = { ...chunk({}, null), choices: [], usage };
  const lines = [...events, last].map((event) => `data: ${JSON.stringify(event)}\n\n`);
  return Buffer.from(`${lines.join('')}data: [DONE]\n\n`);
}

const callOf = (reply: Extract<Reply, { call: string }>, round: number): object => ({
  index: 0,
  id: `call_${round}`,
  type: 'function',
  function: { name: reply.call, arguments: JSON.stringify(reply.args) },
});
