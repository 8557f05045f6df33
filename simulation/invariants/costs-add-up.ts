/** What a session is said to have cost is the sum of what its requests have cost. */
import { fold } from '../../actors/recovery.js';
import type { JournalRow } from '../../messages/journal.js';
import type { Invariant } from './invariant.js';

/** Sums of fractions of a cent, added up in another order. */
const ROUNDING_USD = 1e-9;

export const costsAddUp: Invariant = {
  name: 'costs-add-up',
  promise: 'The cost that is shown is the sum of what was settled for each request.',
  watch: (report) => {
    const compare = (where: string, shown: number | null, settled: number): void => {
      if (shown === null || Math.abs(shown - settled) > ROUNDING_USD)
        report(`${where} says $${shown ?? '?'}, and $${settled} were settled`);
    };
    let settled = 0;
    let isWhole = false;
    return {
      see: ({ what }) => {
        if (what.type === 'life.began') settled = settledIn(what.rows);
        if (what.type === 'rows.acknowledged') {
          settled += settledIn(what.rows);
          isWhole = what.rows.at(-1)?.kind === 'session.ended';
        }
        // A journal that could not be written to the end does not say what was spent last.
        if (what.type === 'life.ended' && isWhole)
          compare('the result', what.result.cost_usd, settled);
      },
      // Of what was cut off the next resume would know.
      end: (rows) => {
        if (rows.at(-1)?.kind === 'session.ended')
          compare('the journal', fold(rows).totals.costUsd, settledIn(rows));
      },
    };
  },
};

const settledIn = (rows: readonly JournalRow[]): number =>
  rows.reduce(
    (sum, { kind, body }) => (kind === 'budget.settled' ? sum + (body.usd ?? 0) : sum),
    0,
  );
