/** Every row whose append was answered is there for the next process, the same, in its place. */
import type { JournalRow } from '../../messages/journal.js';
import type { Invariant } from './invariant.js';

export const acknowledgedRows: Invariant = {
  name: 'acknowledged-rows',
  promise: 'What was acknowledged survives a crash.',
  watch: (report) => {
    const known = new Map<number, string>();
    const compare = (rows: readonly JournalRow[]): void => {
      const found = new Map(rows.map((row) => [row.seq, JSON.stringify(row)]));
      for (const [seq, row] of known) {
        if (found.get(seq) !== row) report(`row ${seq} is not what was acknowledged: ${row}`);
      }
      rows.forEach(({ seq }, i) => {
        if (seq !== i + 1) report(`row ${i + 1} has the number ${seq}`);
      });
    };
    return {
      see: ({ what }) => {
        if (what.type === 'life.began') compare(what.rows);
        if (what.type !== 'rows.acknowledged') return;
        for (const row of what.rows) known.set(row.seq, JSON.stringify(row));
      },
      end: compare,
    };
  },
};
