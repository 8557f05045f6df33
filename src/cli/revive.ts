/**
 * What a guardian becomes when its session's process has crashed: waits a moment, then starts the session
 * again from its journal, with a guardian of its own. Too many crashes in an hour, and it is left as
 * interrupted, and the operator is told. Does nothing that a person has called off meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionId } from '../../messages/ids.js';
import { diskReason } from '../store/disk-errors.js';
import {
  forgetGuardian,
  readGuardian,
  writeGuardian,
  type GuardianRecord,
} from '../store/guardian-record.js';
import { JournalDamage, JournalMissing } from '../store/journal-errors.js';
import { openJournalReader } from '../store/journal-store.js';
import { sessionDir } from '../store/layout.js';
import { withIndex } from './open-home.js';
import { isLive, standingSession, type StandingSession } from './liveness.js';
import { MOST_RESTARTS, planRestart } from './restart-plan.js';
import { resumeFromJournal } from './resume.js';
import { verbContext, type VerbContext } from './verb-context.js';

/** `words`: the home, the session, and the exit code of its process, as the guardian's shell knows them. */
export async function revive(words: readonly string[]): Promise<number> {
  const [home = '', id = '', code = ''] = words;
  const terminal = { out: process.stdout, err: process.stderr, env: process.env };
  const context = { ...verbContext(terminal), home };
  const crash = { id: id as SessionId, how: howItDied(Number(code)) };
  while (await startAgain(crash, context));
  return 0;
}

interface Crash {
  readonly id: SessionId;
  readonly how: string;
}

/** A shell's way to say that a signal ended a process. */
const SIGNAL_BASE = 128;

const howItDied = (code: number): string =>
  code > SIGNAL_BASE ? `signal ${code - SIGNAL_BASE}` : `exit code ${code}`;

/** True: it did not come up, and is tried again. */
async function startAgain({ id, how }: Crash, context: VerbContext): Promise<boolean> {
  const { home } = context;
  const record = readGuardian(home, id);
  const session = standingSession(context, id);
  if (record?.pid !== process.pid || session === null || hasEndedItself(session)) return false;
  if (wasToldToStop(home, id)) {
    forgetGuardian(home, id);
    return false;
  }
  const plan = planRestart(record.restarts, context.now());
  if (plan.kind === 'give-up') {
    await giveUp(session, how, context);
    return false;
  }
  const { delayMs, nth, recent } = plan;
  const count = `restart ${nth} of at most ${MOST_RESTARTS} in an hour`;
  log(`the process of the session ended (${how}); ${count}, in ${delayMs / 1000} s`);
  await sleep(delayMs);
  const isMine = readGuardian(home, id)?.pid === process.pid;
  if (!isMine || isLive(home, id)) return false;
  const restarts = [...recent, context.now()];
  if (!isNoted(home, id, { ...record, restarts })) return false;
  const started = await resumeFromJournal(session, context, { byPerson: false, restarts });
  log(started.message);
  return !started.ok;
}

/** Without a record of its restarts it could be started again without end. */
function isNoted(home: string, id: SessionId, record: GuardianRecord): boolean {
  try {
    writeGuardian(home, id, record);
    return true;
  } catch (error) {
    if (diskReason(error) === null) throw error;
    const resume = `ouro resume ${id.slice(0, 8)}`;
    log(
      `the disk has no room for the session to be started again (${String(error)}); then: ${resume}`,
    );
    return false;
  }
}

/** It was killed while it was leaving. */
const hasEndedItself = ({ live, endStatus }: StandingSession): boolean =>
  live || (endStatus !== null && endStatus !== 'internal_error');

/** It died while it did as a person had said, from a dashboard perhaps. */
function wasToldToStop(home: string, session: SessionId): boolean {
  let told = false;
  try {
    const journal = openJournalReader({ dir: sessionDir(home, session), session });
    try {
      for (const { kind, body } of journal.rows()) {
        if (kind === 'session.resumed') told = false;
        if (kind === 'user.action' && body.action.do === 'stop') told = true;
      }
    } finally {
      journal.close();
    }
  } catch (error) {
    // One that is damaged is for its next start to complain about.
    if (!(error instanceof JournalMissing || error instanceof JournalDamage)) throw error;
  }
  return told;
}

async function giveUp(session: StandingSession, how: string, context: VerbContext): Promise<void> {
  const { id } = session;
  const message =
    `it ended ${MOST_RESTARTS + 1} times within an hour (the last time: ${how}) and is not started ` +
    `again by itself. Look at: ouro logs ${id.slice(0, 8)} --daemon. Start it with: ouro resume ${id.slice(0, 8)}`;
  log(message);
  forgetGuardian(context.home, id);
  withIndex(context, undefined, (index) => {
    const changes = {
      state: 'interrupted',
      socket: null,
      pid: null,
      holds: [],
      heldUntil: null,
    } as const;
    index.patch(id, changes);
  });
  const { notifyOfCrash } = await import('./crash-notice.js');
  await notifyOfCrash(session, message, context);
}

/** Into the daemon's log, where its own last words are. */
function log(text: string): void {
  process.stderr.write(`${new Date().toISOString()} guardian: ${text}\n`);
}
