/**
 * From flags, files and environment to a request that a daemon can be opened with. What is missing or wrong
 * comes back as the ending it is, with what to do about it.
 */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { isLocal } from '../../config/endpoint.js';
import { formatConfigErrors, loadConfig, type LoadedConfig } from '../../config/load.js';
import type { Environment } from '../../config/home.js';
import { effectiveEnvironment } from '../../config/environment.js';
import type { Config } from '../../config/settings.js';
import { isStill } from '../../config/trust.js';
import type { SessionId } from '../../messages/ids.js';
import type { SessionSpec, SessionWorktree } from '../../messages/session.js';
import type { DaemonRequest } from '../daemon.js';
import type { Work } from '../ground.js';
import type { Ending } from '../session/ending.js';
import type { Scenario } from '../rehearsal/scenario.js';
import { withInstruction, type OutputSchema } from '../output/instruction.js';
import { taskTemplates } from '../task-templates.js';
import { budgetChanges, budgetOf } from './session-limits.js';
import { settingsOf, type RunFlags } from './run-flags.js';
import { foldersOf } from './further-folders.js';
import type { WorkspaceTrust } from './workspace-trust.js';

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
  /** How far the workspace's files count. */
  readonly trust: WorkspaceTrust;
  /** Of the final answer; left out: none was given. */
  readonly outputSchema?: OutputSchema;
  readonly work: NewWork | Omit<Extract<Work, { kind: 'resume' }>, 'changes'>;
}

interface NewWork {
  readonly kind: 'new';
  readonly goal: string;
  readonly rehearsal: Rehearsal | null;
  /** Left out: a new one. */
  readonly id?: SessionId;
  /** The workspace is in it. */
  readonly worktree?: SessionWorktree;
}

/** A scripted run: the scenario as it was named, and what it holds. */
export interface Rehearsal {
  readonly source: string;
  readonly scenario: Scenario;
}

export function planRun(options: PlanOptions): Planned {
  const { home, workspace, flags, work, headless, trust } = options;
  const trusted = trust.trusted ? workspace : null;
  const loaded = loadConfig({
    home,
    workspace,
    env: options.env,
    flags: settingsOf(flags),
    ...(headless ? { assumed: { max_rounds: HEADLESS_ROUNDS, max_time: HEADLESS_MS / 1000 } } : {}),
    trusted: trust.trusted,
    changed: trust.changed,
    ...(flags.config === undefined ? {} : { configFile: flags.config }),
  });
  if (!loaded.ok) return refused(formatConfigErrors(loaded.errors));
  if (trust.accepted !== null && !isStill(workspace, trust.accepted))
    return refused(`The files of ${workspace} changed while they were read. Try again.`);
  const { config, warnings } = loaded;
  const planned =
    work.kind === 'new' ? newWork(options, loaded, work) : resumed(work, options, loaded);
  if (!('kind' in planned)) return { ok: false, ending: planned };
  const request: DaemonRequest = {
    home,
    env: effectiveEnvironment(home, options.env, trusted).env,
    trust,
    config,
    work: planned,
    shareWorkspace: flags.shareWorkspace === true,
    tolerateDenials: flags.tolerateDenials === true,
    holdAtLimit: !options.headless,
    checkFirst: options.checkFirst,
    // Who is there to answer questions is also there to see a hold.
    maxWaitMs: options.headless && flags.onQuestion !== 'wait' ? config.model.maxWaitMs : null,
    needsCommands: options.headless,
    ...(flags.record === undefined
      ? {}
      : { record: { file: resolve(flags.record), goal: work.goal } }),
  };
  return { ok: true, plan: { request, config, warnings } };
}

type Loaded = Extract<LoadedConfig, { ok: true }>;

const refused = (reason: string): { ok: false; ending: Ending } => ({
  ok: false,
  ending: configEnding(reason),
});
const configEnding = (reason: string): Ending => ({ status: 'config', reason, text: '' });

