/**
 * Makes a damaged journal usable again: a new one is written from the rows before the damage, and the
 * damaged files stay beside it under another name. Only for the holder of the session's lock. An
 * interruption at any point loses nothing, and the next attempt finishes the work.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { syncFolder, writeFileAtomic } from './atomic-file.js';
import { openDatabase } from './database.js';
import type { Database } from './database.js';
import { JournalDamage, JournalMissing } from './journal-errors.js';
import {
  emptyJournal,
  journalFile,
  openForReading,
  sharedMemoryFile,
  walFile,
} from './journal-file.js';
import type { JournalPlace } from './journal-file.js';
import { readWholeJournal } from './journal-reading.js';
import type { VerifiedRow } from './journal-reading.js';

interface Salvaged {
  /** Rows in the new journal. */
  readonly kept: number;
  /** Where the damaged database is now; null: nothing was damaged, and nothing was changed. */
  readonly damaged: string | null;
}

/** Rows written in one transaction, so that a long journal is not held in memory. */
const ROWS_A_COMMIT = 1_000;

/** Throws `JournalMissing` when there is none, `SchemaTooNew` when it is not ours to judge. */
export function salvage(place: JournalPlace): Salvaged {
  const file = journalFile(place.dir);
  if (existsSync(file)) {
    const { kept, damaged } = copyGood(place, draftOf(file));
    if (!damaged) {
      rmSync(draftOf(file));
      return { kept, damaged: null };
    }
    renameSync(draftOf(file), readyOf(file));
    syncFolder(place.dir);
    renameSync(file, freeName(file));
  } else if (!existsSync(readyOf(file))) throw new JournalMissing(file);
  // From here on an interrupted attempt is taken up again: the database is away, and `ready` is complete.
  const aside = swap(file);
  syncFolder(place.dir);
  return { kept: countRows(place), damaged: aside };
}

const draftOf = (file: string): string => `${file}.salvaging`;
const readyOf = (file: string): string => `${file}.salvaged`;

/** Writes the rows before the damage, as they are, into a new database file. */
function copyGood(place: JournalPlace, target: string): { kept: number; damaged: boolean } {
  rmSync(target, { force: true });
  rmSync(`${target}-journal`, { force: true });
  writeFileAtomic(target, emptyJournal());
  const out = openDatabase({ file: target, access: 'write', busyMs: 0 });
  try {
    const reading = goodRows(place);
    let kept = 0;
    for (;;) {
      const { count, end } = copySome(reading, out);
      kept += count;
      if (end !== null) return { kept, damaged: end.damaged };
    }
  } finally {
    out.close();
  }
}

interface End {
  readonly damaged: boolean;
}

function copySome(
  rows: Generator<VerifiedRow, End, undefined>,
  out: Database,
): { count: number; end: End | null } {
  const insert = out.prepare(
    'INSERT INTO rows VALUES (@seq, @ts, @agent, @round, @kind, @body, @hash)',
  );
  return out.transaction(() => {
    for (let count = 0; count < ROWS_A_COMMIT; count += 1) {
      const next = rows.next();
      if (next.done === true) return { count, end: next.value };
      insert.run(next.value.stored);
    }
    return { count: ROWS_A_COMMIT, end: null };
  })();
}

/** Ends where the damage begins, and says whether there was any. */
function* goodRows(place: JournalPlace): Generator<VerifiedRow, End, undefined> {
  let db: Database | null = null;
  try {
    db = openForReading(place);
    yield* readWholeJournal(db, place);
    return { damaged: false };
  } catch (error) {
    if (!(error instanceof JournalDamage)) throw error;
    return { damaged: true };
  } finally {
    db?.close();
  }
}

/** The log goes where its database went, before it could be taken for the new one's. */
function swap(file: string): string {
  const aside = newestAside(file);
  if (existsSync(walFile(file))) renameSync(walFile(file), walFile(aside));
  // An index into the log, made again by whoever opens it.
  rmSync(sharedMemoryFile(file), { force: true });
  renameSync(readyOf(file), file);
  return aside;
}

const asideName = (file: string, n: number): string => `${file}.damaged-${n}`;

function freeName(file: string): string {
  let n = 1;
  while (existsSync(asideName(file, n))) n += 1;
  return asideName(file, n);
}

function newestAside(file: string): string {
  let n = 1;
  while (existsSync(asideName(file, n + 1))) n += 1;
  return asideName(file, n);
}

function countRows(place: JournalPlace): number {
  const db = openForReading(place);
  try {
    return Number(db.prepare('SELECT count(*) FROM rows').pluck().get());
  } finally {
    db.close();
  }
}
