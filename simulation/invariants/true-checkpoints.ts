/** A checkpoint says what the rows before it say: a resume from it is a resume from all of them. */
import { CheckpointCheck } from '../../actors/checkpoint/agreement.js';
import { Recovered } from '../../actors/recovery.js';
import type { JournalRow } from '../../messages/journal.js';
import type { Invariant } from './invariant.js';

export const trueCheckpoints: Invariant = {
  name: 'true-checkpoints',
  promise: 'Each checkpoint says what a fold of the rows before it gives.',
  watch: (report) => {
    const check = (rows: readonly JournalRow[]): void => {
      for (const problem of problemsOf(rows)) report(problem);
    };
    return {
      see: ({ what }) => {
        if (what.type === 'life.began') check(what.rows);
      },
      end: check,
    };
  },
};

function problemsOf(rows: readonly JournalRow[]): string[] {
  const check = new CheckpointCheck(rows.filter((row) => row.kind === 'checkpoint'));
  const fold = new Recovered();
  for (const row of rows) {
    fold.apply(row);
    check.see(row.seq, fold);
  }
  const { disagreement, unchecked } = check;
  return [
    ...(disagreement === null
      ? []
      : [`the checkpoint of row ${disagreement.seq} says something else of ${disagreement.path}`]),
    ...(unchecked === 0 ? [] : [`${unchecked} checkpoints go on from none`]),
  ];
}
