/**
 * Background processes that outlive the process of a session (`keep: "restart"`): which of those that the
 * journal knows of still live and are gone on with, what is put on record and said of the others, and when
 * they are left to the next process.
 */
import type { Recovered } from '../actors/recovery.js';
import type { CallId, SessionId } from '../messages/ids.js';
import { factOf, type JournalFact } from '../messages/journal.js';
import type { SessionChanges } from './session-changes.js';
import type { Parts } from './session-parts.js';
import type { Leaving } from './session/life.js';
import { isGuarded } from './store/guardian-record.js';
import { endText, shownCommand } from './tools/background-program.js';
import { exitCodeIn, keptFiles } from './tools/kept-command.js';
import type { KeptIdentity } from './tools/kept-process.js';
import { isOfSession, type StartedProcess } from './tools/process-survivors.js';

export interface KeptFound {
  /** Calls whose processes go on. */
  readonly spared: readonly CallId[];
  /** What an earlier run has started besides; what of it lives is to be ended. */
  readonly others: readonly StartedProcess[];
  /** The ends that nobody saw. */
  readonly rows: readonly JournalFact[];
  /** What the agent is told of those; null: nothing. */
  readonly notice: string | null;
}

export async function keptFrom(
  recovered: Recovered,
  { session, spillDir }: { readonly session: SessionId; readonly spillDir: string },
): Promise<KeptFound> {
  const spared: CallId[] = [];
  const others: StartedProcess[] = [...recovered.processes.values()];
  const rows: JournalFact[] = [];
  const told: string[] = [];
  for (const [id, one] of recovered.background) {
    const { kept, callId } = one;
    const exitCode = kept && exitCodeIn(keptFiles(spillDir, id));
    if (exitCode === null && (await isOfSession(one, session))) {
      spared.push(callId);
      continue;
    }
    others.push(one);
    if (kept === undefined || exitCode === undefined) continue;
    const how = exitCode === null ? ({ unseen: true } as const) : {};
    const body = { id, callId, exitCode, ...how };
    rows.push(factOf('process.ended', kept.agent, kept.round, body));
    told.push(`${id} (${shownCommand(kept.command)}) ${endText(body)}`);
  }
  return { spared, others, rows, notice: told.length === 0 ? null : noticeOf(told) };
}

const noticeOf = (told: readonly string[]): string =>
  `While the session was not running, background processes ended: ${told.join('; ')}. ` +
  'process_output shows what they printed.';

/** Those that the session goes on with, once the ends of the others are on record. What they change is theirs. */
export function adoptedBy(
  recovered: Recovered | null,
  changes: Pick<SessionChanges, 'processTold'>,
): readonly KeptIdentity[] {
  const adopted = [...(recovered?.background ?? [])].flatMap(([id, { kept, ...known }]) =>
    kept === undefined ? [] : [{ id, ...known, ...kept }],
  );
  for (const one of adopted) changes.processTold({ ...one, type: 'started' });
  return adopted;
}

/** After an internal error only where somebody starts the session again, as after any other crash. */
export function leavesKept(
  { request, ground }: Pick<Parts, 'request' | 'ground'>,
  why: Leaving,
): boolean {
  switch (why) {
    case 'restart':
      return true;
    case 'crashed':
      return isGuarded(request.home, ground.spec.id);
    case 'over':
      return false;
  }
}
