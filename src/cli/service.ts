/**
 * `ouro service`: one unit of the person's own service manager that brings back every session which was
 * running or held, after a reboot. Nothing here needs more rights than that person has, and doing any of it
 * twice is the same as doing it once.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { programFile } from '../../config/package-root.js';
import { writeFileAtomic } from '../store/atomic-file.js';
import { AGENT_LABEL, launchdAgent, systemdUnit, UNIT_NAME } from './service-files.js';
import { NOTIFIER } from './service-watchdog.js';
import { EXIT_DONE, EXIT_NOT_POSSIBLE, runVerb, type VerbOutput } from './verb-output.js';
import type { VerbContext } from './verb-context.js';

export interface ServiceOptions {
  readonly json?: boolean | undefined;
  /** For tests; default: this system's. */
  readonly platform?: NodeJS.Platform;
}

/** A service manager: where it looks for the unit, and the commands that have it look. */
interface Manager {
  readonly file: string;
  readonly text: string;
  /** In this order; each must work for the unit to be in force. */
  readonly start: readonly Command[];
  /** Of one that may not be known to it: failing is no failure. */
  readonly stop: readonly Command[];
  readonly isActive: Command;
  readonly afterwards: readonly string[];
}

type Command = readonly [string, ...string[]];

function managerOf(context: VerbContext, platform: NodeJS.Platform): Manager | null {
  const { env, home } = context;
  const main = programFile();
  const path = env['PATH'] ?? '/usr/bin:/bin';
  const notifies = path.split(delimiter).some((folder) => existsSync(join(folder, NOTIFIER)));
  const command = { node: process.execPath, main, home, path, notifies };
  const user = env['HOME'] ?? homedir();
  const keys = `Keys of model servers are read from ${join(home, '.env')}: the manager does not know your shell's.`;
  if (platform === 'linux') {
    const config = env['XDG_CONFIG_HOME'] ?? join(user, '.config');
    const systemctl = (...args: string[]): Command => ['systemctl', '--user', ...args];
    return {
      file: join(config, 'systemd', 'user', UNIT_NAME),
      text: systemdUnit(command),
      start: [systemctl('daemon-reload'), systemctl('enable', '--now', UNIT_NAME)],
      stop: [systemctl('disable', '--now', UNIT_NAME)],
      isActive: systemctl('is-active', UNIT_NAME),
      afterwards: ['To have it run without a login, once: loginctl enable-linger', keys],
    };
  }
  if (platform !== 'darwin') return null;
  const file = join(user, 'Library', 'LaunchAgents', `${AGENT_LABEL}.plist`);
  const domain = `gui/${process.getuid?.() ?? 0}`;
  return {
    file,
    text: launchdAgent(command),
    start: [['launchctl', 'bootstrap', domain, file]],
    stop: [['launchctl', 'bootout', `${domain}/${AGENT_LABEL}`]],
    isActive: ['launchctl', 'print', `${domain}/${AGENT_LABEL}`],
    afterwards: [keys],
  };
}

/** `verb` as it was typed; it has been checked. */
export type ServiceVerb = 'install' | 'uninstall' | 'print' | 'status';

export const service = (
  verb: ServiceVerb,
  { platform = process.platform, ...options }: ServiceOptions,
  context: VerbContext,
): Promise<number> =>
  runVerb(context, options, (output) => {
    const manager = managerOf(context, platform);
    if (manager === null) {
      const message = `there is no service manager that ouro knows on ${platform}; start it yourself: ouro service run`;
      return output.fail({ code: 'not_possible', message });
    }
    switch (verb) {
      case 'print':
        output.line(manager.text.trimEnd());
        output.data({ ok: true, file: manager.file, text: manager.text });
        return EXIT_DONE;
      case 'install':
        return install(manager, context, output);
      case 'uninstall':
        return uninstall(manager, context, output);
      case 'status':
        return tellStatus(manager, context, output);
    }
  });

/** Whether sessions are brought back after a reboot. */
export function isServiceInstalled(context: VerbContext): boolean {
  const manager = managerOf(context, process.platform);
  return manager !== null && existsSync(manager.file);
}

const readUnit = (file: string): string | null =>
  existsSync(file) ? readFileSync(file, 'utf8') : null;

function install(manager: Manager, context: VerbContext, output: VerbOutput): number {
  const { file, text, start, stop, afterwards } = manager;
  const before = readUnit(file);
  if (before !== text) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileAtomic(file, text, 0o644);
    // What runs is the old one.
    if (before !== null) for (const command of stop) attempt(command, context);
  } else if (attempt(manager.isActive, context) === null) {
    output.line(`it is installed already: ${file}`);
    output.data({ ok: true, changed: false, file });
    return EXIT_DONE;
  }
  for (const command of start) {
    const failure = attempt(command, context);
    if (failure === null) continue;
    const message = `${file} is written, but the service manager did not take it: ${failure}. Try: ${command.join(' ')}`;
    return output.fail({ code: 'not_possible', message });
  }
  output.line(`installed: ${file}`);
  for (const line of afterwards) output.line(line);
  output.data({ ok: true, changed: true, file });
  return EXIT_DONE;
}

function uninstall({ file, stop }: Manager, context: VerbContext, output: VerbOutput): number {
  const changed = readUnit(file) !== null;
  if (changed) {
    for (const command of stop) attempt(command, context);
    rmSync(file, { force: true });
  }
  output.line(changed ? `removed: ${file}; sessions that run go on` : 'it was not installed');
  output.data({ ok: true, changed, file });
  return EXIT_DONE;
}

function tellStatus(manager: Manager, context: VerbContext, output: VerbOutput): number {
  const { file, text, isActive } = manager;
  const found = readUnit(file);
  const active = found !== null && attempt(isActive, context) === null;
  const current = found === text;
  output.line(found === null ? 'not installed: ouro service install' : `installed: ${file}`);
  if (found !== null) {
    output.line(active ? 'running' : 'not running: ouro service install');
    if (!current) output.line('it was installed for another program: ouro service install');
  }
  output.data({ ok: active && current, installed: found !== null, active, current, file });
  return active && current ? EXIT_DONE : EXIT_NOT_POSSIBLE;
}

/** Null: it worked. */
function attempt([program, ...args]: Command, { env }: VerbContext): string | null {
  try {
    execFileSync(program, args, { env, stdio: 'pipe', encoding: 'utf8' });
    return null;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const said = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
    return said === '' ? error.message : said;
  }
}
