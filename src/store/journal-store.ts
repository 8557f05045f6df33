/**
 * The journal of one session: the only source of truth, and append-only. Everything appended in one turn of
 * the event loop is one commit, forced to disk before anybody is told that it is there. The work of an
 * append does not depend on how long the journal is. A commit that the disk does not take is made later, with
 * all rows in order, where there is a reserve; else, and after any other failure, nothing more is written, so
 * that no row is ever skipped. Only the holder of the session's lock may open it here; reading is open to all.
 */
import type { JournalLookup, Time } from '../../actors/ports.js';
import type { Seq } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';
import type { Database } from './database.js';
import { diskReason } from './disk-errors.js';
import { JournalUnwritable } from './journal-errors.js';
import { createJournal, journalFile, openForReading, openForWriting } from './journal-file.js';
import type { JournalPlace } from './journal-file.js';
import {
  bareRows,
  lastSeqOf,
  lookUp,
  newestOf,
  readRows,
  readWholeJournal,
  requireSound,
} from './journal-reading.js';
import type { Reserve } from './reserve.js';
import { SqliteJournal, type JournalStore } from './sqlite-journal.js';

export type { JournalStore } from './sqlite-journal.js';

export interface JournalView extends JournalLookup {
  readonly lastSeq: Seq;
  /** What has come since; cheap when that is nothing. */
  rowsAfter(seq: Seq): Iterable<JournalRow>;
  close(): void;
}

interface OpenJournal extends JournalPlace {
  /** `create`: there must be none yet. `append`: there must be one. */
  readonly mode: 'create' | 'append';
  readonly time: Time;
  /** Waits for a disk that takes no more; left out: the first commit that it does not take is the last. */
  readonly reserve?: Reserve;
  /** How its database is opened; left out: as it should be. */
  readonly open?: (dir: string) => Database;
}

/**
 * Throws `JournalMissing`, `JournalDamage` or `SchemaTooNew`; then nothing was written. A new one is not made
 * without its reserve: it throws what the disk says.
 */
export function openJournal(request: OpenJournal): JournalStore {
  const { dir, session, mode, time, reserve = null, open = openForWriting } = request;
  const place = { dir, session };
  if (mode === 'create') createJournal(dir);
  const view = openForReading(place);
  let last: Seq;
  try {
    last = requireSound(view, place);
  } finally {
    view.close();
  }
  const trouble = reserve === null ? null : tryToMake(reserve, mode);
  const unwritable = trouble === null ? null : new JournalUnwritable(journalFile(dir), trouble);
  return new SqliteJournal({ db: open(dir), place, time, reserve }, last, unwritable);
}

/** What the disk says, if it has no room. A piece of what there is of the reserve is given back: others need some too. */
function tryToMake(reserve: Reserve, mode: OpenJournal['mode']): unknown {
  try {
    reserve.make();
    return null;
  } catch (error) {
    reserve.give();
    if (mode === 'create' || diskReason(error) === null) throw error;
    return error;
  }
}

/** Reads a journal that somebody else may be writing. Throws as `openJournal` does. */
export function openJournalReader(place: JournalPlace): JournalView {
  const db = openForReading(place);
  return {
    get lastSeq() {
      return lastSeqOf(db, place);
    },
    rows: (from = 1) =>
      bareRows(from === 1 ? readWholeJournal(db, place) : readRows(db, place, from)),
    rowsAfter: (seq) => bareRows(readRows(db, place, seq + 1)),
    at: lookUp(db, place),
    newest: (kind, before) => newestOf(db, place, kind, before),
    close: () => void db.close(),
  };
}
