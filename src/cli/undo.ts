/**
 * `ouro undo`: puts back what a session changed in its files, all of it or what came after a round. All or
 * nothing, unless asked otherwise: one file that somebody else has changed since is a reason to refuse. The
 * session must not be running; when it goes on, its agent is told.
 */
import { shortId } from '../../messages/ids.js';
import { reveal } from '../../tui/text/sanitise.js';
import { undoDir } from '../undo-ground.js';
import { openStopped, type StoppedSession } from '../stopped-session.js';
import { readHistory } from '../session-diff.js';
import { sessionDir } from '../store/layout.js';
import type { FileHistory } from '../undo/history.js';
import { planUndo, type Refused, type UndoPlan } from '../undo/plan-undo.js';
import { restore } from '../undo/restore.js';
import { selectSession } from './select-session.js';
import type { StandingSession } from './liveness.js';
import type { VerbContext } from './verb-context.js';
import {
  EXIT_DONE,
  EXIT_NOT_POSSIBLE,
  runVerb,
  usage,
  type VerbFailure,
  type VerbOutput,
} from './verb-output.js';

export interface UndoOptions {
  readonly id?: string | undefined;
  readonly to?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly partial?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** `to`: the last round whose changes stay; null: none stay. */
interface Wanted {
  readonly session: StandingSession;
  readonly to: number | null;
  readonly isPartial: boolean;
}

/** Names that are told to the agent; the rest are counted. */
const TOLD_NAMES = 50;

export const undo = (options: UndoOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const to = options.to === undefined ? null : Number(options.to);
    if (to !== null && !/^\d{1,9}$/.test(options.to ?? ''))
      return output.fail(usage(`--to takes the number of a round, not "${options.to}"`));
    const chosen = selectSession({ id: options.id, fitting: 'any', neverGuess: true }, context);
    if (!chosen.ok) return output.fail(chosen.failure);
    const { session } = chosen;
    const wanted = { session, to, isPartial: options.partial === true };
    if (session.live) return output.fail(isRunning(session));
    if (options.dryRun === true) {
      const history = readHistory(session.id, context.home);
      return dryRun(wanted, planOf(wanted, history), output);
    }
    const opened = await openStopped(session, context.home, context);
    if (!opened.ok) return output.fail({ code: 'not_possible', message: opened.reason });
    try {
      return await undoNow(wanted, opened.stopped, context, output);
    } finally {
      await opened.stopped.close();
    }
  });

const isRunning = ({ id }: StandingSession): VerbFailure => ({
  code: 'not_possible',
  message:
    `session ${shortId(id)} is running and could change the files again meanwhile; ` +
    `stop it first: ouro stop ${shortId(id)}`,
});

/** The row from which on changes are taken back; null: nothing came after that round. */
const fromOf = ({ to }: Wanted, history: FileHistory): number | null =>
  to === null ? 1 : history.endOf(to);

function planOf(wanted: Wanted, history: FileHistory): UndoPlan {
  const from = fromOf(wanted, history);
  return planUndo(wanted.session.workspace, from === null ? [] : history.since(from));
}

function dryRun(wanted: Wanted, plan: UndoPlan, output: VerbOutput): number {
  const paths = plan.steps.map(({ path }) => path);
  for (const path of paths) output.line(`would be put back: ${reveal(path)}`);
  tell(plan, [], output);
  if (paths.length === 0) output.line('there is nothing to undo');
  output.data({ ok: true, dry_run: true, ...resultOf(wanted, plan, paths, []) });
  return EXIT_DONE;
}

async function undoNow(
  wanted: Wanted,
  stopped: StoppedSession,
  { home }: VerbContext,
  output: VerbOutput,
): Promise<number> {
  const { session, isPartial } = wanted;
  const plan = planOf(wanted, stopped.history);
  if (plan.conflicts.length > 0 && !isPartial) return output.fail(conflicting(wanted, plan));
  const dir = undoDir(sessionDir(home, session.id));
  const { done, failed } = restore({ workspace: session.workspace, dir }, plan.steps);
  const from = fromOf(wanted, stopped.history);
  if (done.length > 0 && from !== null) {
    await stopped.noteUndone({ to: wanted.to, from, paths: done }, noticeOf(wanted, done));
  }
  for (const path of done) output.line(`put back: ${reveal(path)}`);
  tell(plan, failed, output);
  if (done.length === 0) output.line('there is nothing to undo');
  output.data({ ok: failed.length === 0, dry_run: false, ...resultOf(wanted, plan, done, failed) });
  return failed.length === 0 ? EXIT_DONE : EXIT_NOT_POSSIBLE;
}

function conflicting({ session }: Wanted, { conflicts }: UndoPlan): VerbFailure {
  const lines = conflicts.map(({ path, reason }) => `  ${reveal(path)}: ${reason}`);
  return {
    code: 'not_possible',
    message: [
      'nothing was undone, because these would lose what somebody else did:',
      ...lines,
      `see them with ouro diff ${shortId(session.id)}, or undo the rest alone with --partial`,
    ].join('\n'),
    details: { conflicts },
  };
}

function tell(plan: UndoPlan, failed: readonly Refused[], output: VerbOutput): void {
  const all = [...plan.conflicts, ...plan.notKept, ...failed];
  for (const { path, reason } of all) output.note(`not put back: ${reveal(path)}: ${reason}`);
}

const resultOf = (
  { session, to }: Wanted,
  { conflicts, notKept }: UndoPlan,
  undone: readonly string[],
  failed: readonly Refused[],
) => ({ session: session.id, to, undone, conflicts, not_kept: notKept, failed });

function noticeOf({ to }: Wanted, done: readonly string[]): string {
  const more = done.length > TOLD_NAMES ? ` and ${done.length - TOLD_NAMES} more` : '';
  const state = to === null ? 'the state before this session' : `the state after round ${to}`;
  const names = done.slice(0, TOLD_NAMES).join(', ');
  return (
    `I have undone your changes: these files are back to ${state}: ${names}${more}. ` +
    'Read them again before you rely on what you remember of them.'
  );
}
