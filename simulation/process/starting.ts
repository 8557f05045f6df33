/** Where a life starts from, as a real process finds it out: nothing, or what the journal holds. */
import { cannotRaise, raised } from '../../actors/raised-limits.js';
import type { Recovered } from '../../actors/recovery.js';
import { fromJournal, fromNothing, type StartingPoint } from '../../src/session/starting-point.js';
import type { LifeParts } from './life-parts.js';

const IDENTITY = { version: 'simulated', pid: 1 };

export function startingPoint(
  { scenario: { spec }, resumed, world }: LifeParts,
  recovered: Recovered | null,
  now: number,
  nextSeq: number,
): StartingPoint {
  if (recovered === null || resumed === null) {
    return fromNothing(spec, `goal ${world.newKey()}`, 'You work.', IDENTITY);
  }
  const { goal, byPerson, add } = resumed;
  const before = recovered.spec ?? spec;
  const mayRaise = add !== null && cannotRaise(before, add) === null;
  return fromJournal(recovered, {
    spec: mayRaise ? raised(before, add) : before,
    goal,
    notice: null,
    byPerson,
    outageIsOver: byPerson,
    process: IDENTITY,
    now,
    nextSeq,
    captured: () => '',
  });
}
