/**
 * `ouro service run`: what the unit runs. Brings back every session in the background that nobody has ended
 * and that has no process any more, then goes on looking. One that does not come up is not tried again until
 * it has been seen running; one that was silent for long, or that keeps dying, comes back held. One that
 * lives and does not work any more is ended, which brings it back too.
 */
import { shortId, type SessionId } from '../../messages/ids.js';
import type { EndStatus } from '../../messages/session.js';
import { isGuarded, readGuardian } from '../store/guardian-record.js';
import { listSessions, type StandingSession } from './liveness.js';
import { resumeFromJournal } from './resume.js';
import { feedWatchdog } from './service-watchdog.js';
import { SessionWatchdog } from './session-watchdog.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb } from './verb-output.js';
import { rest } from './waiting-time.js';

/** A guardian that died with its session, or a session that does not answer, is noticed after this. */
const LOOK_MS = 60_000;

/** A crash that had time to say so. */
const CRASHES: readonly EndStatus[] = ['internal_error'];

/** How sessions end when the machine goes down. Later on it was somebody who wanted it. */
const AT_FIRST: readonly EndStatus[] = [...CRASHES, 'terminated', 'hangup'];

/** `until`: ends it; what it has started goes on. */
export const serviceRun = (context: VerbContext, until: AbortSignal): Promise<number> =>
  runVerb(context, {}, async (output) => {
    const failed = new Set<SessionId>();
    const watchdog = new SessionWatchdog({ home: context.home, note: (line) => output.note(line) });
    for (let ends = AT_FIRST; !until.aborted; ends = CRASHES) {
      for (const session of listSessions(context, { all: true })) {
        if (session.live) failed.delete(session.id);
        if (failed.has(session.id) || !isWanted(session, ends, context)) continue;
        const { ok, message } = await resumeFromJournal(session, context, { byPerson: false });
        if (!ok) failed.add(session.id);
        output.note(`${shortId(session.id)}: ${message}`);
        await feedWatchdog(context.env);
      }
      await watchdog.look(inBackground(context));
      await feedWatchdog(context.env);
      await rest(LOOK_MS, until);
    }
    return EXIT_DONE;
  });

const inBackground = (context: VerbContext): readonly StandingSession[] =>
  listSessions(context, { all: true }).filter(({ id }) => readGuardian(context.home, id) !== null);

/** A session in the foreground is its caller's; one with a guardian is the guardian's. */
function isWanted(
  { id, live, endStatus }: StandingSession,
  ends: readonly EndStatus[],
  { home }: VerbContext,
): boolean {
  if (live || (endStatus !== null && !ends.includes(endStatus))) return false;
  return readGuardian(home, id) !== null && !isGuarded(home, id);
}
