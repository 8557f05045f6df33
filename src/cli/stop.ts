/** `ouro stop`: asks the session to end, and waits until its process really has. */
import { shortId } from '../../messages/ids.js';
import { endGuardian } from '../store/guardian-record.js';
import { ask, report } from './ask-session.js';
import type { Outcome } from './ask-session.js';
import { endLine, howItEnded } from './how-it-ended.js';
import { isLive, standingSession } from './liveness.js';
import type { StandingSession } from './liveness.js';
import { selectSessions } from './select-session.js';
import { killProcessesOf } from './session-processes.js';
import { runVerb } from './verb-output.js';
import type { VerbContext } from './verb-context.js';
import { becomesTrue } from './waiting-time.js';

export interface StopOptions {
  readonly id?: string | undefined;
  readonly all?: boolean | undefined;
  readonly json?: boolean | undefined;
  /** How long its end is waited for; for tests. */
  readonly limitMs?: number;
}

/** The agents' grace, the end of their processes, and the last rows: 7 s at most, and some for a busy machine. */
const END_MS = 10_000;
const LOOK_MS = 50;

export const stop = (options: StopOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const { id, all, limitMs = END_MS } = options;
    const selected = selectSessions({ id, all, fitting: 'live', neverGuess: true }, context);
    if (!selected.ok) return output.fail(selected.failure);
    if (selected.sessions.length === 0) output.line('no session is running');
    const stopped = selected.sessions.map((session) => stopOne(session, context, limitMs));
    return report(output, await Promise.all(stopped));
  });

export interface StopKind {
  /** At once in another process: what outlives a restart is left for that. */
  readonly goesOn?: boolean;
}

export async function stopOne(
  session: StandingSession,
  context: VerbContext,
  limitMs: number,
  { goesOn = false }: StopKind = {},
): Promise<Outcome> {
  if (!session.live) {
    // It may be about to be started again.
    endGuardian(context.home, session.id);
    leaveNothing(session, context);
    return wasOver(session, context);
  }
  const asked = await askToStop(session, goesOn);
  // Should it die while it ends, it is not to come back.
  if (asked.ok) endGuardian(context.home, session.id);
  const over = (): boolean => !isLive(context.home, session.id);
  // One that is ending already may answer that, or close the connection, and has what was wanted.
  if (!asked.ok && asked.code === 'no_answer' && !over()) return asked;
  if (!(await becomesTrue(over, { limitMs, everyMs: LOOK_MS }))) return stillThere(session, asked);
  if (!goesOn) leaveNothing(session, context);
  return nowOver(session, context, asked.ok ? asked.message : null);
}

/** What was to outlive a crash is not to outlive this, also when it crashed while it ended. */
function leaveNothing({ id }: StandingSession, { home }: VerbContext): void {
  if (!isLive(home, id)) killProcessesOf(id);
}

/** An older program does not know the argument, and has nothing that outlives it. */
async function askToStop(session: StandingSession, goesOn: boolean): Promise<Outcome> {
  const asked = goesOn ? await ask(session, { do: 'stop', args: { restart: true } }) : null;
  return asked === null || (!asked.ok && asked.code === 'not_possible')
    ? ask(session, { do: 'stop' })
    : asked;
}

/** For one whose process had ended before it was told to. */
export const wasOver = (session: StandingSession, { home }: VerbContext): Outcome => {
  const message = `it was not running: ${endLine(howItEnded(home, session))}`;
  return { session, ok: true, changed: false, message };
};

/** For one that has just ended as it was told to. `answered`: what it said to that; it counts where no result was kept. */
export function nowOver(
  session: StandingSession,
  context: VerbContext,
  answered: string | null = null,
): Outcome {
  const end = howItEnded(context.home, standingSession(context, session.id) ?? session);
  const { status, exitCode, result } = end;
  const details = { status, exit_code: exitCode, result };
  const said = result === null && answered !== null ? ` (it said: ${answered})` : '';
  return { session, ok: true, changed: true, message: `${endLine(end)}${said}`, details };
}

function stillThere(session: StandingSession, asked: Outcome): Outcome {
  const why = asked.ok ? 'it was told to stop and has not ended yet' : asked.message;
  const message = `${why}; to end it at once: ouro kill ${shortId(session.id)}`;
  return { session, ok: false, code: 'no_answer', message };
}
