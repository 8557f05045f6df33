/** A journal on a disk that can be full: a real database that may have no more pages than it is told. */
import { join } from 'node:path';
import type { JournalFact } from '../../messages/journal.js';
import { sessionFact } from '../../messages/journal.js';
import type { Database } from '../../src/store/database.js';
import { openForWriting } from '../../src/store/journal-file.js';
import {
  openJournal,
  openJournalReader,
  type JournalStore,
} from '../../src/store/journal-store.js';
import type { Reserve } from '../../src/store/reserve.js';
import { note, SESSION, titleOf } from './journal-samples.js';
import { tempFolder } from './temp-folder.js';

/** More than any test fills. */
const PLENTY = 1_000_000;

/** Longer than a page, so that none finds room in one that is there. */
const LONG = 'x'.repeat(6_000);

export const longNote = (title: string): JournalFact => note(title, LONG);

export const longAction = (text: string): JournalFact =>
  sessionFact('user.action', { action: { do: 'send', text: `${text} ${LONG}`, mode: 'steer' } });

const reason = `held ${LONG}`;
export const longHold: JournalFact = sessionFact('hold.set', {
  hold: { kind: 'disk', scope: 'session', since: 0, until: null, reason, release: 'ouro resume' },
});

export class SmallDisk {
  readonly dir = join(tempFolder(), 'session');
  /** Pieces of the reserve that are left, and the pages that each of them makes room for. */
  pieces = 0;
  readonly pagesAPiece: number;
  journal: JournalStore;
  #db: Database | null = null;
  #isFull = false;

  constructor(pagesAPiece = 4) {
    this.pagesAPiece = pagesAPiece;
    this.journal = this.#open('create');
  }

  /** Nothing goes onto it but into the reserve. */
  fill(pieces: number): void {
    this.#isFull = true;
    this.pieces = pieces;
    this.#limit(this.#pages());
  }

  free(): void {
    this.#isFull = false;
    this.#limit(PLENTY);
  }

  /** As after a process that was killed: what it had in memory is gone. */
  again(): void {
    this.#db?.close();
    this.#isFull = false;
    this.journal = this.#open('append');
  }

  /** What somebody else finds there. */
  titles(): readonly string[] {
    const reader = openJournalReader({ dir: this.dir, session: SESSION });
    try {
      return [...reader.rows()].map(nameOf);
    } finally {
      reader.close();
    }
  }

  get db(): Database {
    if (this.#db === null) throw new Error('there is no journal');
    return this.#db;
  }

  #open(mode: 'create' | 'append'): JournalStore {
    const open = (dir: string): Database => (this.#db = openForWriting(dir));
    const time = { now: () => 0 };
    return openJournal({
      dir: this.dir,
      session: SESSION,
      mode,
      time,
      reserve: this.#reserve,
      open,
    });
  }

  get #reserve(): Reserve {
    return {
      make: () => {
        if (this.#isFull) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      },
      give: () => {
        if (this.pieces === 0) return false;
        this.pieces -= 1;
        this.#limit(this.#most() + this.pagesAPiece);
        return true;
      },
      remove: () => undefined,
    };
  }

  #pages(): number {
    return Number(this.db.pragma('page_count', { simple: true }));
  }

  #most(): number {
    return Number(this.db.pragma('max_page_count', { simple: true }));
  }

  #limit(pages: number): void {
    this.db.pragma(`max_page_count = ${pages}`);
  }
}

/** What a test recognises a row by. */
const nameOf = (row: JournalFact): string =>
  row.kind === 'user.action' && row.body.action.do === 'send'
    ? row.body.action.text.replace(` ${LONG}`, '')
    : titleOf(row);
