/**
 * A number of places that processes share: as many lock files, each held through an open exclusive
 * transaction, so that the kernel gives a place back however its holder ends. The files stay open between
 * uses, which keeps taking a place at microseconds. Where locks do not work nobody is limited.
 */
import { isBusy, openDatabase, type Database } from './database.js';
import { createLockFile } from './lock.js';

interface Slot {
  readonly file: string;
  db: Database | null;
  taken: boolean;
}

export class Slots {
  readonly #slots: readonly Slot[];
  #works = true;

  constructor(files: readonly string[]) {
    this.#slots = files.map((file) => ({ file, db: null, taken: false }));
  }

  /** Takes a place, and returns how to give it back; null: all are taken. Waits for nobody, never throws. */
  tryTake(): (() => void) | null {
    for (const slot of this.#slots) {
      if (!this.#works) break;
      if (!slot.taken && this.#take(slot)) return () => release(slot);
    }
    return this.#works ? null : () => undefined;
  }

  /** Gives all places back. */
  close(): void {
    for (const slot of this.#slots) {
      slot.db?.close();
      slot.db = null;
      slot.taken = false;
    }
  }

  #take(slot: Slot): boolean {
    try {
      slot.db ??= open(slot.file);
      slot.db.exec('BEGIN EXCLUSIVE');
      slot.taken = true;
      return true;
    } catch (error) {
      if (!isBusy(error)) this.#works = false;
      return false;
    }
  }
}

function open(file: string): Database {
  createLockFile(file);
  const db = openDatabase({ file, access: 'write', busyMs: 0 });
  // Nothing is ever written, and in memory there is no journal file that a kill could leave behind.
  db.pragma('journal_mode = MEMORY');
  return db;
}

function release(slot: Slot): void {
  if (!slot.taken) return;
  slot.taken = false;
  slot.db?.exec('ROLLBACK');
}
