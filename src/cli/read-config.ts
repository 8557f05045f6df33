/** The configuration as a session in a folder would get it, for the verbs that show and check it. */
import { effectiveEnvironment } from '../../config/environment.js';
import type { Environment } from '../../config/home.js';
import { formatConfigErrors, loadConfig, type LoadedConfig } from '../../config/load.js';
import { stripControls } from '../../tui/text/sanitise.js';
import { EXIT_CODES } from '../../messages/session.js';
import { redactor } from '../tools/redaction.js';
import { settingsOf, type RunFlags } from './run-flags.js';
import type { VerbContext } from './verb-context.js';
import type { VerbFailure, VerbOutput } from './verb-output.js';
import { findWorkspace } from './workspace.js';
import { workspaceTrust, type WorkspaceTrust } from './workspace-trust.js';

export interface ConfigFlags extends RunFlags {
  readonly json?: boolean;
}

export interface ReadConfig {
  readonly ok: true;
  readonly workspace: string;
  readonly trust: WorkspaceTrust;
  /** With the variables that came from files. */
  readonly env: Environment;
  readonly fromFile: ReadonlyMap<string, string>;
  readonly loaded: LoadedConfig;
}

export type Read = ReadConfig | { readonly ok: false; readonly failure: VerbFailure };

/** Nothing is started, so no folder is refused for what could happen in it. */
export async function readConfig(flags: ConfigFlags, context: VerbContext): Promise<Read> {
  const { home, env, cwd } = context;
  const found = findWorkspace(flags.workspace ?? '.', cwd, home);
  if (!found.ok) return { ok: false, failure: { code: 'not_possible', message: found.reason } };
  const { workspace } = found;
  const answered = await workspaceTrust({
    place: context,
    workspace,
    forThisRun: flags.trustWorkspace === true,
  });
  if (!answered.ok)
    return { ok: false, failure: { code: 'not_possible', message: answered.reason } };
  const { trust } = answered;
  const { trusted, changed } = trust;
  const loaded = loadConfig({
    home,
    workspace,
    env,
    flags: settingsOf(flags),
    trusted,
    changed,
    ...(flags.config === undefined ? {} : { configFile: flags.config }),
  });
  const effective = effectiveEnvironment(home, env, trusted ? workspace : null);
  return { ok: true, workspace, trust, env: effective.env, fromFile: effective.fromFile, loaded };
}

/** Tells what is wrong, each with its place; returns the exit code for it. */
export function failAsConfig(
  output: VerbOutput,
  loaded: Extract<LoadedConfig, { ok: false }>,
): number {
  output.note(formatConfigErrors(loaded.errors));
  const error = { code: 'config', message: 'the configuration is wrong' };
  output.data({ ok: false, error, errors: loaded.errors });
  return EXIT_CODES.config;
}

/** Text of a file, safe to print: a rule or an address can hold a key. */
export function safeText({ env }: Pick<ReadConfig, 'env'>): (text: string) => string {
  const redact = redactor(env);
  return (text) => stripControls(redact(text));
}
