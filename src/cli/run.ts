/** `ouro run` and `ouro start`: a new session, or a further goal for an old one. */
import { ouroHome } from '../../config/home.js';
import { shortId, type SessionId } from '../../messages/ids.js';
import { limitsText } from '../../tui/budget-text.js';
import type { Ending } from '../session/ending.js';
import { readGoal } from './goal.js';
import { failedToStart, type Terminal } from './run-end.js';
import { planRun, type PlanOptions, type Rehearsal } from './plan-run.js';
import type { RunFlags } from './run-flags.js';
import { exitCodeOf, startDaemon, type DaemonBoot } from './start.js';
import { verbContext } from './verb-context.js';
import { findWorkspace } from './workspace.js';
import { workspaceTrust } from './workspace-trust.js';
import type { Place } from './worktree-run.js';

export interface RunRequest {
  readonly goal: string | undefined;
  readonly flags: RunFlags;
  readonly background: boolean;
  /** Set by `ouro rehearse`: a scripted server answers. */
  readonly rehearsal?: Rehearsal;
}

type Way = 'background' | 'dashboard' | 'headless';

const usage = (reason: string): Ending => ({ status: 'usage', reason, text: '' });

/** What the disk or a file refuses ends the run like everything else that is wrong beforehand. */
export async function run(request: RunRequest, terminal: Terminal): Promise<number> {
  try {
    return await runChecked(request, terminal);
  } catch (error) {
    const { isExpected } = await import('../expected-error.js');
    if (!isExpected(error)) throw error;
    const ending: Ending = { status: 'bad_input', reason: error.message, text: '' };
    return failedToStart(ending, request.flags, terminal);
  }
}

async function runChecked(request: RunRequest, terminal: Terminal): Promise<number> {
  const { flags } = request;
  const fail = (ending: Ending): number => failedToStart(ending, flags, terminal);
  const home = ouroHome(terminal.env);
  const found = findWorkspace(flags.workspace, process.cwd(), home);
  if (!found.ok) return fail({ status: 'bad_input', reason: found.reason, text: '' });
  const read = await readGoal(request.goal, process.stdin);
  if (!read.ok) return fail(read.ending);
  if (read.notice !== null) terminal.err.write(`ouro: ${read.notice}\n`);
  const way = wayOf(request, terminal);
  if (way === 'background' && wantsForeground(flags)) {
    return fail(
      usage(
        'A session in the background prints no result: leave out --bg, or the flags for output, and ask for it with: ouro wait ID --json',
      ),
    );
  }
  const chosen = await workOf(request, read.goal, found.workspace, terminal);
  if ('status' in chosen) return fail(chosen);
  const begin = (place: Place): Promise<number> => beginIn(place, request, { way, terminal, home });
  if (flags.worktree !== true) return begin(chosen);
  const { inWorktree } = await import('./worktree-run.js');
  return inWorktree(chosen, { home, terminal }, { begin, fail });
}

interface Beginning {
  readonly way: Way;
  readonly terminal: Terminal;
  readonly home: string;
}

async function beginIn(
  { work, workspace, trustOf }: Place,
  { flags }: RunRequest,
  { way, terminal, home }: Beginning,
): Promise<number> {
  const fail = (ending: Ending): number => failedToStart(ending, flags, terminal);
  const trusted = await workspaceTrust({
    place: verbContext(terminal),
    workspace,
    ...(trustOf === undefined ? {} : { worktreeOf: trustOf }),
    ...(work.kind === 'resume' ? { session: work.id } : {}),
    forThisRun: flags.trustWorkspace === true,
  });
  if (!trusted.ok) return fail({ status: 'config', reason: trusted.reason, text: '' });
  const outputFile = flags.outputSchema ?? flags.jsonSchema;
  const output = outputFile === undefined ? null : await schemaOf(outputFile);
  if (output?.ok === false) return fail(output.ending);
  const planned = planRun({
    home,
    trust: trusted.trust,
    env: terminal.env,
    workspace,
    flags,
    headless: way === 'headless',
    checkFirst: way !== 'headless',
    ...(output === null ? {} : { outputSchema: output.schema }),
    work,
  });
  if (!planned.ok) return fail(planned.ending);
  if (way === 'headless') {
    const { runHeadless } = await import('./headless-run.js');
    return runHeadless(planned.plan, flags, terminal);
  }
  for (const warning of planned.plan.warnings) terminal.err.write(`ouro: ${warning}\n`);
  const boot = planned.plan.request;
  return way === 'background'
    ? startInBackground(boot, terminal)
    : startWithDashboard(boot, terminal);
}

