/**
 * Loads the configuration: defaults < endpoint variables of other programs < the person's file < the
 * workspace's file (within its trust) < `OURO_*` variables < flags. Never throws for what a file, a variable
 * or a flag says: all that is wrong comes back at once.
 */
import { realpathSync } from 'node:fs';
import { choiceError, endpointsIn, saysWhere, withOnePlace } from './chosen-endpoint.js';
import { parseDuration, parseWait } from './duration.js';
import { trimmedEndpoint } from './endpoint.js';
import { effectiveEnvironment } from './environment.js';
import { environmentLayers } from './environment-layer.js';
import type { ConfigError } from './errors.js';
import { userFileLayer } from './file-layer.js';
import { userConfigFile, workspaceConfigFile, type Environment } from './home.js';
import { hookSettings } from './hooks-schema.js';
import { checkLayer, type Layer } from './layer.js';
import { goalOf } from './goal-settings.js';
import { retentionOf } from './retention.js';
import { KEYS, settingsSchema, type Settings } from './schema.js';
import { DEFAULTS, type Config, type RuleOrigin } from './settings.js';
import { workspaceLayer } from './workspace-layer.js';

export { formatConfigErrors, type ConfigError } from './errors.js';
export type { Settings } from './schema.js';
export type { Config } from './settings.js';

export interface ConfigSources {
  readonly home: string;
  readonly workspace: string;
  readonly env: Environment;
  /** What the command line sets, in the shape of the file. `undefined` counts as not given. */
  readonly flags?: Settings;
  /** Takes the place of `$OURO_HOME/config.toml`, and must be there. */
  readonly configFile?: string;
  /** The workspace's files may set everything; otherwise only what cannot do harm. */
  readonly trusted?: boolean;
  /** Names of files of the workspace that are not as a person accepted them. */
  readonly changed?: readonly string[];
  /** Limits that hold where nothing is set: those of an untrusted workspace must be below them too. */
  readonly assumed?: Settings['budget'];
}

export type LoadedConfig =
  | {
      readonly ok: true;
      readonly config: Config;
      /** What was set, as it is written in the sources; what is missing has its default. */
      readonly settings: Settings;
      /** `section.key` → `default`, a file, `environment X` or `flag --x`. */
      readonly origins: Readonly<Record<string, string>>;
      /** The lines of those keys whose origin is a file. */
      readonly lines: Readonly<Record<string, number>>;
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly errors: readonly ConfigError[] };

export function loadConfig(sources: ConfigSources): LoadedConfig {
  const { home, workspace, configFile } = sources;
  const { trusted = false, changed = [] } = sources;
  const effective = effectiveEnvironment(home, sources.env, trusted ? workspace : null);
  const environment = environmentLayers(effective);
  const userFile = configFile ?? userConfigFile(home);
  const user = userFileLayer(userFile, configFile !== undefined);
  const workspaceFile = workspaceConfigFile(workspace);
  const isOwn = sameFile(workspaceFile, [userFile, userConfigFile(home)]);
  const below = { ...sources.assumed, ...merge(compact([user])).settings.budget };
  const ofWorkspace = isOwn
    ? null
    : workspaceLayer(workspace, { trusted, changed }, { budget: below });

  const above = [ofWorkspace?.layer, environment.settings, flagLayer(sources.flags ?? {})];
  // An endpoint variable that nobody uses may say what it likes.
  const base = compact([user, ...above]).some(saysWhere) ? [] : [environment.endpoint];
  const layers = withOnePlace(compact([...base, user, ...above]));
  const errors = [...effective.problems, ...layers.flatMap((l) => l.errors)];
  if (errors.length > 0) return { ok: false, errors };
  const { settings, origins, lines } = merge(layers);
  const choice = choiceError(layers, settings);
  if (choice !== null) return { ok: false, errors: [choice] };
  const warnings = [...(ofWorkspace?.warnings ?? []), ...environment.warnings];
  const config = resolved(settings, ruleOrigins(layers));
  return { ok: true, config, settings, origins, lines, warnings };
}

const compact = <T>(items: readonly (T | null | undefined)[]): readonly T[] =>
  items.filter((item) => item !== null && item !== undefined);

/** Where the workspace is the home folder, its file is the person's own. */
function sameFile(file: string, others: readonly string[]): boolean {
  return others.some((other) => realOrSame(other) === realOrSame(file));
}

