import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { retentionOf } from '../../bench/context/needles.js';
import { replay, type Replayed } from '../../bench/context/replay.js';
import { STRATEGIES, type StrategyName } from '../../bench/context/strategies.js';
import { syntheticTrace } from '../../bench/context/synthetic-trace.js';
import type { SessionId } from '../../messages/ids.js';
import type { Message } from '../../messages/conversation.js';
import { pairFaults } from '../support/histories.js';

const ROUNDS = 200;
const trace = syntheticTrace(ROUNDS);
let home = '';

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'ouro-replay-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Small, so that masking alone is not enough. */
const WINDOW_TOKENS = 60_000;

interface Watched {
  readonly replayed: Replayed;
  /** Of each request, in order. */
  readonly faults: readonly string[];
  readonly words: readonly (readonly string[])[];
}

const watched = new Map<StrategyName, Promise<Watched>>();

/** Replays once for all tests. */
function watch(strategy: StrategyName): Promise<Watched> {
  const known = watched.get(strategy) ?? replayWatching(strategy);
  watched.set(strategy, known);
  return known;
}

async function replayWatching(strategy: StrategyName): Promise<Watched> {
  const faults: string[] = [];
  const words: string[][] = [];
  const replayed = await replay({
    ...{ trace, strategy, windowTokens: WINDOW_TOKENS, system: 'You are ouro.', tools: [], home },
    spec: {
      ...{ id: 'replay' as SessionId, name: 'replay', workspace: home, model: 'test' },
      ...{ baseUrl: 'http://127.0.0.1', rehearsal: null, local: true, onQuestion: 'deny' },
      ...{ sharesWorkspace: false, permissions: { mode: 'default', allow: [] } },
      ...{ limits: { maxRounds: null, maxTimeMs: null }, startedAt: 0 },
    },
    count: (text) => Math.ceil(text.length / 3.4),
    onRequest: ({ conversation }) => {
      faults.push(...pairFaults(conversation));
      words.push(wordsIn(conversation));
    },
  });
  return { replayed, faults, words };
}

const saidBefore = (round: number): string[] =>
  trace.rounds.slice(0, round).flatMap(({ heard }) => (heard === null ? [] : [heard]));

const wordsIn = (messages: readonly Message[]): string[] =>
  messages.flatMap((m) => (m.role === 'user' && m.origin === 'steer' ? [m.text] : []));

test('a trace is the same each time it is made', () => {
  expect(syntheticTrace(20)).toEqual(syntheticTrace(20));
  expect(saidBefore(ROUNDS).length).toBeGreaterThan(0);
});

test.each(STRATEGIES)(
  'with strategy "%s" every request has its pairs, and each word of the person as it was said',
  async (strategy) => {
    const { faults, words } = await watch(strategy);
    expect(faults).toEqual([]);
    expect(words).toEqual(trace.rounds.map((_, i) => saidBefore(i + 1)));
  },
);

test.each(['mask', 'mask + summary'] as const)(
  'with "%s" a request begins with the one before it, unless a step was taken between them',
  async (strategy) => {
    const { sent } = (await watch(strategy)).replayed;
    const quiet = sent.filter(({ compacted }) => !compacted);
    expect(quiet.length).toBeGreaterThan(ROUNDS / 2);
    for (const { kept } of quiet) expect(kept ?? 1).toBeGreaterThanOrEqual(0.95);
  },
);

test.each(['mask', 'mask + summary'] as const)(
  'with "%s" the rows of the journal rebuild the request to the byte, and the window is kept',
  async (strategy) => {
    const { resumesSame, sent } = (await watch(strategy)).replayed;
    expect(resumesSame).toBe(true);
    expect(Math.max(...sent.map(({ tokens }) => tokens))).toBeLessThan(WINDOW_TOKENS);
  },
);

test('summaries are really made, and every file changed is named after them', async () => {
  const { replayed } = await watch('mask + summary');
  expect(replayed.summaries).toBeGreaterThan(0);
  const paths = retentionOf(trace.needles, ROUNDS, replayed).filter(({ kind }) => kind === 'path');
  for (const { planted, verbatim } of paths) expect(verbatim).toBe(planted);
});

test('what was masked is one call away, and its errors are still read', async () => {
  const { replayed } = await watch('mask each round');
  for (const { kind, planted, verbatim, oneCall } of retentionOf(trace.needles, ROUNDS, replayed)) {
    expect(verbatim + oneCall, kind).toBe(planted);
    if (kind === 'error') expect(verbatim).toBe(planted);
  }
});

test.each(['mask', 'mask + summary'] as const)(
  'with "%s" every path, identifier and error is there or one call away',
  async (strategy) => {
    const { replayed } = await watch(strategy);
    const found = retentionOf(trace.needles, ROUNDS, replayed);
    for (const { kind, planted, verbatim, oneCall, oneSearch } of found)
      expect(verbatim + oneCall + oneSearch, kind).toBe(planted);
  },
);

test('what a summary leaves out is found by a search only where the model is told of it', async () => {
  const { replayed } = await watch('mask + summary');
  const searched = (messages: readonly Message[]): boolean =>
    retentionOf(trace.needles, ROUNDS, { ...replayed, messages }).some(
      ({ oneSearch }) => oneSearch > 0,
    );
  expect(searched(replayed.messages)).toBe(true);
  expect(searched(replayed.messages.slice(-1))).toBe(false);
});