function newWork(
  { home, env, workspace, flags, headless, outputSchema }: PlanOptions,
  loaded: Loaded,
  { goal, rehearsal, id, worktree }: NewWork,
): Work | Ending {
  const { config } = loaded;
  const found = serverOf(config, rehearsal);
  if ('status' in found) return found;
  const server = { ...found, rehearsal: rehearsal?.source ?? null };
  const further = foldersOf(loaded, { workspace, home, env });
  if (!further.ok) return configEnding(further.reason);
  const spec: SessionSpec = {
    id: id ?? (randomUUID() as SessionId),
    name: flags.name ?? nameOf(goal),
    named: flags.name !== undefined,
    workspace,
    ...server,
    ...(config.model.fallback.length === 0 ? {} : { fallback: config.model.fallback }),
    onQuestion: flags.onQuestion ?? (headless ? 'deny' : 'wait'),
    permissions: config.permissions,
    sandbox: config.sandbox,
    ...further.folders,
    budget: budgetOf(config, server, headless),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    limits: {
      maxRounds: config.budget.maxRounds ?? (headless ? HEADLESS_ROUNDS : null),
      maxTimeMs: config.budget.maxTimeMs ?? (headless ? HEADLESS_MS : null),
    },
    ...(config.goal.plan ? { plan: true } : {}),
    ...(config.goal.templates ? { task: taskTemplates.classifyTask(goal) } : {}),
    sharesWorkspace: flags.shareWorkspace === true,
    ...(worktree === undefined ? {} : { worktree }),
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

const PLAN_IS_FOR_NEW =
  'A session plans at its beginning or not at all: leave out --plan and --no-plan when one goes on.';

const NONE = { ok: true, folders: {} } as const;

/** Only what this command line, a file or a variable says replaces what the session was started with. */
function resumed(
  work: Omit<Extract<Work, { kind: 'resume' }>, 'changes'>,
  { home, env, workspace, flags, headless, outputSchema }: PlanOptions,
  loaded: Loaded,
): Work | Ending {
  const { config, origins } = loaded;
  if (flags.plan !== undefined) return { status: 'usage', reason: PLAN_IS_FOR_NEW, text: '' };
  const byFlag = (key: string): boolean => origins[key]?.includes('flag ') === true;
  const further = byFlag('tools.add_dirs') ? foldersOf(loaded, { workspace, home, env }) : NONE;
  if (!further.ok) return configEnding(further.reason);
  const { model, permissions, budget, sandbox } = config;
  // Nobody is there to answer what a session that was started elsewhere would wait for.
  const onQuestion = flags.onQuestion ?? (headless ? 'deny' : undefined);
  return {
    ...work,
    // Nobody would lift a hold; whoever runs it in the foreground sees what becomes of it.
    force: work.force === true || headless,
    notice: outputSchema === undefined ? work.notice : withInstruction(work.notice, outputSchema),
    changes: {
      ...(byFlag('model.name') && model.name !== null ? { model: model.name } : {}),
      ...(byFlag('model.fallback') ? { fallback: model.fallback } : {}),
      ...(byFlag('model.base_url') && model.baseUrl !== null
        ? { baseUrl: model.baseUrl, local: isLocal(model.baseUrl) }
        : {}),
      ...(['mode', 'allow', 'ask', 'deny'].some((key) => byFlag(`permissions.${key}`))
        ? { permissions }
        : {}),
      ...(onQuestion === undefined ? {} : { onQuestion }),
      ...(byFlag('sandbox.mode') || byFlag('sandbox.network') ? { sandbox } : {}),
      ...further.folders,
      ...(flags.name === undefined ? {} : { name: flags.name, named: true }),
      ...(flags.shareWorkspace === true ? { sharesWorkspace: true } : {}),
      ...budgetChanges(config, byFlag, headless),
      ...(outputSchema === undefined ? {} : { outputSchema }),
      ...(byFlag('budget.max_rounds') || byFlag('budget.max_time')
        ? { limits: { maxRounds: budget.maxRounds, maxTimeMs: budget.maxTimeMs } }
        : {}),
    },
  };
}

/** One line of the goal, for lists. */
function nameOf(goal: string): string {
  const line = goal.trim().split('\n', 1)[0] ?? '';
  return line.length <= NAME_CHARS ? line : `${line.slice(0, NAME_CHARS - 1)}…`;
}