function realOrSame(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** Flags whose name is not the key's own. */
const FLAG_OF: Readonly<Record<string, string>> = {
  'model.name': '--model',
  'model.fallback': '--fallback-model',
  'budget.session_cost': '--max-cost',
  'budget.session_tokens': '--max-tokens',
  'permissions.mode': '--permission-mode',
  'goal.plan': '--plan',
  'tools.add_dirs': '--add-dir',
  'sandbox.mode': '--sandbox',
  'sandbox.network': '--network',
  'log.level': '--log-level',
  'log.format': '--log-format',
};

function flagLayer(flags: Settings): Layer {
  const place = (key: string): string => {
    const name = key.slice(key.indexOf('.') + 1).replaceAll('_', '-');
    return `flag ${FLAG_OF[key] ?? `--${name}`}`;
  };
  const locate = (path: readonly string[]) => ({
    file: place(path.slice(0, 2).join('.')),
    line: null,
  });
  return checkLayer(flags, locate, place);
}

interface Merged {
  readonly settings: Settings;
  readonly origins: Readonly<Record<string, string>>;
  readonly lines: Readonly<Record<string, number>>;
}

const ADDED_UP = [
  'permissions.allow',
  'permissions.ask',
  'permissions.deny',
  'tools.add_dirs',
  'tools.read_dirs',
];

const addsUp = (key: string): boolean => ADDED_UP.includes(key) || key.startsWith('hooks.');

/** The last layer that sets a key wins; rules, folders and hooks add up, because each is given for itself. */
function merge(layers: readonly Layer[]): Merged {
  const raw: Record<string, Record<string, unknown>> = {};
  const origins: Record<string, string> = {};
  const lines = new Map<string, number>();
  for (const key of KEYS.keys()) origins[key] = 'default';
  for (const { settings, origin, lineOf } of layers) {
    for (const [section, values] of Object.entries(settings)) {
      for (const [name, value] of Object.entries(values as Record<string, unknown>)) {
        if (value === undefined) continue;
        const key = `${section}.${name}`;
        const adds = addsUp(key) && origins[key] !== 'default';
        const before = (raw[section] ??= {})[name];
        raw[section][name] = adds ? [before, value].flat() : value;
        origins[key] = adds ? `${origins[key] ?? ''}, ${origin(key)}` : origin(key);
        const line = adds ? undefined : lineOf?.(key);
        lines.delete(key);
        if (line !== undefined) lines.set(key, line);
      }
    }
  }
  return { settings: settingsSchema.parse(raw), origins, lines: Object.fromEntries(lines) };
}

const RULE_KINDS = ['allow', 'ask', 'deny'] as const;

/** A rule that is given twice is where it was given first. */
function ruleOrigins(layers: readonly Layer[]): Config['permissions']['origins'] {
  const origins: Record<string, RuleOrigin> = {};
  for (const { settings, origin, lineOfItem } of layers) {
    for (const kind of RULE_KINDS) {
      const key = `permissions.${kind}`;
      for (const rule of settings.permissions?.[kind] ?? [])
        origins[`${kind} ${rule}`] ??= { from: origin(key), line: lineOfItem(key, rule) };
    }
  }
  return origins;
}

const ms = (inSeconds: number | undefined, fallback: number): number =>
  inSeconds === undefined ? fallback : Math.max(1, Math.round(inSeconds * 1000));

const pricesOf = (configured: NonNullable<Settings['prices']>): Config['prices'] =>
  Object.fromEntries(
    Object.entries(configured).map(([model, { cached, cache_write: cacheWrite, ...price }]) => [
      model,
      {
        ...price,
        ...(cached === undefined ? {} : { cached }),
        ...(cacheWrite === undefined ? {} : { cacheWrite }),
      },
    ]),
  );

function resolved(settings: Settings, origins: Config['permissions']['origins']): Config {
  const { model = {}, tools = {}, budget = {}, permissions = {}, sandbox = {} } = settings;
  const {
    undo = {},
    web = {},
    context = {},
    routing = {},
    agents = {},
    tui = {},
    log = {},
  } = settings;
  const hooks = hookSettings(settings.hooks);
  const endpoints = endpointsIn(settings);
  const chosen = endpoints.find(({ name }) => name === model.endpoint);
  return {
    model: {
      name: model.name ?? DEFAULTS.model.name,
      small: model.small ?? DEFAULTS.model.small,
      titles: model.titles ?? DEFAULTS.model.titles,
      baseUrl:
        chosen?.baseUrl ?? (model.base_url === undefined ? null : trimmedEndpoint(model.base_url)),
      endpoint: model.endpoint ?? null,
      firstTokenTimeoutMs: ms(model.first_token_timeout, DEFAULTS.model.firstTokenTimeoutMs),
      silenceTimeoutMs: ms(model.silence_timeout, DEFAULTS.model.silenceTimeoutMs),
      retries: model.retries ?? DEFAULTS.model.retries,
      temperature: model.temperature ?? DEFAULTS.model.temperature,
      maxTokens: model.max_tokens ?? DEFAULTS.model.maxTokens,
      maxWaitMs: parseWait(model.max_wait ?? '') ?? DEFAULTS.model.maxWaitMs,
      fallback: model.fallback ?? DEFAULTS.model.fallback,
      maxInFlight: model.max_in_flight ?? DEFAULTS.model.maxInFlight,
      promptRate: model.prompt_rate ?? DEFAULTS.model.promptRate,
    },
    routing: {
      strategy: routing.strategy ?? DEFAULTS.routing.strategy,
      overrides: routing.overrides ?? DEFAULTS.routing.overrides,
      cheap: routing.cheap ?? DEFAULTS.routing.cheap,
      powerful: routing.powerful ?? DEFAULTS.routing.powerful,
      switchAt: routing.switch_at ?? DEFAULTS.routing.switchAt,
    },
    endpoints,
    tools: {
      timeoutMs: ms(tools.timeout, DEFAULTS.tools.timeoutMs),
      shellTimeoutMs: ms(tools.shell_timeout, DEFAULTS.tools.shellTimeoutMs),
      maxResultBytes: tools.max_result_bytes ?? DEFAULTS.tools.maxResultBytes,
      addDirs: tools.add_dirs ?? DEFAULTS.tools.addDirs,
      readDirs: tools.read_dirs ?? DEFAULTS.tools.readDirs,
    },
    web: {
      robots: web.robots ?? DEFAULTS.web.robots,
      privateHosts: web.private_hosts ?? DEFAULTS.web.privateHosts,
      ports: web.ports ?? DEFAULTS.web.ports,
      maxBytes: web.max_bytes ?? DEFAULTS.web.maxBytes,
      timeoutMs: ms(web.timeout, DEFAULTS.web.timeoutMs),
    },
    agents: {
      atOnce: agents.max_at_once ?? DEFAULTS.agents.atOnce,
      alive: agents.max_alive ?? DEFAULTS.agents.alive,
      depth: agents.max_depth ?? DEFAULTS.agents.depth,
    },
    context: {
      window: context.window ?? DEFAULTS.context.window,
      replyTokens: context.reply_tokens ?? DEFAULTS.context.replyTokens,
      toolGuides: context.tool_guides ?? DEFAULTS.context.toolGuides,
    },
    budget: {
      maxRounds: budget.max_rounds ?? DEFAULTS.budget.maxRounds,
      maxTimeMs: budget.max_time === undefined ? null : parseDuration(String(budget.max_time)),
      sessionCost: budget.session_cost ?? DEFAULTS.budget.sessionCost,
      dayCost: budget.day_cost ?? DEFAULTS.budget.dayCost,
      monthCost: budget.month_cost ?? DEFAULTS.budget.monthCost,
      sessionTokens: budget.session_tokens ?? DEFAULTS.budget.sessionTokens,
    },
    prices: pricesOf(settings.prices ?? {}),
    permissions: {
      mode: permissions.mode ?? DEFAULTS.permissions.mode,
      allow: permissions.allow ?? DEFAULTS.permissions.allow,
      ask: permissions.ask ?? DEFAULTS.permissions.ask,
      deny: permissions.deny ?? DEFAULTS.permissions.deny,
      origins,
    },
    sandbox: {
      mode: sandbox.mode ?? DEFAULTS.sandbox.mode,
      network: sandbox.network ?? DEFAULTS.sandbox.network,
    },
    undo: {
      maxFileBytes: undo.max_file_bytes ?? DEFAULTS.undo.maxFileBytes,
      maxSessionBytes: undo.max_session_bytes ?? DEFAULTS.undo.maxSessionBytes,
      maxFiles: undo.max_files ?? DEFAULTS.undo.maxFiles,
    },
    ...(hooks === undefined ? {} : { hooks }),
    goal: goalOf(settings.goal),
    retention: retentionOf(settings.retention),
    tui: { colour: tui.colour ?? DEFAULTS.tui.colour },
    log: {
      level: log.level ?? DEFAULTS.log.level,
      format: log.format ?? DEFAULTS.log.format,
    },
  };
}
