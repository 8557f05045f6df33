/** A session that is to end does, soon and once; nothing of it goes on after that; none waits for nothing. */
import type { JournalRow } from '../../messages/journal.js';
import type { Moment } from '../happenings.js';
import type { Invariant } from './invariant.js';

export const everythingEnds: Invariant = {
  name: 'everything-ends',
  promise:
    'A session that is asked to end does so, and nothing of it goes on; one that is not goes on.',
  watch: (report) => {
    let isOver = false;
    const see = ({ what }: Moment): void => {
      switch (what.type) {
        case 'life.opened':
          isOver = false;
          return;
        case 'life.ended':
          isOver = true;
          return;
        case 'stalled':
          report('nothing holds it, and nothing will ever happen');
          return;
        case 'end.overdue':
          report(`it has not ended ${what.afterMs} ms after it was asked to`);
          return;
        case 'left.behind':
          report(`it has ended, and still waits for ${what.waiting} things`);
          return;
        case 'request.sent':
        case 'effect.began':
        case 'rows.handed':
          if (isOver) report(`${what.type} after the end`);
          return;
        default:
      }
    };
    return { see, end: (rows) => endsOnce(rows, report) };
  },
};

/** After the row that says that it ended comes none but that of a resume, or of who looks after it meanwhile. */
function endsOnce(rows: readonly JournalRow[], report: (what: string) => void): void {
  rows.forEach(({ kind, seq }, i) => {
    const mayFollow = kind === 'session.resumed' || kind === 'context.undone';
    if (i > 0 && rows[i - 1]?.kind === 'session.ended' && !mayFollow) {
      report(`row ${seq}, ${kind}, stands behind the end`);
    }
  });
}
