/**
 * The seven measures of how well the tools are used, each with its target and the counts behind it. A
 * measure of too little says so instead of passing or failing.
 */
import type { SessionCounts, Spent } from './session-counts.js';

export type Verdict = 'pass' | 'fail' | 'not enough data';

export interface Metric {
  readonly name: string;
  /** What is measured, in words. */
  readonly title: string;
  readonly target: string;
  /** A share from 0 to 1, a number or a ratio; null: there is nothing to measure it by. */
  readonly value: number | null;
  readonly unit: 'share' | 'count' | 'ratio';
  readonly verdict: Verdict;
  readonly counts: Readonly<Record<string, number>>;
}

interface Target {
  readonly least?: number;
  readonly most?: number;
  /** The bound itself does not meet the target. */
  readonly strict?: boolean;
}

type Draft = Omit<Metric, 'verdict' | 'target'> & {
  readonly must: Target;
  /** There is enough to judge by. */
  readonly enough: boolean;
};

/** Fewer than these and a single call, or round, decides alone whether the target is met. */
const MIN_READS = 20;
const MIN_GREPS = 5;
const MIN_RESULTS = 5;
const MIN_CACHEABLE = 20;
const MIN_ROUNDS = 4;

const CHARS_PER_TOKEN = 3.5;

export const metricsOf = (counts: SessionCounts): readonly Metric[] =>
  [
    shellReads(counts),
    grepsForFiles(counts),
    blindWrites(counts),
    resultsInContext(counts),
    cacheHits(counts),
    parallelRounds(counts),
    exploreSaving(counts),
  ].map(judged);

function judged({ must, enough, ...measured }: Draft): Metric {
  const { value, unit } = measured;
  const target = targetText(must, unit);
  if (!enough || value === null) return { ...measured, target, verdict: 'not enough data' };
  const { least = -Infinity, most = Infinity, strict = false } = must;
  const meets = strict ? value > least && value < most : value >= least && value <= most;
  return { ...measured, target, verdict: meets ? 'pass' : 'fail' };
}

function targetText({ least, most, strict = false }: Target, unit: Metric['unit']): string {
  const bound = least ?? most ?? 0;
  if (unit === 'count') return String(bound);
  const sign = `${least === undefined ? '<' : '>'}${strict ? '' : '='}`;
  return `${sign} ${unit === 'share' ? `${Math.round(bound * 100)} %` : `${bound}x`}`;
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

function shellReads({ shellReads: shell, toolReads }: SessionCounts): Draft {
  const all = shell + toolReads;
  return {
    name: 'shell_reads',
    title: 'file reads and searches done through the shell',
    must: { most: 0.05, strict: true },
    unit: 'share',
    value: share(shell, all),
    enough: all >= MIN_READS,
    counts: { through_shell: shell, all },
  };
}

const grepsForFiles = ({ greps, grepsForFiles: files }: SessionCounts): Draft => ({
  name: 'greps_for_files',
  title: 'greps that ask for files first',
  must: { least: 0.8 },
  unit: 'share',
  value: share(files, greps),
  enough: greps >= MIN_GREPS,
  counts: { for_files: files, all: greps },
});

const blindWrites = ({ blindWrites: blind, writes }: SessionCounts): Draft => ({
  name: 'blind_writes',
  title: 'writes to files that had not been read',
  must: { most: 0 },
  unit: 'count',
  value: blind,
  enough: writes > 0,
  counts: { blind, all: writes },
});

function resultsInContext(counts: SessionCounts): Draft {
  const tokens = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);
  const results = tokens(counts.resultChars);
  const instructions = tokens(counts.instructionChars);
  const words = tokens(counts.wordChars);
  const answers = tokens(counts.answerChars);
  return {
    name: 'results_in_context',
    title: "results of tools, of the conversations' tokens",
    must: { most: 0.4, strict: true },
    unit: 'share',
    value: share(results, results + instructions + words + answers),
    enough: counts.results >= MIN_RESULTS,
    counts: { results, instructions, words, answers },
  };
}

const cacheHits = ({ cacheHits: hits, cacheable }: SessionCounts): Draft => ({
  name: 'cache_hits',
  title: 'reads and searches answered from memory, where most calls are such',
  must: { least: 0.2, strict: true },
  unit: 'share',
  value: share(hits, cacheable),
  enough: cacheable >= MIN_CACHEABLE,
  counts: { hits, all: cacheable },
});

const parallelRounds = ({ parallelRounds: parallel, multiToolRounds }: SessionCounts): Draft => ({
  name: 'parallel_rounds',
  title: 'rounds of several calls in which they ran in parallel',
  must: { least: 0.5, strict: true },
  unit: 'share',
  value: share(parallel, multiToolRounds),
  enough: multiToolRounds >= MIN_ROUNDS,
  counts: { parallel, all: multiToolRounds },
});

function exploreSaving({ subAgents }: SessionCounts): Draft {
  const none: Spent = { agents: 0, tokens: 0 };
  const { explore = none, worker = none } = subAgents;
  const perExplore = share(explore.tokens, explore.agents) ?? 0;
  const perWorker = share(worker.tokens, worker.agents) ?? 0;
  const value = perExplore > 0 && perWorker > 0 ? perWorker / perExplore : null;
  return {
    name: 'explore_saving',
    title: 'tokens of a worker sub-agent to one of an explore sub-agent',
    must: { least: 3 },
    unit: 'ratio',
    value,
    enough: value !== null,
    counts: {
      explore_agents: explore.agents,
      explore_tokens: explore.tokens,
      worker_agents: worker.agents,
      worker_tokens: worker.tokens,
    },
  };
}
