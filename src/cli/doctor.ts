/** `ouro doctor`: everything that a session needs, looked at in turn; one line each, and what to do. */
import { existsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { userConfigFile } from '../../config/home.js';
import { formatConfigErrors } from '../../config/load.js';
import type { Config } from '../../config/settings.js';
import { sanitiseLine } from '../../tui/text/sanitise.js';
import { checkConfiguration } from '../doctor/configuration.js';
import { checkDatabase } from '../doctor/database.js';
import { problem, reasonOf, runChecks, type Check, type Finding } from '../doctor/finding.js';
import { checkHome } from '../doctor/home-folder.js';
import { USUAL_SERVERS, type UsualServer } from '../doctor/local-servers.js';
import { checkNode } from '../doctor/node-version.js';
import { checkRipgrep } from '../doctor/ripgrep.js';
import { checkSandbox } from '../doctor/sandbox.js';
import { checkTerminal } from '../doctor/terminal.js';
import { isExpected } from '../expected-error.js';
import { findFolders } from '../session-folders.js';
import { sqliteReport } from '../store/sqlite-report.js';
import { filesOf } from './config-path.js';
import { modelServerChecks } from './doctor-endpoint.js';
import { withIndex } from './open-home.js';
import { readConfig, safeText, type ConfigFlags, type ReadConfig } from './read-config.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, EXIT_NOT_POSSIBLE, runVerb, usage } from './verb-output.js';

export interface DoctorFlags extends ConfigFlags {
  readonly endpoint?: string;
  readonly probe?: boolean;
  /** Where to look for servers on this machine; left out: on the ports that they usually have. */
  readonly usualServers?: readonly UsualServer[];
}

/** 0: nothing is a problem; 1: something is. */
export const doctor = (flags: DoctorFlags, context: VerbContext): Promise<number> =>
  runVerb(context, flags, async (output) => {
    const read = await readForDoctor(flags, context);
    if (!('workspace' in read)) return output.fail(read);
    const { loaded } = read;
    const config = loaded.ok ? loaded.config : null;
    const unknown = config === null ? null : unknownEndpoint(flags, config);
    if (unknown !== null) return output.fail(usage(unknown));
    const findings = await runChecks(checksOf(read, config, flags, context));
    const safe = safeText(read);
    for (const finding of findings) for (const line of linesOf(finding)) output.line(safe(line));
    const problems = findings.filter(({ level }) => level === 'problem').length;
    output.line(problems === 0 ? 'no problem found' : `problems: ${problems}`);
    output.data({ ok: problems === 0, findings: findings.map((one) => inJson(one, safe)) });
    return problems === 0 ? EXIT_DONE : EXIT_NOT_POSSIBLE;
  });

type Reading = ReadConfig & { readonly broken?: string };

/** A list of sessions that cannot be opened must not hide everything else: nothing is trusted then. */
async function readForDoctor(flags: DoctorFlags, context: VerbContext) {
  try {
    const read = await readConfig(flags, context);
    return read.ok ? (read as Reading) : read.failure;
  } catch (error) {
    if (!isExpected(error)) throw error;
    const file = userConfigFile(context.home);
    const own = existsSync(file) ? { config: file } : {};
    const elsewhere = { ...context, home: `${context.home}.missing` };
    const read = await readConfig({ ...own, ...flags }, elsewhere);
    return read.ok ? { ...read, broken: error.message } : read.failure;
  }
}

function unknownEndpoint({ endpoint }: DoctorFlags, { endpoints }: Config): string | null {
  if (endpoint === undefined || endpoints.some(({ name }) => name === endpoint)) return null;
  const names = endpoints.map(({ name }) => name).join(', ');
  return `There is no [endpoints.${endpoint}] in the configuration; there is ${names || 'none'}.`;
}

function checksOf(
  read: Reading,
  config: Config | null,
  flags: DoctorFlags,
  context: VerbContext,
): readonly Check[] {
  const { home, isTerminal, env, out } = context;
  const isFolder = statSync(home, { throwIfNoEntry: false })?.isDirectory() === true;
  const tried = isFolder ? home : tmpdir();
  return [
    () => checkNode(process.versions.node),
    () => checkTerminal({ isTerminal, env, ...sizeOf(out) }),
    () => checkHome(home),
    () =>
      checkDatabase({
        trial: () => sqliteReport(tried),
        countSessions: () => withIndex(context, 0, (index) => index.list({ all: true }).length),
      }),
    () => configurationFindings(read, flags, context),
    () => checkRipgrep(),
    () => sandboxFindings(read, config, context),
    ...(config === null
      ? []
      : modelServerChecks({
          config,
          read,
          context,
          endpoint: flags.endpoint ?? null,
          probe: flags.probe === true,
          usual: flags.usualServers ?? USUAL_SERVERS,
        })),
  ];
}

function sizeOf(out: VerbContext['out']): { columns: number; rows: number; colourBits: number } {
  const { columns = 0, rows = 0 } = out as Partial<NodeJS.WriteStream>;
  const hasDepth = 'getColorDepth' in out && typeof out.getColorDepth === 'function';
  const colourBits = hasDepth ? (out as NodeJS.WriteStream).getColorDepth() : 1;
  return { columns, rows, colourBits };
}

function configurationFindings(
  read: Reading,
  flags: DoctorFlags,
  context: VerbContext,
): readonly Finding[] {
  const { loaded, workspace, trust, broken } = read;
  const files = filesOf(read, flags, context).filter(({ exists }) => exists);
  const found = checkConfiguration({
    workspace,
    files: files.map(({ path }) => path),
    errors: loaded.ok ? [] : loaded.errors.map((error) => formatConfigErrors([error])),
    warnings: loaded.ok ? loaded.warnings : [],
    trust: trust.state,
  });
  if (broken === undefined) return found;
  const advice = 'until then no file of the workspace is trusted';
  return [...found, problem('trust', `what was trusted cannot be looked up: ${broken}`, advice)];
}

async function sandboxFindings(
  { env, workspace }: Reading,
  config: Config | null,
  { home }: VerbContext,
): Promise<readonly Finding[]> {
  const { mode, network } = config?.sandbox ?? { mode: 'auto', network: false };
  const folders = findFolders(config?.tools.addDirs ?? [], { workspace, home, env });
  const addDirs = folders.ok ? folders.folders : [];
  return checkSandbox(mode, async () => {
    const { sandboxReport } = await import('../sandbox/check.js');
    try {
      return await sandboxReport({ network, workspace, addDirs, ouroHome: home, env });
    } catch (error) {
      return { works: false, reason: reasonOf(error), remedy: 'put right what is named there' };
    }
  });
}

const MARKS: Readonly<Record<Finding['level'], string>> = {
  ok: 'ok      ',
  warn: 'warn    ',
  problem: 'PROBLEM ',
};

/** Cells that names of checks are given. */
const NAME_WIDTH = 10;

function* linesOf({ check, level, what, todo }: Finding): Generator<string> {
  const [first = '', ...rest] = what.split('\n');
  yield sanitiseLine(`${MARKS[level]}${check.padEnd(NAME_WIDTH)}${first}`);
  const indent = ' '.repeat(MARKS.ok.length + NAME_WIDTH);
  for (const line of rest) yield sanitiseLine(indent + line);
  for (const line of todo?.split('\n') ?? []) yield sanitiseLine(`${indent}${line}`);
}

const inJson = (finding: Finding, safe: (text: string) => string): Finding => ({
  ...finding,
  what: safe(finding.what),
  ...(finding.todo === undefined ? {} : { todo: safe(finding.todo) }),
});
