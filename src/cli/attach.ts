/**
 * `ouro attach`: watches a session that runs, as a dashboard on a terminal, else as lines. Leaving never
 * ends the session; how to come back and how to stop it is said.
 */
import { shortId } from '../../messages/ids.js';
import type { SessionId } from '../../messages/ids.js';
import type { RunResult } from '../../messages/result.js';
import { EXIT_CODES } from '../../messages/session.js';
import { resultText } from '../../tui/result-text.js';
import { reach } from './ask-session.js';
import { attachPlain } from './attach-plain.js';
import { EXIT_INTERRUPTED } from './interruption.js';
import { standingSession, type StandingSession } from './liveness.js';
import { resumeCommand, selectSession } from './select-session.js';
import { wantsColour } from './verb-context.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, EXIT_NOT_POSSIBLE, runVerb } from './verb-output.js';
import type { VerbOutput } from './verb-output.js';
import type { Watched } from './watch-run.js';

export interface AttachOptions {
  readonly id?: string | undefined;
  /** Scrolling lines, also on a terminal. */
  readonly plain?: boolean | undefined;
}

export const attach = (options: AttachOptions, context: VerbContext): Promise<number> =>
  runVerb(context, {}, async (output) => {
    const selected = selectSession({ id: options.id, fitting: 'live' }, context);
    if (!selected.ok) return output.fail(selected.failure);
    const { session } = selected;
    return context.isTerminal && options.plain !== true
      ? dashboard(session, options, context, output)
      : plain(session, context, output);
  });

async function plain(
  session: StandingSession,
  context: VerbContext,
  output: VerbOutput,
): Promise<number> {
  const reached = await reach(session);
  if (!reached.ok) return unreachable(session, reached.failure.message, output);
  const end = await attachPlain(reached.client, context, output);
  switch (end.kind) {
    case 'bye':
      return over(end.result, session, context, output);
    case 'lost':
      return unreachable(session, end.reason, output);
    case 'left':
      goesOn(session.id, output);
      return EXIT_INTERRUPTED;
    case 'unread':
      return EXIT_DONE;
  }
}

async function dashboard(
  session: StandingSession,
  options: AttachOptions,
  context: VerbContext,
  output: VerbOutput,
): Promise<number> {
  // A session that cannot be reached must not cost the terminal a switch of screens.
  const reached = await reach(session);
  if (!reached.ok) return unreachable(session, reached.failure.message, output);
  reached.client.close();
  const { openDashboard } = await import('./watch-run.js');
  const { home, env } = context;
  const terminal = { out: process.stdout, err: process.stderr, env };
  const end = await openDashboard(home, session.id, 'attach', terminal);
  return end.kind === 'resume-wanted'
    ? resumeAndAttach(session, options, context, output)
    : tell(end, session, context, output);
}

/** The dashboard offers it when the process has died. */
async function resumeAndAttach(
  session: StandingSession,
  options: AttachOptions,
  context: VerbContext,
  output: VerbOutput,
): Promise<number> {
  const { resumeFromJournal } = await import('./resume.js');
  // Its guardian may have been faster.
  if (standingSession(context, session.id)?.live === true)
    return attach({ ...options, id: session.id }, context);
  const { ok, message } = await resumeFromJournal(session, context);
  if (!ok) return unreachable(session, message, output);
  return attach({ ...options, id: session.id }, context);
}

function tell(
  end: Exclude<Watched, { kind: 'resume-wanted' }>,
  session: StandingSession,
  context: VerbContext,
  output: VerbOutput,
): number {
  switch (end.kind) {
    case 'ended':
      return over(end.result, session, context, output);
    case 'left':
    case 'terminated':
      goesOn(session.id, output);
      return end.kind === 'left' ? EXIT_DONE : EXIT_CODES.terminated;
    case 'stopped-by-user':
      output.note(`session ${shortId(session.id)} was told to stop; ${resumeCommand(session)}`);
      return EXIT_DONE;
    case 'lost':
    case 'unreachable':
      return unreachable(session, end.reason, output);
  }
}

function goesOn(id: SessionId, output: VerbOutput): void {
  const short = shortId(id);
  output.note(`session ${short} goes on`);
  output.note(`  ouro attach ${short}\n  ouro stop ${short}`);
}

function over(
  result: RunResult | null,
  session: StandingSession,
  context: VerbContext,
  output: VerbOutput,
): number {
  if (result === null) output.line(`session ${shortId(session.id)} is over`);
  else output.line(resultText(result, { colour: wantsColour(context) }));
  return EXIT_DONE;
}

function unreachable(session: StandingSession, reason: string, output: VerbOutput): number {
  const short = shortId(session.id);
  output.note(`session ${short}: ${reason}`);
  output.note(`  ouro status ${short}\n  ${resumeCommand(session)}`);
  return EXIT_NOT_POSSIBLE;
}
