/**
 * `ouro restart`: brings a session in the background to the installed program. No further request is sent,
 * what runs finishes; then it is stopped, and goes on in a new process as it was, a pause of a person's own
 * included. A call that only waits does not hold it up: it goes on to its deadline in the new process.
 */
import type { Hold } from '../../messages/pause.js';
import type { Snapshot } from '../../messages/snapshot.js';
import { readGuardian } from '../store/guardian-record.js';
import { ask, report, type Outcome } from './ask-session.js';
import { isLive, standingSession, type StandingSession } from './liveness.js';
import { resumeFromJournal } from './resume.js';
import { resumeCommand, selectSessions } from './select-session.js';
import { killProcessesOf } from './session-processes.js';
import { snapshotOf } from './status.js';
import { stopOne } from './stop.js';
import type { VerbContext } from './verb-context.js';
import { runVerb } from './verb-output.js';
import { rest } from './waiting-time.js';

export interface RestartOptions {
  readonly id?: string | undefined;
  readonly all?: boolean | undefined;
  readonly json?: boolean | undefined;
  /** How long what runs may take to finish; for tests. */
  readonly drainMs?: number;
}

/** Longer than almost every command; after it the session goes on as it was. */
const DRAIN_MS = 15 * 60 * 1000;
const LOOK_MS = 200;
const STOP_MS = 10_000;

/** Calls that only wait: they are made again, and wait on. */
const RESUMABLE: readonly string[] = ['sleep', 'ask_user', 'delegate', 'check_agent'];

/** A pause, which a person lifts again. */
const isPause = ({ kind, scope }: Hold): boolean =>
  scope === 'session' && (kind === 'user' || kind === 'timer');

export const restart = (options: RestartOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const { id, all, drainMs = DRAIN_MS } = options;
    const selected = selectSessions({ id, all, fitting: 'live' }, context);
    if (!selected.ok) return output.fail(selected.failure);
    const sessions = selected.sessions.filter(
      (session) => all !== true || readGuardian(context.home, session.id) !== null,
    );
    if (sessions.length === 0) output.line('no session is running in the background');
    const restarted = sessions.map((session) => restartOne(session, drainMs, context));
    return report(output, await Promise.all(restarted));
  });

async function restartOne(
  session: StandingSession,
  drainMs: number,
  context: VerbContext,
): Promise<Outcome> {
  const refuse = (message: string): Outcome => {
    return { session, ok: false, code: 'not_possible', message };
  };
  if (!session.live) return refuse(`it is not running: ${resumeCommand(session)}`);
  if (readGuardian(context.home, session.id) === null) {
    return refuse('it runs in the foreground of whoever started it: only there it can be ended');
  }
  const asked = await snapshotOf(session);
  if (!asked.ok) return { session, ok: false, ...asked.failure };
  const isPaused = asked.snapshot.holds.some(isPause);
  if (!isPaused) {
    const paused = await ask(session, { do: 'pause', args: { now: false, until: null } });
    if (!paused.ok) return paused;
  }
  if (!(await isDrained(session, drainMs, context))) {
    if (!isPaused) await ask(session, { do: 'resume' });
    return refuse(`what runs did not finish within ${drainMs / 60_000} min; it goes on as it was`);
  }
  const stopped = await stopOne(session, context, STOP_MS, { goesOn: true });
  if (!stopped.ok) return stopped;
  if (!stopped.changed) return stopped;
  const left = standingSession(context, session.id) ?? session;
  if (left.endStatus !== 'stopped') return stopped;
  const restart = { liftPause: !isPaused };
  const resumed = await resumeFromJournal(left, context, { byPerson: false, restart });
  // Nothing of a stopped session lives on.
  if (!resumed.ok && !isLive(context.home, session.id)) killProcessesOf(session.id);
  return resumed;
}

/** Two looks in a row: between two calls there is nothing to see. True also when it has ended meanwhile. */
async function isDrained(
  session: StandingSession,
  drainMs: number,
  context: VerbContext,
): Promise<boolean> {
  const giveUpAt = performance.now() + drainMs;
  let idle = 0;
  while (idle < 2) {
    if (standingSession(context, session.id)?.live !== true) return true;
    const asked = await snapshotOf(session);
    idle = asked.ok && canBeLeft(asked.snapshot) ? idle + 1 : 0;
    if (idle === 0 && performance.now() > giveUpAt) return false;
    await rest(LOOK_MS);
  }
  return true;
}

/** No request is under way, and no call that would not be run again. */
function canBeLeft({ agents, calls, questions }: Snapshot): boolean {
  const isAsked = (callId: string): boolean => questions.some((open) => open.callId === callId);
  const busy = agents.some(({ end, phase }) => {
    return end === null && (phase === 'asking' || phase === 'preparing' || phase === 'recording');
  });
  return !busy && calls.every(({ name, callId }) => RESUMABLE.includes(name) || isAsked(callId));
}
