/** The resolved configuration, as the rest of the program reads it, and the defaults. Imports nothing but types and other defaults. */
import type { Prices } from '../messages/budget.js';
import type { HookSettings } from '../messages/hooks.js';
import type { ConfiguredEndpoint } from './endpoint-settings.js';
import { GOAL_DEFAULTS, type GoalSettings } from './goal-settings.js';

export interface Config {
  readonly model: {
    /** Null: not configured; the caller says how to. */
    readonly name: string | null;
    /** For side work, such as reading a page of the web; null: the main model does it. */
    readonly small: string | null;
    /** Whether sessions without a name get a title; null: where it costs nothing, or a small model is named. */
    readonly titles: boolean | null;
    /** Null: neither configured nor found in the environment. */
    readonly baseUrl: string | null;
    /** The `[endpoints.NAME]` that `baseUrl` comes from; null: it was given itself. */
    readonly endpoint: string | null;
    readonly firstTokenTimeoutMs: number;
    readonly silenceTimeoutMs: number;
    readonly retries: number;
    /** Null: the server's own default. */
    readonly temperature: number | null;
    readonly maxTokens: number | null;
    /** How long a headless run waits for a server that is away; 0: not at all. */
    readonly maxWaitMs: number;
    /** Models to ask, in this order, when one cannot answer. */
    readonly fallback: readonly string[];
    /** Requests at once, of all sessions together; null: as the kind of server suggests. */
    readonly maxInFlight: number | null;
    /** Prompt tokens that the server reads in a second; null: as the kind of server suggests. */
    readonly promptRate: number | null;
  };
  readonly routing: {
    readonly strategy: RoutingStrategy;
    readonly overrides: Readonly<Record<string, string>>;
    /** Null: the configured model. */
    readonly cheap: string | null;
    readonly powerful: string | null;
    readonly switchAt: number;
  };
  readonly endpoints: readonly ConfiguredEndpoint[];
  readonly tools: {
    readonly timeoutMs: number;
    readonly shellTimeoutMs: number;
    readonly maxResultBytes: number;
    /** Folders beside the workspace in which tools may read and write, as they were given. */
    readonly addDirs: readonly string[];
    /** Folders beside the workspace in which tools may only read, as they were given. */
    readonly readDirs: readonly string[];
  };
  readonly web: {
    /** Whether to do what a site's robots.txt asks. */
    readonly robots: boolean;
    /** Hosts, addresses and ranges that may be reached although they are private. */
    readonly privateHosts: readonly string[];
    /** Open beside 80 and 443. */
    readonly ports: readonly number[];
    /** Read of one page, unpacked. */
    readonly maxBytes: number;
    /** For one page, redirects included. */
    readonly timeoutMs: number;
  };
  /** Of sub-agents. */
  readonly agents: {
    /** At work at once; one that waits for its own is not at work. */
    readonly atOnce: number;
    /** Not ended, at work or not. */
    readonly alive: number;
    /** How deep they may nest. */
    readonly depth: number;
  };
  readonly budget: {
    /** Null: no limit. */
    readonly maxRounds: number | null;
    readonly maxTimeMs: number | null;
    /** Dollars; null: not configured, which is not the same as no limit. */
    readonly sessionCost: number | 'none' | null;
    readonly dayCost: number | 'none' | null;
    readonly monthCost: number | 'none' | null;
    /** Null: no limit. */
    readonly sessionTokens: number | null;
  };
  /** Dollars for a million tokens, by name or pattern of a model. */
  readonly prices: Prices;
  readonly context: {
    /** Tokens; null: by the model's name. */
    readonly window: number | null;
    /** Tokens kept free for the reply where `model.max_tokens` says nothing. */
    readonly replyTokens: number;
    /** An agent is told more of a tool when it uses it for the first time. */
    readonly toolGuides: boolean;
  };
  readonly permissions: {
    readonly mode: PermissionMode;
    readonly allow: readonly string[];
    readonly ask: readonly string[];
    readonly deny: readonly string[];
    /** Where each rule was given, by `KIND RULE`. */
    readonly origins: Readonly<Record<string, RuleOrigin>>;
  };
  readonly sandbox: {
    /** `auto`: where it works. */
    readonly mode: SandboxMode;
    /** Whether commands in the sandbox may reach the network. */
    readonly network: boolean;
  };
  /** What is kept of the workspace, so that it can be put back. */
  readonly undo: {
    /** Of one file; a larger one is not kept. */
    readonly maxFileBytes: number;
    readonly maxSessionBytes: number;
    /** Files and folders of a workspace; with more, what commands change is not kept. */
    readonly maxFiles: number;
  };
  readonly goal: GoalSettings;
  /** Left out: there are none. */
  readonly hooks?: HookSettings;
  /** Of sessions that have ended, when they are pruned. */
  readonly retention: {
    readonly days: number;
    readonly perWorkspace: number;
    readonly maxBytes: number;
  };
  readonly tui: { readonly colour: Colour };
  readonly log: { readonly level: LogLevel; readonly format: LogFormat };
}

