/**
 * What a resume writes is what it goes on with, and a resume after it finds nothing more to repair: a crash
 * during the recovery costs nothing.
 */
import { fold, repairs } from '../../actors/recovery.js';
import type { JournalFact, JournalRow } from '../../messages/journal.js';
import { stateText } from '../recovered-state.js';
import type { Moment } from '../happenings.js';
import type { Invariant, Of } from './invariant.js';

export const stableResume: Invariant = {
  name: 'stable-resume',
  promise: 'A session resumed twice is the session resumed once.',
  watch: (report) => {
    let resumed: Of<'life.began'> | null = null;
    return {
      see: ({ what, at }: Moment) => {
        if (what.type === 'life.began') resumed = what.rows.length === 0 ? null : what;
        if (what.type !== 'rows.handed' || resumed === null) return;
        for (const problem of problemsOf(resumed, what.facts, at)) report(problem);
        resumed = null;
      },
    };
  },
};

function problemsOf(
  { rows, state }: Of<'life.began'>,
  written: readonly JournalFact[],
  ts: number,
): string[] {
  const added = written.map((fact, i): JournalRow => ({ ...fact, seq: rows.length + i + 1, ts }));
  const again = fold([...rows, ...added]);
  const more = repairs(again, () => '');
  return [
    ...(stateText(again) === state
      ? []
      : ['the journal does not say what the session goes on with']),
    ...(more.length === 0
      ? []
      : [`it would be repaired again: ${more.map(({ kind }) => kind).join(', ')}`]),
  ];
}
