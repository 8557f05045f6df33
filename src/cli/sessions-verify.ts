/** `ouro sessions verify`: whether journals are as they were written; exits 1 where one is not. */
import { shortId, type SessionId } from '../../messages/ids.js';
import { plural, stamp } from '../../tui/text/amounts.js';
import { sessionIds } from '../store/index-rebuild.js';
import { sessionDir } from '../store/layout.js';
import { verifyJournal, type LastGood, type Verified } from '../store/verify-journal.js';
import { listSessions } from './liveness.js';
import { selectSession } from './select-session.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, EXIT_NOT_POSSIBLE, runVerb, usage, type VerbFailure } from './verb-output.js';

export interface VerifyOptions {
  readonly id?: string | undefined;
  /** Every session that is listed or has a folder. */
  readonly all?: boolean | undefined;
  readonly json?: boolean | undefined;
}

export const sessionsVerify = (options: VerifyOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const chosen = choose(options, context);
    if ('code' in chosen) return output.fail(chosen);
    const results: object[] = [];
    let isSound = true;
    for (const id of chosen) {
      const verified = verifyJournal({ dir: sessionDir(context.home, id), session: id });
      isSound &&= verified.status === 'sound';
      output.line(lineOf(id, verified));
      if (verified.status !== 'sound') output.note(verified.message);
      results.push(jsonOf(id, verified));
      // Whoever reads along sees each as soon as it is known.
      await output.flushed();
    }
    if (chosen.length === 0) output.line('there is no session');
    output.data({ ok: isSound, sessions: results });
    return isSound ? EXIT_DONE : EXIT_NOT_POSSIBLE;
  });

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function choose(
  { id, all = false }: VerifyOptions,
  context: VerbContext,
): readonly SessionId[] | VerbFailure {
  if (!all) {
    const selected = selectSession({ id, fitting: 'any' }, context);
    return selected.ok ? [selected.session.id] : selected.failure;
  }
  if (id !== undefined) return usage(`name a session or say --all, not both: ${id}`);
  const listed = listSessions(context, { all: true }).map((session) => session.id);
  // One whose journal is damaged may have been left out of a list that was made again.
  const inFolders = sessionIds(context.home).filter((name) => UUID.test(name));
  return [...new Set([...listed, ...inFolders])];
}

function lineOf(id: SessionId, verified: Verified): string {
  const { rows, lastGood } = verified;
  const head = `${shortId(id)}  ${verified.status}`;
  const last = lastGood === null ? '' : `; the last good one is ${goodText(lastGood)}`;
  switch (verified.status) {
    case 'sound':
      return `${head}, ${plural(rows, 'row')}`;
    case 'damaged':
      return `${head} at row ${verified.seq} (${verified.what}), ${plural(rows, 'row')} before it${last}`;
    case 'unreadable':
      return head;
  }
}

const goodText = ({ seq, ts, agent, round, kind }: LastGood): string =>
  `${seq}, ${kind} of ${agent} in round ${round}, ${stamp(ts)}`;

function jsonOf(id: SessionId, verified: Verified): object {
  const { rows, lastGood: last_good, status } = verified;
  const damage = status === 'damaged' ? { seq: verified.seq, what: verified.what } : null;
  const message = status === 'sound' ? null : verified.message;
  return { id, status, rows, last_good, damage, message };
}
