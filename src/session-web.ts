/** The web as the tools of one session see it. What it stands on is loaded when it is first used. */
import type { ModelClient, PermissionJudge } from '../actors/ports.js';
import type { Environment } from '../config/home.js';
import type { Config } from '../config/settings.js';
import type { SessionSpec } from '../messages/session.js';
import { pageReader } from './page-reader.js';
import type { WebFetch } from './tools/web-fetch.js';
import type { WebSearch } from './tools/web-search.js';
import { secretValues } from './tools/redaction.js';
import { VERSION } from './version.js';
import type { Web } from './web/web.js';

const SEARCH_VARIABLES = ['BRAVE_SEARCH_KEY', 'SERP_API_KEY', 'SEARXNG_URL'] as const;

/** From the model's first token to the end of its answer: 2,000 tokens at somewhat more than 30 a second. */
const ANSWER_MS = 60_000;

/** To turn the page into text, and to hand out the page where the model is too slow. */
const MARGIN_MS = 20_000;

export interface SessionWebParts {
  readonly env: Environment;
  readonly config: Pick<Config, 'model' | 'web'>;
  readonly spec: Pick<SessionSpec, 'model' | 'workspace'>;
  /** The session's own: pages are read by a model of the same server. */
  readonly model: ModelClient;
  readonly judge: PermissionJudge;
}

export interface SessionWeb {
  readonly fetch: WebFetch;
  /** For fetching and reading together, so that each part can come to its own end. */
  readonly fetchLimitMs: number;
  /** Null: no search service is configured, so there is no tool either. */
  readonly search: WebSearch | null;
  close(): Promise<void>;
}

export function sessionWeb(parts: SessionWebParts): SessionWeb {
  const { env, config } = parts;
  let opened: Promise<Web> | null = null;
  const open = (): Promise<Web> => (opened ??= openWeb(parts));
  const search: WebSearch = async (query, limit, signal) => {
    const web = await open();
    if (web.search !== null) return web.search(query, limit, signal);
    return { status: 'failed', reason: 'failed', text: 'Error: no search service is configured.' };
  };
  return {
    fetch: async (url, prompt, maxTokens, signal) =>
      (await open()).fetch(url, prompt, maxTokens, signal),
    fetchLimitMs: config.web.timeoutMs + readingMs(config) + MARGIN_MS,
    search: SEARCH_VARIABLES.some((name) => (env[name] ?? '') !== '') ? search : null,
    close: async () => {
      if (opened !== null) await (await opened).close();
    },
  };
}

const readingMs = ({ model }: SessionWebParts['config']): number =>
  model.firstTokenTimeoutMs + ANSWER_MS;

async function openWeb({ env, config, spec, model, judge }: SessionWebParts): Promise<Web> {
  const { createWeb } = await import('./web/web.js');
  const { privateHosts, ports, robots, maxBytes, timeoutMs } = config.web;
  const name = config.model.small ?? spec.model;
  return createWeb({
    environment: env,
    allowPrivate: privateHosts,
    allowPorts: ports,
    userAgent: `ouro/${VERSION}`,
    robots,
    secrets: secretValues(env),
    ruledOut: ruledOut(judge, spec.workspace),
    ask: pageReader({ model, name, limitMs: readingMs(config) }),
    now: () => Date.now(),
    pageLimits: { bytes: maxBytes, totalMs: timeoutMs },
  });
}

/**
 * The call was judged by the address as the model wrote it, and a person may have allowed that: the first
 * hop is stopped only by what nobody can allow. What a server redirects to has been shown to nobody.
 */
export const ruledOut =
  (judge: PermissionJudge, workspace: string) =>
  ({ href }: URL, isFirst: boolean): string | null => {
    const request = { tool: 'web_fetch', effect: 'read', subject: href, cwd: workspace } as const;
    const verdict = judge.judge(request);
    if (verdict.allowed || (isFirst && verdict.ask === true)) return null;
    return isFirst ? verdict.text : `redirected to another address. ${verdict.text}`;
  };
