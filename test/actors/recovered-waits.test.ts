import { expect, test } from 'vitest';
import { RecoveredWaits } from '../../actors/recovered-waits.js';
import type { ActionRequest } from '../../messages/actions.js';
import { factOf, sessionFact, type JournalFact } from '../../messages/journal.js';
import { callId, holdOf, MAIN, okOutcome, START, SUB } from '../support/session-samples.js';

const CALL = callId('main_1_1');
const begins = (agent = MAIN, name = 'sleep'): JournalFact =>
  factOf('tool.intent', agent, 1, { callId: CALL, name, effect: 'none' });
const acts = (action: ActionRequest): JournalFact => sessionFact('user.action', { action });
const steer = acts({ do: 'send', text: 'hello', mode: 'steer' });

/** A second apart each. */
function after(...facts: readonly JournalFact[]) {
  const waits = new RecoveredWaits();
  for (const [i, fact] of facts.entries()) {
    waits.apply({ ...fact, seq: i + 1, ts: START + i * 1_000 });
  }
  return waits.of(CALL);
}

test('a sleep that was cut off began when it first began, however often the process died', () => {
  const wait = { since: START, resumed: false, spokenTo: false };
  expect(after(begins(), begins())).toMatchObject(wait);
});

test('its deadline counts from the moment that its hold tells', () => {
  const hold = holdOf({ kind: 'timer', scope: MAIN, since: START + 7, call: CALL });
  const other = holdOf({ kind: 'timer', scope: MAIN, since: START + 9, call: callId('c2') });
  const set = (which: typeof hold) => sessionFact('hold.set', { hold: which });
  expect(after(begins(), set(hold), set(other))).toMatchObject({ since: START + 7 });
});

test('a sleep that ended, and a call of another tool, are not asleep', () => {
  const outcome = { callId: CALL, name: 'sleep', outcome: okOutcome() };
  expect(after(begins(), factOf('tool.outcome', MAIN, 1, outcome))).toBeNull();
  expect(after(begins(MAIN, 'grep'))).toBeNull();
});

test('what a person did after it began is remembered', () => {
  expect(after(begins(), acts({ do: 'resume' }))).toMatchObject({ resumed: true });
  expect(after(begins(), steer)).toMatchObject({ spokenTo: true });
});

test('what was done before, words for later, and words for another agent wake nobody', () => {
  expect(after(acts({ do: 'resume' }), steer, begins())).toMatchObject({
    resumed: false,
    spokenTo: false,
  });
  const later = acts({ do: 'send', text: 'hello', mode: 'queue' });
  expect(after(begins(), later)).toMatchObject({ spokenTo: false });
  expect(after(begins(SUB), steer)).toMatchObject({ spokenTo: false });
});