async function schemaOf(file: string) {
  const { readOutputSchema } = await import('./output-schema.js');
  return readOutputSchema(file);
}

/** The dashboard needs a terminal, and nobody who watches a build wants one. */
function wayOf({ background, flags }: RunRequest, { out, env }: Terminal): Way {
  if (background || flags.bg === true) return 'background';
  const inCi = env['CI'] !== undefined && env['CI'] !== '';
  const wantsOutput = flags.print === true || wantsForeground(flags);
  return out.isTTY && process.stdin.isTTY && !inCi && !wantsOutput ? 'dashboard' : 'headless';
}

/** What a session in the background, with nobody's stdout, cannot do. */
const wantsForeground = ({ outputFormat, outputFile }: RunFlags): boolean =>
  outputFormat !== undefined || outputFile !== undefined;

async function workOf(
  { flags, rehearsal }: RunRequest,
  goal: string | null,
  workspace: string,
  terminal: Terminal,
): Promise<Pick<PlanOptions, 'work' | 'workspace'> | Ending> {
  if (flags.continue !== true && flags.resume === undefined) {
    if (goal !== null)
      return { work: { kind: 'new', goal, rehearsal: rehearsal ?? null }, workspace };
    return usage('Say what is to be done: ouro run "GOAL" (or - for stdin, @FILE for a file).');
  }
  const { sessionToContinue } = await import('./continue-session.js');
  const chosen = sessionToContinue({ workspace, id: flags.resume }, verbContext(terminal));
  if (!chosen.ok) return usage(chosen.reason);
  const work = { kind: 'resume', id: chosen.id, goal, notice: null, byPerson: true } as const;
  // It works where it always did, whatever folder it is called from.
  return { work, workspace: chosen.workspace };
}

export async function startInBackground(
  boot: DaemonBoot,
  { out, err, env }: Terminal,
): Promise<number> {
  const answer = await startDaemon(boot);
  if (!answer.ok) {
    err.write(`ouro: ${answer.ending.reason}\n`);
    return exitCodeOf(answer.ending);
  }
  for (const warning of answer.warnings) err.write(`ouro: ${warning}\n`);
  const id = shortId(idOf(boot));
  out.write(`${id}\n`);
  const commands = [
    `ouro attach ${id}`,
    `ouro logs ${id} -f`,
    `ouro pause ${id}`,
    `ouro stop ${id}`,
  ];
  const { isServiceInstalled } = await import('./service.js');
  const reboot = isServiceInstalled(verbContext({ out, err, env }))
    ? 'it comes back after a crash and a reboot'
    : `it comes back after a crash; a reboot ends it until: ouro resume ${id}`;
  err.write(`Session ${id} is running in the background; ${reboot}\n`);
  if (boot.work.kind === 'new') err.write(`${limitsText(boot.work.spec)}\n`);
  for (const command of commands) err.write(`  ${command}\n`);
  return 0;
}

const idOf = ({ work }: DaemonBoot): SessionId => (work.kind === 'new' ? work.spec.id : work.id);

async function startWithDashboard(boot: DaemonBoot, terminal: Terminal): Promise<number> {
  const answer = await startDaemon(boot);
  if (!answer.ok) {
    terminal.err.write(`ouro: ${answer.ending.reason}\n`);
    return exitCodeOf(answer.ending);
  }
  const { watchRun } = await import('./watch-run.js');
  return watchRun(boot.home, idOf(boot), terminal);
}
