/** A real HTTP server on loopback that answers JSON requests, for as long as a test runs. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface JsonServer {
  /** Without a path. */
  readonly root: string;
  readonly asked: readonly Asked[];
}

export type Respond = (asked: Asked, response: ServerResponse) => void;

export async function jsonServer(respond: Respond): Promise<JsonServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      const body = text === '' ? {} : (JSON.parse(text) as Asked['body']);
      const { method = '', url = '', headers } = request;
      const one = { method, path: url, headers, body };
      asked.push(one);
      respond(one, response);
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
  return { root: `http://127.0.0.1:${port}`, asked };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Written in pieces of this size, so that no reader may count on whole lines. */
const PIECE = 11;

export function sendText(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { 'content-type': type });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += PIECE) response.write(bytes.subarray(at, at + PIECE));
  response.end();
}
