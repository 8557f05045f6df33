/**
 * From flags, files and environment to a request that a daemon can be opened with. What is missing or wrong
 * comes back as the ending it is, with what to do about it.
 */
import { randomUUID } from 'node:crypto';
import { isLocal } from '../../config/endpoint.js';
import { formatConfigErrors, loadConfig } from '../../config/load.js';
import type { Environment } from '../../config/home.js';
import { effectiveEnvironment } from '../../config/environment.js';
import type { Config } from '../../config/settings.js';
import type { SessionId } from '../../messages/ids.js';
import type { SessionSpec } from '../../messages/session.js';
import type { DaemonRequest } from '../daemon.js';
import type { Work } from '../ground.js';
import type { Ending } from '../session/ending.js';
import type { Scenario } from '../rehearsal/scenario.js';
import { settingsOf, type RunFlags } from './run-flags.js';

/** What a run in CI may use up unless it says otherwise: nobody is there to stop it. */
const HEADLESS_ROUNDS = 200;
const HEADLESS_MS = 60 * 60 * 1000;

/** A name is for lists: one line, cut. */
const NAME_CHARS = 40;

export interface RunPlan {
  readonly request: DaemonRequest;
  readonly config: Config;
  readonly warnings: readonly string[];
}

export type Planned =
  { readonly ok: true; readonly plan: RunPlan } | { readonly ok: false; readonly ending: Ending };

export interface PlanOptions {
  readonly home: string;
  readonly env: Environment;
  readonly workspace: string;
  readonly flags: RunFlags;
  readonly headless: boolean;
  readonly checkFirst: boolean;
  readonly work:
    | { readonly kind: 'new'; readonly goal: string; readonly rehearsal: Rehearsal | null }
    | Omit<Extract<Work, { kind: 'resume' }>, 'changes'>;
}

/** A scripted run: the scenario as it was named, and what it holds. */
export interface Rehearsal {
  readonly source: string;
  readonly scenario: Scenario;
}

export function planRun(options: PlanOptions): Planned {
  const { home, workspace, flags, work } = options;
  const loaded = loadConfig({
    home,
    workspace,
    env: options.env,
    flags: settingsOf(flags),
    ...(flags.config === undefined ? {} : { configFile: flags.config }),
  });
  if (!loaded.ok) return refused(formatConfigErrors(loaded.errors));
  const { config, warnings, origins } = loaded;
  const planned =
    work.kind === 'new' ? newWork(options, config, work) : resumed(work, options, config, origins);
  if (!('kind' in planned)) return { ok: false, ending: planned };
  const request: DaemonRequest = {
    home,
    env: effectiveEnvironment(home, options.env).env,
    config,
    work: planned,
    shareWorkspace: flags.shareWorkspace === true,
    tolerateDenials: flags.tolerateDenials === true,
    checkFirst: options.checkFirst,
  };
  return { ok: true, plan: { request, config, warnings } };
}

const refused = (reason: string): { ok: false; ending: Ending } => ({
  ok: false,
  ending: configEnding(reason),
});
const configEnding = (reason: string): Ending => ({ status: 'config', reason, text: '' });

function newWork(
  { workspace, flags, headless }: PlanOptions,
  config: Config,
  { goal, rehearsal }: { goal: string; rehearsal: Rehearsal | null },
): Work | Ending {
  const server = serverOf(config, rehearsal);
  if ('status' in server) return server;
  const spec: SessionSpec = {
    id: randomUUID() as SessionId,
    name: flags.name ?? nameOf(goal),
    workspace,
    ...server,
    rehearsal: rehearsal?.source ?? null,
    onQuestion: flags.onQuestion ?? (headless ? 'deny' : 'wait'),
    permissions: config.permissions,
    sandbox: config.sandbox,
    limits: {
      maxRounds: config.budget.maxRounds ?? (headless ? HEADLESS_ROUNDS : null),
      maxTimeMs: config.budget.maxTimeMs ?? (headless ? HEADLESS_MS : null),
    },
    sharesWorkspace: flags.shareWorkspace === true,
    startedAt: Date.now(),
  };
  return { kind: 'new', spec, goal };
}

function serverOf(
  { model }: Config,
  rehearsal: Rehearsal | null,
): Pick<SessionSpec, 'model' | 'baseUrl' | 'local'> | Ending {
  if (rehearsal !== null) {
    return { model: `scripted/${rehearsal.scenario.name}`, baseUrl: 'embedded', local: true };
  }
  if (model.baseUrl === null) {
    return configEnding(
      'No model server is configured. Give one with --base-url URL (for a local Ollama: http://127.0.0.1:11434/v1), ' +
        'or set base_url under [model] in the config file. To try ouro without one: ouro rehearse survey',
    );
  }
  if (model.name === null) {
    return configEnding(
      `No model is named for ${model.baseUrl}. Give one with -m NAME, or set name under [model] in the config file.`,
    );
  }
  return { model: model.name, baseUrl: model.baseUrl, local: isLocal(model.baseUrl) };
}

/** Only what this command line, a file or a variable says replaces what the session was started with. */
function resumed(
  work: Omit<Extract<Work, { kind: 'resume' }>, 'changes'>,
  { flags, headless }: PlanOptions,
  config: Config,
  origins: Readonly<Record<string, string>>,
): Work {
  const byFlag = (key: string): boolean => origins[key]?.includes('flag ') === true;
  const { model, permissions, budget, sandbox } = config;
  // Nobody is there to answer what a session that was started elsewhere would wait for.
  const onQuestion = flags.onQuestion ?? (headless ? 'deny' : undefined);
  return {
    ...work,
    changes: {
      ...(byFlag('model.name') && model.name !== null ? { model: model.name } : {}),
      ...(byFlag('model.base_url') && model.baseUrl !== null
        ? { baseUrl: model.baseUrl, local: isLocal(model.baseUrl) }
        : {}),
      ...(['mode', 'allow', 'ask', 'deny'].some((key) => byFlag(`permissions.${key}`))
        ? { permissions }
        : {}),
      ...(onQuestion === undefined ? {} : { onQuestion }),
      ...(byFlag('sandbox.mode') || byFlag('sandbox.network') ? { sandbox } : {}),
      ...(flags.name === undefined ? {} : { name: flags.name }),
      ...(flags.shareWorkspace === true ? { sharesWorkspace: true } : {}),
      ...(byFlag('budget.max_rounds') || byFlag('budget.max_time') ? { limits: budget } : {}),
    },
  };
}

/** One line of the goal, for lists. */
function nameOf(goal: string): string {
  const line = goal.trim().split('\n', 1)[0] ?? '';
  return line.length <= NAME_CHARS ? line : `${line.slice(0, NAME_CHARS - 1)}…`;
}
