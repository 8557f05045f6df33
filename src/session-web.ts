/** The web as the tools of one session see it. What it stands on is loaded when it is first used. */
import type { Environment } from '../config/home.js';
import type { WebFetch } from './tools/web-fetch.js';
import type { WebSearch } from './tools/web-search.js';
import { secretValues } from './tools/redaction.js';
import { VERSION } from './version.js';
import type { Web } from './web/web.js';

const SEARCH_VARIABLES = ['BRAVE_SEARCH_KEY', 'SERP_API_KEY', 'SEARXNG_URL'] as const;

export interface SessionWeb {
  readonly fetch: WebFetch;
  /** Null: no search service is configured, so there is no tool either. */
  readonly search: WebSearch | null;
  close(): Promise<void>;
}

export function sessionWeb(environment: Environment): SessionWeb {
  let opened: Promise<Web> | null = null;
  const open = (): Promise<Web> => (opened ??= openWeb(environment));
  const search: WebSearch = async (query, limit, signal) => {
    const web = await open();
    if (web.search !== null) return web.search(query, limit, signal);
    return { status: 'failed', reason: 'failed', text: 'Error: no search service is configured.' };
  };
  return {
    fetch: async (url, prompt, maxTokens, signal) =>
      (await open()).fetch(url, prompt, maxTokens, signal),
    search: SEARCH_VARIABLES.some((name) => (environment[name] ?? '') !== '') ? search : null,
    close: async () => {
      if (opened !== null) await (await opened).close();
    },
  };
}

async function openWeb(environment: Environment): Promise<Web> {
  const { createWeb } = await import('./web/web.js');
  return createWeb({
    environment,
    allowPrivate: [],
    allowPorts: [],
    userAgent: `ouro/${VERSION}`,
    robots: false,
    secrets: secretValues(environment),
    ask: null,
    now: () => Date.now(),
  });
}
