/** What was set aside for a request is settled once, however many processes die meanwhile. */
import type { JournalFact, JournalRow } from '../../messages/journal.js';
import type { Invariant } from './invariant.js';

export const settledOnce: Invariant = {
  name: 'settled-once',
  promise: 'What is set aside for a request is settled exactly once.',
  watch: (report) => {
    const open = new Set<string>();
    const known = new Set<string>();
    const hear = ({ kind, body }: JournalFact): void => {
      if (kind === 'budget.reserved') {
        if (known.has(body.id)) report(`${body.id} is set aside twice`);
        known.add(body.id);
        open.add(body.id);
      }
      if (kind === 'budget.settled' && !open.delete(body.id))
        report(`${body.id} is settled, and nothing is set aside`);
    };
    const readAgain = (rows: readonly JournalRow[]): void => {
      open.clear();
      known.clear();
      rows.forEach(hear);
    };
    return {
      see: ({ what }) => {
        if (what.type === 'life.began') readAgain(what.rows);
        if (what.type === 'rows.handed') what.facts.forEach(hear);
      },
      end: (rows) => {
        readAgain(rows);
        if (rows.at(-1)?.kind === 'session.ended' && open.size > 0)
          report(`it has ended, and ${[...open].join(', ')} is still set aside`);
      },
    };
  },
};
