/** Real servers on loopback, and fetchers that may reach them. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import {
  createPageFetcher,
  type PageFetcher,
  type PageFetcherOptions,
} from '../../src/web/fetch-page.js';

export const NEVER = new AbortController().signal;

export interface Site {
  /** Such as `127.0.0.1:4711`. */
  readonly host: string;
  readonly port: number;
  url(path?: string): string;
  /** The paths that were asked for, in order. */
  readonly asked: readonly string[];
}

/** Closed when the test is over, with whatever is still connected. */
export async function serve(listener: RequestListener): Promise<Site> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '');
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return { host, port, asked, url: (path = '/') => `http://${host}${path}` };
}

/** Says the same to everybody. */
export const says =
  (body: string | Buffer, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', ...headers }).end(body);
  };

export const redirectsTo =
  (location: string, status = 302): RequestListener =>
  (_, response) => {
    response.writeHead(status, { location }).end();
  };

export const fetcher = (options: Partial<PageFetcherOptions> = {}): PageFetcher =>
  createPageFetcher({
    allowPrivate: ['127.0.0.1'],
    allowPorts: [],
    userAgent: 'ouro/1.0',
    robots: false,
    refusal: () => null,
    now: Date.now,
    ...options,
  });

/** A fetcher that may reach these sites, and nothing else that is private. */
export const fetcherFor = (
  sites: readonly Site[],
  options: Partial<PageFetcherOptions> = {},
): PageFetcher => fetcher({ allowPrivate: sites.map(({ host }) => host), ...options });
