import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CheckpointCheck } from '../../../actors/checkpoint/agreement.js';
import { recoverFrom } from '../../../actors/checkpoint/recover.js';
import { RunningCheckpoint } from '../../../actors/checkpoint/running.js';
import { fold, Recovered, repairs } from '../../../actors/recovery.js';
import type { JournalFact, JournalRow } from '../../../messages/journal.js';
import { lookupIn } from '../../../simulation/journal/row-lookup.js';
import { stateText } from '../../../simulation/recovered-state.js';
import { anyHistory } from '../../support/any-history.js';
import { START } from '../../support/session-samples.js';

/** After so many rows one is made, and written so many rows later: others were on their way to the disk. */
const due = fc.record({ after: fc.integer({ min: 1, max: 12 }), late: fc.nat(3) });
const history = fc.record({ facts: anyHistory, checkpoints: fc.array(due, { maxLength: 6 }) });

/** A process takes over where `resumes` says so, as after a crash: what the one before it knew is gone. */
function written(
  facts: readonly JournalFact[],
  checkpoints: readonly { readonly after: number; readonly late: number }[],
  resumes: (checkpoint: number) => boolean,
): JournalRow[] {
  const rows: JournalRow[] = [];
  const journal = { current: new RunningCheckpoint(lookupIn(rows)) };
  const append = (fact: JournalFact): void => {
    const seq = rows.length + 1;
    rows.push(JSON.parse(JSON.stringify({ ...fact, seq, ts: START + seq })) as JournalRow);
  };
  let next = 0;
  const take = (count: number): void => {
    for (const fact of facts.slice(next, (next += count))) append(fact);
  };
  checkpoints.forEach(({ after, late }, n) => {
    take(after);
    if (resumes(n)) journal.current = new RunningCheckpoint(lookupIn(rows));
    const made = journal.current.next();
    take(late);
    if (made !== null) append(made);
  });
  take(Infinity);
  return rows;
}

test('wherever a history ends, a checkpoint and the rows behind it say what all rows say', () => {
  fc.assert(
    fc.property(history, fc.nat(3), ({ facts, checkpoints }, every) => {
      const rows = written(facts, checkpoints, (n) => every > 0 && n % every === 0);
      for (let length = 0; length <= rows.length; length += 1) {
        const some = rows.slice(0, length);
        const [all, resumed] = [fold(some), recoverFrom(lookupIn(some))];
        expect(stateText(resumed)).toBe(stateText(all));
        expect(repairs(resumed, () => '')).toEqual(repairs(all, () => ''));
        expect(resumed.deaths).toBe(all.deaths);
      }
    }),
    { numRuns: 150 },
  );
});

test('each checkpoint agrees with a fold of the rows before it, whoever wrote it', () => {
  fc.assert(
    fc.property(history, fc.nat(3), ({ facts, checkpoints }, every) => {
      const rows = written(facts, checkpoints, (n) => every > 0 && n % every === 0);
      const recorded = rows.filter((row) => row.kind === 'checkpoint');
      const check = new CheckpointCheck(recorded);
      const folding = new Recovered();
      for (const row of rows) {
        folding.apply(row);
        check.see(row.seq, folding);
      }
      const { agreeing, unchecked, disagreement } = check;
      expect({ agreeing, unchecked, disagreement }).toEqual({
        agreeing: recorded.length,
        unchecked: 0,
        disagreement: null,
      });
    }),
  );
});
