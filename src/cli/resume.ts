/**
 * `ouro resume`: lifts a person's hold on a session that runs, and starts one that does not from its
 * journal, in the background, where it stopped.
 */
import type { Raise } from '../../messages/budget.js';
import type { Millis } from '../../messages/ids.js';
import type { Restart } from '../ground.js';
import { readRaise, resumeRequest } from './added-limits.js';
import { planRun } from './plan-run.js';
import { ask, report, type Outcome } from './ask-session.js';
import { listSessions, type StandingSession } from './liveness.js';
import { selectSession } from './select-session.js';
import { startDaemon } from './start.js';
import type { VerbContext } from './verb-context.js';
import { workspaceTrust } from './workspace-trust.js';
import { runVerb, usage, type VerbFailure } from './verb-output.js';

export interface ResumeOptions {
  readonly id?: string | undefined;
  /** Every session that is held, or that was cut off. */
  readonly all?: boolean | undefined;
  /** Sets a damaged journal aside and goes on from its last good row. */
  readonly salvage?: boolean | undefined;
  /** Also lifts what holds it for being stuck, or for how it ended. */
  readonly force?: boolean | undefined;
  /** Added to its limits, as typed. */
  readonly addCost?: string | undefined;
  readonly addTokens?: string | undefined;
  readonly addTime?: string | undefined;
  readonly json?: boolean | undefined;
}

export const resume = (options: ResumeOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const add = readRaise(options);
    if ('code' in add) return output.fail(add);
    const chosen = choose(options, context);
    if ('code' in chosen) return output.fail(chosen);
    if (chosen.length === 0) output.line('nothing is held or was cut off');
    const outcomes: Outcome[] = [];
    for (const session of chosen) outcomes.push(await resumeOne(session, options, add, context));
    return report(output, outcomes);
  });

function choose(
  { id, all = false, salvage = false, force = false }: ResumeOptions,
  context: VerbContext,
): readonly StandingSession[] | VerbFailure {
  if (force && all) return usage('--force is for one session: name it');
  if (!all) {
    const selected = selectSession({ id, fitting: 'any' }, context);
    return selected.ok ? [selected.session] : selected.failure;
  }
  if (id !== undefined) return usage(`name a session or say --all, not both: ${id}`);
  if (salvage) return usage('--salvage changes a journal: name the session it is meant for');
  return listSessions(context, {}).filter(({ live, state }) => !live || state === 'held');
}

async function resumeOne(
  session: StandingSession,
  { salvage = false, force = false }: ResumeOptions,
  add: Raise,
  context: VerbContext,
): Promise<Outcome> {
  if (session.live) return ask(session, resumeRequest(add, force));
  if (session.state === 'done') {
    const message =
      'it is done; give it a further goal: ouro run -r ' + session.id.slice(0, 8) + ' "GOAL"';
    return { session, ok: false, code: 'not_possible', message };
  }
  if (!salvage) return resumeFromJournal(session, context, { add, force });
  const { told, notice } = await salvageJournal(session, context);
  const started = await resumeFromJournal(session, context, { notice, add, force });
  return started.ok ? { ...started, message: `${told}; ${started.message}` } : started;
}

export interface Resuming {
  /** What the agent must know before it goes on. */
  readonly notice?: string | null;
  /** Added to its limits. */
  readonly add?: Raise;
  readonly force?: boolean;
  /** False: nobody asked for it, and a server that does not answer is waited for. */
  readonly byPerson?: boolean;
  readonly restart?: Restart;
  /** The restarts after crashes that count for the next one. */
  readonly restarts?: readonly Millis[];
}

/** Starts it in the background, if all that can be checked beforehand is right. */
export async function resumeFromJournal(
  session: StandingSession,
  context: VerbContext,
  how: Resuming = {},
): Promise<Outcome> {
  const { notice = null, add = {}, force = false, byPerson = true, restart, restarts } = how;
  const { home, env } = context;
  const { workspace, id } = session;
  const trusted = await workspaceTrust({ place: context, workspace, session: id });
  if (!trusted.ok) return { session, ok: false, code: 'not_possible', message: trusted.reason };
  const planned = planRun({
    home,
    trust: trusted.trust,
    env,
    workspace,
    flags: {},
    headless: false,
    checkFirst: true,
    work: {
      kind: 'resume',
      id,
      goal: null,
      notice,
      byPerson,
      add,
      force,
      ...(restart === undefined ? {} : { restart }),
    },
  });
  const warnings = planned.ok ? planned.plan.warnings : [];
  const answer = planned.ok ? await startDaemon(planned.plan.request, restarts) : planned;
  if (!answer.ok) {
    return { session, ok: false, code: 'not_possible', message: answer.ending.reason };
  }
  const { pid } = answer;
  const all = [...warnings, ...answer.warnings];
  const message = [`running again in the background (pid ${pid})`, ...all].join('\n  ');
  return { session, ok: true, changed: true, message, details: { pid, warnings: all } };
}

/** The agent would not know that its newest steps are missing from what it remembers. */
const FORGOTTEN =
  'Part of the record of this session was damaged, and its newest steps are missing from this ' +
  'conversation. They may have changed files or run commands. Check what is there before you go on.';

async function salvageJournal(
  { id }: StandingSession,
  { home }: VerbContext,
): Promise<{ told: string; notice: string | null }> {
  const { salvage } = await import('../store/salvage.js');
  const { sessionDir } = await import('../store/layout.js');
  const { kept, damaged } = salvage({ dir: sessionDir(home, id), session: id });
  if (damaged === null) return { told: 'the journal is sound', notice: null };
  return { told: `${kept} rows were kept, the damaged file is ${damaged}`, notice: FORGOTTEN };
}
