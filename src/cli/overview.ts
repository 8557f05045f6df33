/** `ouro` alone: in five lines at most what is going on, and what to type next. Starts nothing. */
import { shortId } from '../../messages/ids.js';
import { plural } from '../../tui/text/amounts.js';
import { listSessions } from './liveness.js';
import type { StandingSession } from './liveness.js';
import { resumeCommand } from './select-session.js';
import { sessionLine } from './session-names.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb } from './verb-output.js';

/** One line for the sum and one for the commands stand around them. */
const SHOWN = 3;

export const overview = (context: VerbContext): Promise<number> =>
  runVerb(context, {}, (output) => {
    const sessions = listSessions(context, {}).toSorted((a, b) => rank(a) - rank(b));
    output.line(sum(sessions));
    for (const session of sessions.slice(0, SHOWN)) output.line(withNext(session));
    const hidden = sessions.length > SHOWN ? 'all of them: ouro ls; ' : '';
    const first = sessions.length === 0 ? 'try it without a model: ouro rehearse survey; ' : '';
    output.line(`${hidden}${first}new: ouro run "GOAL" or ouro start "GOAL"; more: ouro --help`);
    return EXIT_DONE;
  });

/** Those that wait for a person, those that died, those that work. */
function rank({ state, live }: StandingSession): number {
  if (state === 'held') return 0;
  return live ? 2 : 1;
}

function sum(sessions: readonly StandingSession[]): string {
  if (sessions.length === 0) return 'no session is running';
  const waiting = sessions.filter(({ state }) => state === 'held').length;
  const died = sessions.filter(({ live }) => !live).length;
  const parts = [
    waiting > 0 ? `${waiting} waiting for you` : '',
    died > 0 ? `${died} interrupted` : '',
    sessions.length > waiting + died ? `${sessions.length - waiting - died} at work` : '',
  ];
  return `${plural(sessions.length, 'session')}: ${parts.filter(Boolean).join(', ')}`;
}

function withNext(session: StandingSession): string {
  const stands = session.state === 'held' || !session.live;
  const next = stands ? resumeCommand(session) : `ouro attach ${shortId(session.id)}`;
  return `  ${sessionLine(session)}  (${next})`;
}
