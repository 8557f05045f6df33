import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyHoldAction, isOwnHold, pauseHold } from '../../actors/person-holds.js';
import { changeHolds } from '../../actors/pause-controller.js';
import type { ActionRequest } from '../../messages/actions.js';
import type { Hold } from '../../messages/pause.js';
import { holdOf, MAIN, specOf, START } from '../support/session-samples.js';

test('a pause is a hold of the session, with the command that lifts it', () => {
  expect(pauseHold(specOf(), START, null)).toEqual(holdOf());
  expect(pauseHold(specOf(), START, START + 5)).toEqual(
    holdOf({ kind: 'timer', until: START + 5 }),
  );
});

test('own holds are those of the session that a person sets', () => {
  const own = [holdOf(), holdOf({ kind: 'timer' })];
  const others = [holdOf({ kind: 'auth' }), holdOf({ scope: MAIN })];
  expect([...own, ...others].map(isOwnHold)).toEqual([true, true, false, false]);
});

const actions: fc.Arbitrary<ActionRequest> = fc.oneof(
  fc.record({
    do: fc.constant('pause' as const),
    now: fc.boolean(),
    until: fc.constantFrom(null, START + 5, START + 9),
  }),
  fc.constantFrom<ActionRequest>(
    { do: 'resume' },
    { do: 'interrupt' },
    { do: 'stop' },
    { do: 'send', text: 'faster', mode: 'steer' },
  ),
);

test('an action folded from the journal leaves the holds that it leaves when it is carried out', () => {
  fc.assert(
    fc.property(fc.array(actions, { maxLength: 12 }), (script) => {
      const foreign = holdOf({ kind: 'auth' });
      let folded: readonly Hold[] = [foreign];
      let live: readonly Hold[] = [foreign];
      for (const action of script) {
        folded = applyHoldAction(folded, action, START, specOf());
        if (action.do === 'pause' || action.do === 'interrupt') {
          const until = action.do === 'pause' ? action.until : null;
          const hold = pauseHold(specOf(), START, until);
          live = changeHolds(live, { type: 'pause.hold', hold }, START).holds;
        } else if (action.do === 'resume') {
          const lift = { type: 'pause.lift', kinds: ['user', 'timer'], scope: 'session' } as const;
          live = changeHolds(live, lift, START).holds;
        }
        expect([...folded].sort(byKind)).toEqual([...live].sort(byKind));
      }
    }),
  );
});

const byKind = (a: Hold, b: Hold): number => a.kind.localeCompare(b.kind);
