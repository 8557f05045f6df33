/**
 * A session that is not running, held so that it stays so and that nobody else works in its folder. What a crash
 * cut off is put on record first, so that it can be undone like the rest.
 */
import type { Time } from '../actors/ports.js';
import { fold } from '../actors/recovery.js';
import { DEFAULTS } from '../config/settings.js';
import { shortId, type SessionId } from '../messages/ids.js';
import { factOf, sessionFact, type RowBodies } from '../messages/journal.js';
import { openJournal, type JournalStore } from './store/journal-store.js';
import { sessionDir, sessionLock, workspaceLock } from './store/layout.js';
import { acquireLock, readOwner } from './store/lock.js';
import { historyOf, type FileHistory } from './undo/history.js';
import { endSurvivors } from './tools/process-survivors.js';
import { forgetLedger, Ledger } from './undo/ledger.js';
import { cutOff, undoDir } from './undo-ground.js';

export interface StoppedSession {
  readonly history: FileHistory;
  /** Puts it on record, with what the agent is told when it goes on. Resolves when that is on disk. */
  noteUndone(undone: RowBodies['files.undone'], notice: string): Promise<void>;
  close(): Promise<void>;
}

export type OpenedStopped =
  | { readonly ok: true; readonly stopped: StoppedSession }
  | { readonly ok: false; readonly reason: string };

const refused = (reason: string): OpenedStopped => ({ ok: false, reason });

export async function openStopped(
  { id, workspace }: { readonly id: SessionId; readonly workspace: string },
  home: string,
  time: Time,
): Promise<OpenedStopped> {
  const dir = sessionDir(home, id);
  const held = { what: 'undoing', session: id };
  const own = acquireLock(sessionLock(home, id), held);
  if (own === null) return refused(`session ${shortId(id)} is running; stop it first: ouro stop`);
  const placeFile = workspaceLock(home, workspace);
  const place = acquireLock(placeFile, held);
  if (place === null) {
    own.release();
    const other = readOwner(placeFile)?.session;
    const who = other === undefined ? 'another session' : `session ${other.slice(0, 8)}`;
    return refused(`${who} is at work in ${workspace}; stop it first: ouro ls`);
  }
  const release = (): void => [place, own].forEach((lock) => lock.release());
  try {
    const journal = openJournal({ dir, session: id, mode: 'append', time });
    const history = await wholeHistory(journal, { id, dir, workspace, home });
    const noteUndone: StoppedSession['noteUndone'] = async (undone, notice) => {
      const action = { do: 'send', text: notice, mode: 'steer' } as const;
      const rows = [sessionFact('files.undone', undone), sessionFact('user.action', { action })];
      await journal.append(rows);
      // What it says of the files is not so any more.
      forgetLedger(undoDir(dir));
    };
    const close = async (): Promise<void> => {
      await journal.close();
      release();
    };
    return { ok: true, stopped: { history, noteUndone, close } };
  } catch (error) {
    release();
    throw error;
  }
}

interface Place {
  readonly id: SessionId;
  readonly dir: string;
  readonly workspace: string;
  readonly home: string;
}

async function wholeHistory(
  journal: JournalStore,
  { id, dir, workspace, home }: Place,
): Promise<FileHistory> {
  const history = historyOf(journal.rows());
  const recovered = fold(journal.rows());
  const doer = cutOff(recovered);
  if (doer === null) return history;
  // One of them could still be changing what is about to be put back.
  const started = [...recovered.processes.values(), ...recovered.background.values()];
  await endSurvivors(started, id);
  const settings = { workspace, dir: undoDir(dir), ouroHome: home, ...DEFAULTS.undo };
  const { changes } = new Ledger(settings).recover(new Map(history.left));
  if (changes.length === 0) return history;
  const { callId, agent, round } = doer;
  await journal.append([factOf('files.changed', agent, round, { callId, changes })]);
  return historyOf(journal.rows());
}
