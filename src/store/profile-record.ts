/**
 * What sessions have taught about models and tools, and what the person wants every agent to know. Pure: the
 * record, how it is read from JSON, and what one more run adds to it.
 */
import type { Millis } from '../../messages/ids.js';

export interface ModelProfile {
  readonly runs: number;
  readonly finished: number;
  /** Prompt and completion tokens of a round: a moving average over runs. Null: no run had a round. */
  readonly tokens_per_round: number | null;
  /** Dollars of the runs whose cost is known. */
  readonly cost_usd: number;
  /** Runs whose cost is not known, or only in part. */
  readonly unpriced_runs: number;
  /** Tokens for each kind of text, as the server counted; left out: nothing was learned. */
  readonly weights?: Readonly<Record<string, number>>;
}

export interface ToolProfile {
  readonly calls: number;
  readonly errors: number;
  readonly mean_result_bytes: number;
  readonly total_ms: number;
}

export interface Profile {
  readonly version: 1;
  /** Text for the first prompt of every session; the person's to edit. */
  readonly user_instructions: string;
  readonly last_run_at: Millis | null;
  readonly runs: number;
  readonly finished: number;
  readonly cost_usd: number;
  readonly models: Readonly<Record<string, ModelProfile>>;
  readonly tools: Readonly<Record<string, ToolProfile>>;
}

export const NO_PROFILE: Profile = {
  version: 1,
  user_instructions: '',
  last_run_at: null,
  runs: 0,
  finished: 0,
  cost_usd: 0,
  models: {},
  tools: {},
};

/** What one run used of one model. */
export interface ModelRun {
  readonly rounds: number;
  readonly tokens: number;
  /** Of the answers whose cost is known. */
  readonly costUsd: number;
  readonly unpriced: boolean;
}

export interface ToolRun {
  readonly calls: number;
  readonly errors: number;
  readonly resultBytes: number;
  readonly ms: number;
}

export interface Run {
  readonly at: Millis;
  readonly finished: boolean;
  /** By the name of the model that answered. */
  readonly models: ReadonlyMap<string, ModelRun>;
  readonly tools: ReadonlyMap<string, ToolRun>;
  /** What was learned, by the name under which a model was asked. */
  readonly weights: ReadonlyMap<string, Readonly<Record<string, number>>>;
}

/** Weight of the newest run in a moving average: the last few decide, one odd run does not. */
const NEWEST_SHARE = 0.3;

export function withRun(profile: Profile, run: Run): Profile {
  const models = { ...profile.models };
  for (const [name, used] of run.models) {
    models[name] = withModel(models[name] ?? NO_MODEL, used, run.finished);
  }
  for (const [name, weights] of run.weights) {
    models[name] = { ...(models[name] ?? NO_MODEL), weights };
  }
  const tools = { ...profile.tools };
  for (const [name, used] of run.tools) tools[name] = withTool(tools[name], used);
  const costs = [...run.models.values()].map(({ costUsd }) => costUsd);
  return {
    ...profile,
    last_run_at: run.at,
    runs: profile.runs + 1,
    finished: profile.finished + (run.finished ? 1 : 0),
    cost_usd: profile.cost_usd + costs.reduce((sum, cost) => sum + cost, 0),
    models,
    tools,
  };
}

const NO_MODEL: ModelProfile = {
  runs: 0,
  finished: 0,
  tokens_per_round: null,
  cost_usd: 0,
  unpriced_runs: 0,
};

function withModel(before: ModelProfile, used: ModelRun, finished: boolean): ModelProfile {
  const { rounds, tokens, costUsd, unpriced } = used;
  return {
    ...before,
    runs: before.runs + 1,
    finished: before.finished + (finished ? 1 : 0),
    tokens_per_round: average(before.tokens_per_round, rounds === 0 ? null : tokens / rounds),
    cost_usd: before.cost_usd + costUsd,
    unpriced_runs: before.unpriced_runs + (unpriced ? 1 : 0),
  };
}

/** The first value stands for itself. */
function average(before: number | null, newest: number | null): number | null {
  if (newest === null) return before;
  return before === null ? newest : before + NEWEST_SHARE * (newest - before);
}

function withTool(before: ToolProfile | undefined, run: ToolRun): ToolProfile {
  const { calls: earlier, errors, mean_result_bytes: mean, total_ms: ms } = before ?? NO_TOOL;
  const calls = earlier + run.calls;
  return {
    calls,
    errors: errors + run.errors,
    mean_result_bytes: calls === 0 ? 0 : (mean * earlier + run.resultBytes) / calls,
    total_ms: ms + run.ms,
  };
}

const NO_TOOL: ToolProfile = { calls: 0, errors: 0, mean_result_bytes: 0, total_ms: 0 };
