/** Rows made from facts, numbered as a journal numbers them. */
import type { JournalFact, JournalRow } from '../../messages/journal.js';
import { START } from './session-samples.js';

export const rowsOf = (...facts: readonly JournalFact[]): JournalRow[] =>
  facts.map((fact, i) => ({ ...fact, seq: i + 1, ts: START + i }));
