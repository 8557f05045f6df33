/**
 * Searches the web with the service that the operator configured: one question at a time, a second apart.
 * The service's key is sent to that service alone, and is in no text that comes from here. Never rejects.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolOutcome } from '../../messages/tools.js';
import { orAborted, startDeadline } from './deadline.js';
import { asOutcome, failed, refused, type Ending } from './ending.js';
import { createGatekeeper } from './gatekeeper.js';
import { systemResolver, type Resolver } from './guarded-lookup.js';
import { createHttpGet, type Answer, type GetLimits, type HttpGet } from './http-get.js';
import {
  configuredEngine,
  SEARCH_ORIGINS,
  type SearchEngine,
  type SearchOrigins,
} from './search-engines.js';
import { searchResults } from './search-results.js';
import type { HoldsSecret } from './secret-guard.js';
import { createTurns } from './turns.js';

export interface WebSearchOptions {
  /** Where the keys and addresses of the services are. */
  readonly environment: NodeJS.ProcessEnv;
  readonly allowPrivate: readonly string[];
  readonly userAgent: string;
  readonly holdsSecret: HoldsSecret;
  readonly now: () => number;
  readonly resolve?: Resolver;
  readonly origins?: SearchOrigins;
  readonly spacingMs?: number;
}

/** Must not reject. */
export type WebSearch = (query: string, limit: number, signal: AbortSignal) => Promise<ToolOutcome>;

/** The least that the services ask for. */
const SPACING_MS = 1000;

const TOTAL_MS = 15_000;
const LIMITS: GetLimits = { connectMs: 10_000, firstByteMs: 15_000, bytes: 1_000_000 };

/** The longest query that the services take. */
const MAX_QUERY = 400;

/** Null: no service is configured. */
export function createWebSearch(options: WebSearchOptions): WebSearch | null {
  const engine = configuredEngine(options.environment, options.origins ?? SEARCH_ORIGINS);
  if (engine === null) return null;
  const own = engine.host === null ? [] : [engine.host];
  const gatekeeper = createGatekeeper({
    allowPrivate: [...options.allowPrivate, ...own],
    allowPorts: [],
  });
  const get = createHttpGet(gatekeeper, options.resolve ?? systemResolver);
  const inTurn = spaced(options.spacingMs ?? SPACING_MS, options.now);
  return async (text, limit, signal) => {
    const query = text.trim();
    const reason = engine.problem ?? unaskable(query, options.holdsSecret);
    if (reason !== null) return asOutcome(refused(`${reason}.`));
    const outcome = await inTurn(() => ask(engine, get, options, { query, limit }, signal), signal);
    return outcome ?? asOutcome({ kind: 'cancelled' });
  };
}

function unaskable(query: string, holdsSecret: HoldsSecret): string | null {
  if (query === '') return 'the query is empty';
  if (query.length > MAX_QUERY) {
    return `the query has ${query.length} characters, and at most ${MAX_QUERY} are taken: use a few key words`;
  }
  return holdsSecret(query) ? 'the query holds a secret of this machine, and is not sent' : null;
}

/** Null: the signal aborted before it was begun. */
function spaced(spacingMs: number, now: () => number) {
  const turns = createTurns();
  let last = Number.NEGATIVE_INFINITY;
  return async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | null> => {
    const giveBack = await turns.take(signal);
    if (giveBack === null) return null;
    // A clock that was set back must not make anybody wait for longer.
    const left = Math.min(spacingMs, last + spacingMs - now());
    if (left > 0) await orAborted(sleep(left), signal);
    last = now();
    const result = signal.aborted ? null : await work();
    giveBack();
    return result;
  };
}

async function ask(
  engine: SearchEngine,
  get: HttpGet,
  { userAgent }: WebSearchOptions,
  wanted: { readonly query: string; readonly limit: number },
  caller: AbortSignal,
): Promise<ToolOutcome> {
  const { url, headers } = engine.request(wanted.query, wanted.limit);
  const deadline = startDeadline(caller, TOTAL_MS);
  const end = await get(
    {
      url,
      headers: { ...headers, 'user-agent': userAgent, accept: 'application/json' },
      limits: LIMITS,
      wantsBody: ({ status }) => status === 200,
    },
    deadline.signal,
  );
  deadline.end();
  switch (end.kind) {
    case 'answered':
      return results(engine, end.answer, wanted);
    case 'aborted':
      return asOutcome(caller.aborted ? { kind: 'cancelled' } : tooLong(engine));
    default:
      return asOutcome({ ...end, message: `${engine.name}: ${end.message}` });
  }
}

const tooLong = ({ name }: SearchEngine): Ending => ({
  kind: 'timeout',
  afterMs: TOTAL_MS,
  message: `${name} did not answer within ${TOTAL_MS / 1000} s.`,
});

function results(
  engine: SearchEngine,
  { status, body, truncated }: Answer,
  { query, limit }: { readonly query: string; readonly limit: number },
): ToolOutcome {
  if (status !== 200) return asOutcome(failed(rejection(engine, status)));
  const answer = parsed(body.toString('utf8'));
  const hits = answer === null ? null : engine.read(answer);
  if (hits === null) {
    const why = truncated ? 'with too much to read' : 'in a way that is not understood';
    return asOutcome(failed(`${engine.name} answers ${why}.`));
  }
  const text = searchResults(hits, limit);
  return { status: 'ok', text: text === '' ? `No results for '${query}'` : text, truncated: false };
}

function rejection({ name, advice }: SearchEngine, status: number): string {
  if (status === 429) return `${name} asks for fewer requests: wait a minute, or work without it.`;
  if (status === 401 || status === 402 || status === 403) {
    return `${name} refuses the request (status ${status}). Its operator can help: ${advice}.`;
  }
  return `${name} answers with status ${status}.`;
}

/** Null: it is no JSON object. */
function parsed(text: string): object | null {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' ? answer : null;
  } catch {
    return null;
  }
}
