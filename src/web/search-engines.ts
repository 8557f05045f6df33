/** The search services that can be asked, each used when the operator's environment configures it. */

import { readPageUrl } from './page-url.js';

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

export interface SearchEngine {
  readonly name: string;
  /** Why it cannot be asked at all; null: it can. */
  readonly problem: string | null;
  /** What must not be shown to anyone; null: there is no key. */
  readonly key: string | null;
  /** A host that may be in a private network, because the operator named it. */
  readonly host: string | null;
  request(query: string, limit: number): SearchRequest;
  /** What is found in an answer, in its order; null: it is no answer to a search. */
  read(answer: object): readonly SearchHit[] | null;
  /** What else a refusal can mean. */
  readonly advice: string;
}

export interface SearchRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where the public services are; others in tests. */
export interface SearchOrigins {
  readonly brave: string;
  readonly serp: string;
}

export const SEARCH_ORIGINS: SearchOrigins = {
  brave: 'https://api.search.brave.com',
  serp: 'https://serpapi.com',
};

/** The first that is configured; null: none is. */
export function configuredEngine(
  environment: NodeJS.ProcessEnv,
  origins: SearchOrigins,
): SearchEngine | null {
  const {
    BRAVE_SEARCH_KEY: brave = '',
    SERP_API_KEY: serp = '',
    SEARXNG_URL: own = '',
  } = environment;
  if (brave.trim() !== '') return braveSearch(brave.trim(), origins.brave);
  if (serp.trim() !== '') return serpApi(serp.trim(), origins.serp);
  return own.trim() === '' ? null : searxng(own.trim());
}

const braveSearch = (key: string, origin: string): SearchEngine => ({
  name: 'Brave Search',
  problem: null,
  key,
  host: null,
  advice: 'check the key in BRAVE_SEARCH_KEY',
  request: (query, limit) => ({
    url: withQuery(new URL('/res/v1/web/search', origin), { q: query, count: String(limit) }),
    headers: { 'x-subscription-token': key },
  }),
  // Nothing found: the answer has no such part at all.
  read: (answer) => hits(at(at(answer, 'web') ?? {}, 'results') ?? [], 'url', 'description'),
});

const serpApi = (key: string, origin: string): SearchEngine => ({
  name: 'SerpApi',
  problem: null,
  key,
  host: null,
  advice: 'check the key in SERP_API_KEY',
  request: (query, limit) => ({
    url: withQuery(new URL('/search.json', origin), {
      engine: 'google',
      q: query,
      num: String(limit),
      // The one place where this service looks for it.
      api_key: key,
    }),
    headers: {},
  }),
  read: (answer) => hits(at(answer, 'organic_results') ?? [], 'link', 'snippet'),
});

const SEARXNG_FORM =
  'SEARXNG_URL must be the http(s) address of a SearXNG instance, without a user name or password';

/** One with a wrong address is an engine too: it says so, rather than seem not to be configured. */
function searxng(address: string): SearchEngine {
  const given = readPageUrl(address);
  const base = given.ok ? given.url : new URL('http://searxng.invalid');
  const folder = base.pathname.replace(/\/*$/, '/');
  return {
    name: 'SearXNG',
    problem: given.ok ? null : SEARXNG_FORM,
    key: null,
    host: base.host,
    advice: 'its settings.yml must list json under search.formats',
    request: (query) => ({
      url: withQuery(new URL(`${folder}search`, base), { q: query, format: 'json' }),
      headers: {},
    }),
    read: (answer) => hits(at(answer, 'results'), 'url', 'content'),
  };
}

function withQuery(url: URL, query: Readonly<Record<string, string>>): URL {
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;

const wordsAt = (value: unknown, key: string): string => {
  const words = at(value, key);
  return typeof words === 'string' ? words : '';
};

const hits = (list: unknown, url: string, snippet: string): readonly SearchHit[] | null =>
  Array.isArray(list)
    ? list.map((entry: unknown) => ({
        title: wordsAt(entry, 'title'),
        url: wordsAt(entry, url),
        snippet: wordsAt(entry, snippet),
      }))
    : null;
