/**
 * What the tools for the web stand on: reading a page and searching. What leaves the machine holds no known
 * secret, and what comes in is bounded in size and time. Must not reject, whatever a page or server does.
 */
import type { ToolOutcome } from '../../messages/tools.js';
import { answerPage, type AskModel, type ReadPage } from './answer-page.js';
import { asOutcome, type Ending } from './ending.js';
import { createExtractor, type Extractor } from './extract.js';
import type { ExtractLimits } from './extract-bench.js';
import { createPageFetcher, type FetchedPage, type PageLimits } from './fetch-page.js';
import type { Resolver } from './guarded-lookup.js';
import { PageCache } from './page-cache.js';
import { readPageUrl } from './page-url.js';
import { createWebSearch, type WebSearch } from './search.js';
import type { SearchOrigins } from './search-engines.js';
import { secretGuard } from './secret-guard.js';

export interface WebOptions {
  /** Where `BRAVE_SEARCH_KEY`, `SERP_API_KEY` and `SEARXNG_URL` are looked for; nothing else is read. */
  readonly environment: NodeJS.ProcessEnv;
  /** Each a host, an address or a range such as `10.1.0.0/16`; with `:port`, for that port alone. */
  readonly allowPrivate: readonly string[];
  /** Ports that are open beside 80 and 443. */
  readonly allowPorts: readonly number[];
  /** Such as `ouro/0.1.0`; the part before the slash is the name that robots.txt may use. */
  readonly userAgent: string;
  readonly robots: boolean;
  /** Values that must not leave in a URL or a query. */
  readonly secrets: readonly string[];
  /** Why the session's rules do not let this URL be asked for; `isFirst`: nothing has redirected to it. */
  readonly ruledOut?: (url: URL, isFirst: boolean) => string | null;
  /** The small model that reads pages; null: there is none. */
  readonly ask: AskModel | null;
  readonly now: () => number;
  readonly resolve?: Resolver;
  readonly pageLimits?: Partial<PageLimits>;
  readonly extractLimits?: Partial<ExtractLimits>;
  readonly searchOrigins?: SearchOrigins;
  readonly searchSpacingMs?: number;
}

export interface Web {
  readonly fetch: (
    url: string,
    prompt: string,
    maxTokens: number,
    signal: AbortSignal,
  ) => Promise<ToolOutcome>;
  /** Null: no search service is configured. */
  readonly search: WebSearch | null;
  /** Ends the worker; what still waits for it ends too. */
  close(): Promise<void>;
}

const TRUNCATED_NOTE = 'it is longer than what is read of a page, and the rest is missing';

export function createWeb(options: WebOptions): Web {
  const { environment, now } = options;
  const { BRAVE_SEARCH_KEY: brave = '', SERP_API_KEY: serp = '' } = environment;
  const holdsSecret = secretGuard([...options.secrets, brave, serp]);
  const fetcher = createPageFetcher({
    ...options,
    ...(options.pageLimits === undefined ? {} : { limits: options.pageLimits }),
    // Secrets first: what rules say may quote the URL.
    refusal: (url, isFirst) =>
      holdsSecret(url.href)
        ? 'the URL holds a secret of this machine, and is not asked for.'
        : (options.ruledOut?.(url, isFirst) ?? null),
  });
  const extractor = createExtractor(options.extractLimits);
  const cache = new PageCache<ReadPage>(now);

  const remembered = (url: string): ReadPage | null => {
    const asked = readPageUrl(url);
    return asked.ok ? cache.get(asked.url.href) : null;
  };
  const read = async (url: string, signal: AbortSignal): Promise<ReadPage | Ending> => {
    const asked = readPageUrl(url);
    const fetched = await fetcher.fetch(url, signal);
    if (!fetched.ok) return fetched.why;
    const page = await asMarkdown(fetched.page, extractor, signal);
    if (page === null) return { kind: 'cancelled' };
    if (asked.ok) cache.put(asked.url.href, page, Buffer.byteLength(page.markdown));
    return page;
  };

  const search = createWebSearch({
    ...options,
    ...(options.searchOrigins === undefined ? {} : { origins: options.searchOrigins }),
    ...(options.searchSpacingMs === undefined ? {} : { spacingMs: options.searchSpacingMs }),
    holdsSecret,
  });

  return {
    async fetch(url, prompt, maxTokens, signal) {
      const known = remembered(url);
      const page = known ?? (await read(url, signal));
      if ('kind' in page) return asOutcome(page);
      const answer = await answerPage(page, prompt, maxTokens, options.ask, signal);
      if (!signal.aborted) return { status: 'ok', ...answer, ...(known && { cached: true }) };
      // What was paid is paid, whether or not anybody wants it still.
      const { modelUse } = answer;
      return { ...asOutcome({ kind: 'cancelled' }), ...(modelUse && { modelUse }) };
    },
    search: search === null ? null : remembering(search, now),
    close: () => extractor.close(),
  };
}

/** The same question again is answered from memory, for as long as a page would be. */
function remembering(search: WebSearch, now: () => number): WebSearch {
  const found = new PageCache<ToolOutcome>(now);
  return async (query, limit, signal) => {
    const asked = `${limit} ${query.trim()}`;
    const known = found.get(asked);
    if (known?.status === 'ok') return { ...known, cached: true };
    const outcome = await search(query, limit, signal);
    if (outcome.status === 'ok') found.put(asked, outcome, Buffer.byteLength(outcome.text));
    return outcome;
  };
}

/** Null: the signal aborted. */
async function asMarkdown(
  { url, html, text, truncated }: FetchedPage,
  extractor: Extractor,
  signal: AbortSignal,
): Promise<ReadPage | null> {
  const extracted = html
    ? await extractor.extract(text, url, signal)
    : { title: '', markdown: text.trim(), note: null };
  if (extracted === null) return null;
  const notes = [truncated ? TRUNCATED_NOTE : null, extracted.note].filter((note) => note !== null);
  return { url, title: extracted.title, markdown: extracted.markdown, notes };
}