/** A file and line, a flag or a variable. */
export interface RuleOrigin {
  readonly from: string;
  readonly line: number | null;
}

export const ROUTING_STRATEGIES = ['single', 'rounds', 'cheap-first'] as const;
export type RoutingStrategy = (typeof ROUTING_STRATEGIES)[number];
export const PERMISSION_MODES = ['default', 'accept-edits', 'plan', 'dont-ask', 'bypass'] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];
export const SANDBOX_MODES = ['auto', 'require', 'off'] as const;
export type SandboxMode = (typeof SANDBOX_MODES)[number];
export const COLOURS = ['auto', 'never'] as const;
export type Colour = (typeof COLOURS)[number];
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export const LOG_FORMATS = ['auto', 'pretty', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export const DEFAULTS: Config = {
  model: {
    name: null,
    small: null,
    titles: null,
    baseUrl: null,
    endpoint: null,
    // A local server reads the whole prompt before its first token: 16,000 tokens at 150 a second take
    // 107 s, and 30 s is known to be too short. A silent remote server is given up within two minutes.
    firstTokenTimeoutMs: 120_000,
    // Once tokens flow, even a slow machine makes one in a few seconds.
    silenceTimeoutMs: 60_000,
    retries: 3,
    temperature: null,
    maxTokens: null,
    // A restart or a short disturbance passes; a build should not hang for longer.
    maxWaitMs: 300_000,
    fallback: [],
    maxInFlight: null,
    promptRate: null,
  },
  // The first rounds look around, which a small model can do.
  routing: { strategy: 'single', overrides: {}, cheap: null, powerful: null, switchAt: 5 },
  endpoints: [],
  tools: {
    timeoutMs: 60_000,
    shellTimeoutMs: 120_000,
    maxResultBytes: 30_000,
    addDirs: [],
    readDirs: [],
  },
  // Pages are asked for one by one and because somebody wants to know, as with a browser; more than 5 MB is
  // no text to read, and nobody would wait longer.
  web: { robots: false, privateHosts: [], ports: [], maxBytes: 5_000_000, timeoutMs: 30_000 },
  agents: { atOnce: 5, alive: 10, depth: 3 },
  budget: {
    maxRounds: null,
    maxTimeMs: null,
    sessionCost: null,
    dayCost: null,
    monthCost: null,
    sessionTokens: null,
  },
  prices: {},
  context: { window: null, replyTokens: 8_192, toolGuides: true },
  permissions: { mode: 'default', allow: [], ask: [], deny: [], origins: {} },
  // Whoever says nothing gets what the machine has, and is told which.
  sandbox: { mode: 'auto', network: false },
  // A month to look back, what one folder sees in it, and what nobody misses on a small disk.
  retention: { days: 30, perWorkspace: 20, maxBytes: 2_000_000_000 },
  // Source files and documents are far below; what is above is data, which a program made. To look at 20,000
  // files takes about a tenth of a second, which is spent before a command and after it.
  undo: { maxFileBytes: 10_000_000, maxSessionBytes: 1_000_000_000, maxFiles: 20_000 },
  goal: GOAL_DEFAULTS,
  tui: { colour: 'auto' },
  log: { level: 'info', format: 'auto' },
};

/**
 * Dollars that may be spent on a server that wants money, unless a limit is configured: enough to see what a
 * task costs, too little to regret it. Day and month count where nobody watches.
 */
export const DEFAULT_COSTS = { session: 2, day: 5, month: 50 } as const;
