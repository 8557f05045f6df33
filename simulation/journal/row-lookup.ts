/** Rows that are in memory, asked for as those of a journal are. */
import type { JournalLookup } from '../../actors/ports.js';
import type { JournalRow } from '../../messages/journal.js';

/** Some may be missing. */
export const lookupIn = (all: readonly JournalRow[]): JournalLookup => ({
  rows: (from = 1) => all.filter(({ seq }) => seq >= from),
  at: (wanted) => all.find(({ seq }) => seq === wanted) ?? null,
  newest: (wanted, before) =>
    all.findLast(({ seq, kind }) => kind === wanted && seq < before)?.seq ?? null,
});
