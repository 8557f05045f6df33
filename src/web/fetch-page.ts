/**
 * Fetches the text of one page. Every hop is judged again: the URL, the address it resolves to and, where
 * wanted, the site's rules for robots. Sends no cookies and no keys. Never rejects.
 */
import { startDeadline } from './deadline.js';
import { failed, refused, type Ending } from './ending.js';
import { follow, type Followed, type Route, type Stopped } from './follow.js';
import { createGatekeeper } from './gatekeeper.js';
import { systemResolver, type Resolver } from './guarded-lookup.js';
import { createHttpGet, type Answer, type GetLimits, type HttpGet } from './http-get.js';
import { isHtml, isReadable, readMediaType } from './media-type.js';
import { pageText } from './page-text.js';
import { readPageUrl } from './page-url.js';
import { ROBOTS_BYTES, RobotsMemory, rulesFrom } from './robots.js';

export interface PageFetcherOptions {
  /** Each a host, an address or a range such as `10.1.0.0/16`; with `:port`, for that port alone. */
  readonly allowPrivate: readonly string[];
  /** Ports that are open beside 80 and 443. */
  readonly allowPorts: readonly number[];
  readonly userAgent: string;
  /** Whether to do what a site's robots.txt asks. */
  readonly robots: boolean;
  /** Why this URL must not be asked for; called at every hop. `isFirst`: nothing has redirected to it. */
  readonly refusal: (url: URL, isFirst: boolean) => string | null;
  readonly now: () => number;
  readonly resolve?: Resolver;
  readonly limits?: Partial<PageLimits>;
}

export interface PageLimits extends GetLimits {
  /** For everything: all hops, and the rules for robots. */
  readonly totalMs: number;
  readonly redirects: number;
}

/** What a person at a browser would wait for, and more than a model can read. */
const PAGE_LIMITS: PageLimits = {
  connectMs: 10_000,
  firstByteMs: 20_000,
  totalMs: 30_000,
  bytes: 5_000_000,
  redirects: 5,
};

const ACCEPT =
  'text/markdown, text/html;q=0.9, text/plain;q=0.8, application/json;q=0.8, text/*;q=0.7, application/xml;q=0.7';

export interface FetchedPage {
  /** Where it was found in the end. */
  readonly url: string;
  readonly html: boolean;
  readonly text: string;
  /** It went on beyond the limit. */
  readonly truncated: boolean;
}

export type PageEnd =
  { readonly ok: true; readonly page: FetchedPage } | { readonly ok: false; readonly why: Ending };

export interface PageFetcher {
  /** Must not reject. */
  fetch(url: string, caller: AbortSignal): Promise<PageEnd>;
}

export function createPageFetcher(options: PageFetcherOptions): PageFetcher {
  const limits = { ...PAGE_LIMITS, ...options.limits };
  const get = createHttpGet(createGatekeeper(options), options.resolve ?? systemResolver);
  const robots = new RobotsMemory(options.now);
  return {
    async fetch(text, caller) {
      const read = readPageUrl(text);
      if (!read.ok) return { ok: false, why: refused(read.message) };
      const deadline = startDeadline(caller, limits.totalMs);
      const route = pageRoute(options, limits, { get, robots, signal: deadline.signal });
      const followed = await follow(get, read.url, route, deadline.signal);
      deadline.end();
      if (followed.ok) return asPage(followed.url, followed.answer);
      return { ok: false, why: ended(followed.why, caller, read.url, limits.totalMs) };
    },
  };
}

interface Under {
  readonly get: HttpGet;
  readonly robots: RobotsMemory;
  readonly signal: AbortSignal;
}

function pageRoute(options: PageFetcherOptions, limits: PageLimits, under: Under): Route {
  const headers = { 'user-agent': options.userAgent, accept: ACCEPT };
  const permitted = (url: URL, isFirst: boolean): Promise<Stopped | null> => {
    const reason = options.refusal(url, isFirst);
    return Promise.resolve(reason === null ? null : refused(reason));
  };
  const rulesRoute: Route = {
    headers,
    limits: { ...limits, bytes: ROBOTS_BYTES },
    redirects: limits.redirects,
    check: permitted,
    wantsBody: ({ status }) => isSuccess(status),
  };
  return {
    ...rulesRoute,
    limits,
    check: async (url, isFirst) =>
      (await permitted(url, isFirst)) ??
      (options.robots ? robotRefusal(url, rulesRoute, options.userAgent, under) : null),
    wantsBody: ({ status, headers: given }) =>
      isSuccess(status) && isReadable(readMediaType(given['content-type'])),
  };
}

async function robotRefusal(
  url: URL,
  route: Route,
  userAgent: string,
  { get, robots, signal }: Under,
): Promise<Stopped | null> {
  let rules = robots.get(url.origin);
  if (rules === null) {
    const followed: Followed = await follow(get, new URL('/robots.txt', url), route, signal);
    if (!followed.ok) return followed.why;
    rules = await rulesFrom(url.origin, followed.answer, userAgent);
    robots.put(url.origin, rules);
  }
  const reason = rules.refusal(url);
  return reason === null ? null : refused(reason);
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

async function asPage(url: URL, { status, headers, body, truncated }: Answer): Promise<PageEnd> {
  if (!isSuccess(status)) {
    const { STATUS_CODES } = await import('node:http');
    const words = STATUS_CODES[status];
    return no(
      `${url.host} answers with status ${status}${words === undefined ? '' : ` (${words})`}.`,
    );
  }
  const mediaType = readMediaType(headers['content-type']);
  const text = isReadable(mediaType) ? pageText(body, mediaType) : null;
  if (text === null) {
    const kind = isReadable(mediaType) ? 'binary data' : mediaType.name;
    return no(`what is there is ${kind}: only text, HTML, Markdown, JSON and XML are read.`);
  }
  return { ok: true, page: { url: url.href, html: isHtml(mediaType, text), text, truncated } };
}

const no = (message: string): PageEnd => ({ ok: false, why: failed(message) });

function ended(why: Stopped, caller: AbortSignal, url: URL, totalMs: number): Ending {
  if (why.kind !== 'aborted') return why;
  if (caller.aborted) return { kind: 'cancelled' };
  const message = `${url.host}: the page was not complete within ${totalMs / 1000} s.`;
  return { kind: 'timeout', afterMs: totalMs, message };
}
