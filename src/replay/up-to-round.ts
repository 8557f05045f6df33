/** The rows of a session up to the end of a round of its main agent. Pure. */
import { MAIN_AGENT } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';

/** Ends before the first row of a later round. `round` 0: before the main agent's first. */
export function* upToRound(rows: Iterable<JournalRow>, round: number): Generator<JournalRow> {
  for (const row of rows) {
    if (row.agent === MAIN_AGENT && row.round > round && beginsRound(row)) return;
    yield row;
  }
}

/** A branch has the answers of its origin without the requests. */
const beginsRound = (row: JournalRow): boolean =>
  row.kind === 'model.intent' ||
  (row.kind === 'message.added' && row.body.message.role === 'assistant');

/** As typed after `--at`; null: it is no number of a round. */
export const parseRound = (text: string): number | null =>
  /^\d{1,9}$/.test(text) ? Number(text) : null;
