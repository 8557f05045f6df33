/** `ouro ls`: the sessions there are, those that wait for a person first. */
import { shortId } from '../../messages/ids.js';
import type { Hold, HoldKind } from '../../messages/pause.js';
import { sessionTable, waitingFirst } from '../../tui/tables.js';
import type { SessionRow } from '../../tui/tables.js';
import { EXIT_INTERRUPTED, interruptible } from './interruption.js';
import { listSessions } from './liveness.js';
import type { StandingSession } from './liveness.js';
import { sessionJson } from './session-names.js';
import { widthOf } from './verb-context.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb } from './verb-output.js';
import type { VerbOutput } from './verb-output.js';
import { rest } from './waiting-time.js';

export interface LsOptions {
  /** Also those that have ended. */
  readonly all?: boolean | undefined;
  /** Again every second, until Ctrl+C. */
  readonly watch?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const WATCH_MS = 1_000;
const CLEAR = '\x1b[H\x1b[2J';
const ONLY_ENDED = 'no session is running; those that have ended: ouro ls --all';

export const ls = (options: LsOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, (output) => {
    if (options.watch === true) return watch(options, context, output);
    print(options, context, output);
    return EXIT_DONE;
  });

function watch(options: LsOptions, context: VerbContext, output: VerbOutput): Promise<number> {
  return interruptible(context, async (interrupted) => {
    for (let first = true; output.isRead && !interrupted.aborted; first = false) {
      if (!first && !context.isTerminal) output.line('');
      print(options, context, output);
      await rest(WATCH_MS, interrupted);
    }
    return interrupted.aborted ? EXIT_INTERRUPTED : EXIT_DONE;
  });
}

function print(options: LsOptions, context: VerbContext, output: VerbOutput): void {
  const sessions = listSessions(context, { all: options.all === true });
  const rows = waitingFirst(sessions.map((session) => rowOf(session, context.now())));
  // In one piece with the table, so that a redraw is not seen as a blank screen.
  const clear = options.watch === true && context.isTerminal ? CLEAR : '';
  const onlyEnded = rows.length === 0 && listSessions(context, { all: true }).length > 0;
  const text = onlyEnded ? ONLY_ENDED : sessionTable(rows, widthOf(context));
  output.line(`${clear}${text}`);
  const byId = new Map(sessions.map((session) => [session.id, session]));
  output.data({
    ok: true,
    sessions: rows.flatMap(({ id }) => byId.get(id) ?? []).map(sessionJson),
  });
}

const rowOf = (session: StandingSession, now: number): SessionRow => ({
  id: session.id,
  name: session.name,
  state: session.state,
  holds: session.holds.map((kind) => holdOf(kind, session)),
  heldMs: typeof session.heldUntil === 'number' ? session.heldUntil - now : null,
  rounds: session.rounds,
  costUsd: session.costUsd,
  ageMs: now - session.startedAt,
  workspace: session.workspace,
  pid: session.pid,
});

/** The index keeps only the kinds; the whole of a hold is in the session's own status. */
const holdOf = (kind: HoldKind, { id, updatedAt }: StandingSession): Hold => ({
  kind,
  scope: 'session',
  since: updatedAt,
  until: null,
  reason: kind,
  release: `ouro status ${shortId(id)}`,
});
