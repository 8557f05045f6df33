/** Walks a whole journal and says whether every row is there as it was written. Writes nothing. */
import type { JournalRow } from '../../messages/journal.js';
import { SchemaTooNew } from './database.js';
import { JournalDamage, JournalMissing, type Damage } from './journal-errors.js';
import type { JournalPlace } from './journal-file.js';
import { openJournalReader } from './journal-store.js';

export type LastGood = Pick<JournalRow, 'seq' | 'ts' | 'agent' | 'round' | 'kind'>;

export type Verified = {
  /** Rows that are as they were written, up to the damage if there is any. */
  readonly rows: number;
  readonly lastGood: LastGood | null;
} & (
  | { readonly status: 'sound' }
  /** `seq`: the first row that is not good. `message` says what helps. */
  | {
      readonly status: 'damaged';
      readonly seq: number;
      readonly what: Damage;
      readonly message: string;
    }
  /** There is no journal, or a newer program wrote it. */
  | { readonly status: 'unreadable'; readonly message: string }
);

export function verifyJournal(place: JournalPlace): Verified {
  let last: LastGood | null = null;
  const result = <T>(rest: T) => ({ rows: last?.seq ?? 0, lastGood: last, ...rest });
  try {
    const view = openJournalReader(place);
    try {
      for (const { seq, ts, agent, round, kind } of view.rows())
        last = { seq, ts, agent, round, kind };
    } finally {
      view.close();
    }
    return result({ status: 'sound' });
  } catch (error) {
    if (error instanceof JournalDamage) {
      const { seq, what, message } = error;
      return result({ status: 'damaged', seq, what, message });
    }
    if (error instanceof JournalMissing || error instanceof SchemaTooNew)
      return result({ status: 'unreadable', message: error.message });
    throw error;
  }
}
