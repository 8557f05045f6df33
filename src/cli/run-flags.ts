/** The flags of `run` and `start`, as the command line gives them, and what they set in the configuration. */
import { resolve } from 'node:path';
import type { OnQuestion } from '../../messages/session.js';
import type { Settings } from '../../config/schema.js';

export interface RunFlags {
  readonly print?: boolean;
  readonly bg?: boolean;
  readonly continue?: boolean;
  readonly resume?: string;
  readonly model?: string;
  readonly fallbackModel?: readonly string[];
  readonly baseUrl?: string;
  readonly workspace?: string;
  readonly outputFormat?: 'text' | 'json' | 'stream-json';
  readonly outputFile?: string;
  readonly maxRounds?: string;
  /** Another name of `maxRounds`, as the two lists below are of `allow` and `deny`. */
  readonly maxTurns?: string;
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly maxTime?: string;
  readonly maxWait?: string;
  readonly maxCost?: string;
  /** Other names of `maxCost` and `outputSchema`. */
  readonly maxBudgetUsd?: string;
  readonly jsonSchema?: string;
  readonly maxTokens?: string;
  readonly outputSchema?: string;
  readonly plan?: boolean;
  readonly permissionMode?: string;
  readonly addDir?: readonly string[];
  readonly trustWorkspace?: boolean;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly network?: boolean;
  readonly onQuestion?: OnQuestion;
  readonly sandbox?: string;
  readonly shareWorkspace?: boolean;
  readonly worktree?: boolean;
  readonly record?: string;
  readonly tolerateDenials?: boolean;
  readonly name?: string;
  readonly logLevel?: string;
  readonly logFormat?: string;
  readonly config?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** Values are checked where those of the files are, so that all say the same of the same mistake. */
export function settingsOf(flags: RunFlags): Settings {
  const given = {
    model: {
      name: flags.model,
      base_url: flags.baseUrl,
      fallback: flags.fallbackModel,
      max_wait: flags.maxWait,
    },
    // Typed where the person is, not where the session works.
    tools: { add_dirs: flags.addDir?.map((folder) => resolve(folder)) },
    budget: {
      max_rounds: numberOf(flags.maxRounds ?? flags.maxTurns),
      max_time: flags.maxTime,
      session_cost: numberOf(flags.maxCost ?? flags.maxBudgetUsd),
      session_tokens: numberOf(flags.maxTokens),
    },
    permissions: {
      mode: flags.permissionMode,
      allow: both(flags.allow, flags.allowedTools),
      deny: both(flags.deny, flags.disallowedTools),
    },
    goal: { plan: flags.plan },
    sandbox: { mode: flags.sandbox, network: flags.network },
    log: { level: flags.logLevel, format: flags.logFormat },
  };
  return given as Settings;
}

/** Undefined where neither was given. */
const both = (
  rules: readonly string[] | undefined,
  more: readonly string[] | undefined,
): readonly string[] | undefined =>
  rules === undefined && more === undefined ? undefined : [...(rules ?? []), ...(more ?? [])];

/** What is no number stays text, and is refused by the schema with its place. */
const numberOf = (text: string | undefined): number | string | undefined =>
  text === undefined || text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
