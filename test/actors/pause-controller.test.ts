import fc from 'fast-check';
import { createActor } from 'xstate';
import { expect, test } from 'vitest';
import { changeHolds, pauseMachine } from '../../actors/pause-controller.js';
import type { JournalFact } from '../../messages/journal.js';
import { holdKey, type Hold, type HoldKind, type PauseFact } from '../../messages/pause.js';
import { newClock } from '../support/agent-run.js';
import { holdOf, MAIN, START } from '../support/session-samples.js';

const DAY = 24 * 60 * 60 * 1_000;
const timer = (until: number): Hold => holdOf({ kind: 'timer', until });

/** The longest wait a timer of Node holds; a longer one fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Starts the controller and keeps everything that it says, in the order it says it. */
function control(restored: readonly Hold[] = []) {
  const clock = newClock();
  const facts: PauseFact[] = [];
  const rows: JournalFact[] = [];
  const gates: (readonly Hold[])[] = [];
  const order: string[] = [];
  const machine = pauseMachine(
    {
      time: { now: () => clock.now() },
      publish: (holds) => {
        gates.push(holds);
        order.push('gates');
      },
      report: (fact) => {
        facts.push(fact);
        order.push('report');
      },
      record: (more) => void rows.push(...more),
    },
    restored,
  );
  let set = 0;
  const timers = {
    setTimeout: (fn: (...args: unknown[]) => void, ms: number) => {
      set += 1;
      return clock.setTimeout(fn, ms > LONGEST_TIMER_MS ? 1 : ms);
    },
    clearTimeout: (id: number) => clock.clearTimeout(id),
  };
  const actor = createActor(machine, { clock: timers }).start();
  const hold = (given: Hold, action = 'a'): void =>
    actor.send({ type: 'pause.hold', hold: given, action });
  const lift = (kinds: readonly HoldKind[], action = 'b'): void =>
    actor.send({ type: 'pause.lift', kinds, scope: 'session', action });
  return {
    clock,
    facts,
    gates,
    order,
    hold,
    lift,
    kinds: () => (gates.at(-1) ?? []).map(({ kind }) => kind),
    timers: () => set,
    written: () => rows.map(({ kind }) => kind),
  };
}

test('a hold of a person stays until it is lifted', () => {
  const pause = control();
  pause.hold(holdOf());
  pause.clock.increment(365 * DAY);
  expect(pause.kinds()).toEqual(['user']);
  pause.lift(['user', 'timer']);
  expect(pause.kinds()).toEqual([]);
  expect(pause.facts).toMatchObject([
    { holds: [{ kind: 'user' }], action: 'a' },
    { holds: [], action: 'b' },
  ]);
  expect(pause.written()).toEqual(['hold.set', 'hold.lifted']);
});

test('the gates agree with the holds before anybody is told', () => {
  const pause = control();
  pause.hold(timer(START + 10));
  pause.clock.increment(10);
  pause.lift(['user']);
  const each = ['gates', 'report'];
  expect(pause.order).toEqual(['gates', ...each, ...each, ...each]);
});

test('a hold with an end lifts itself exactly then, and names no action', () => {
  const pause = control();
  pause.hold(timer(START + 60_000));
  pause.clock.increment(59_999);
  expect(pause.kinds()).toEqual(['timer']);
  pause.clock.increment(1);
  expect(pause.kinds()).toEqual([]);
  expect(pause.facts.at(-1)).toEqual({ type: 'pause.changed', holds: [], at: START + 60_000 });
  expect(pause.written()).toEqual(['hold.set', 'hold.lifted']);
});

test('an end further away than a timer can reach is reached all the same', () => {
  const pause = control();
  pause.hold(timer(START + 60 * DAY));
  for (let day = 1; day < 60; day += 1) {
    pause.clock.increment(DAY);
    expect(pause.kinds()).toEqual(['timer']);
  }
  expect(pause.facts).toHaveLength(1);
  expect(pause.timers()).toBeLessThan(5);
  pause.clock.increment(DAY);
  expect(pause.kinds()).toEqual([]);
});

test('an end that has passed already is now', () => {
  const pause = control();
  pause.hold(timer(START - 1));
  pause.clock.increment(0);
  expect(pause.kinds()).toEqual([]);
});

test('restored holds are in force from the start and still end by themselves', () => {
  const pause = control([holdOf(), timer(START + 40 * DAY)]);
  expect(pause.kinds()).toEqual(['user', 'timer']);
  expect(pause.facts).toEqual([]);
  pause.clock.increment(40 * DAY);
  expect(pause.kinds()).toEqual(['user']);
});

test('a restored hold whose end passed while nobody ran is lifted at once', () => {
  const pause = control([timer(START - DAY)]);
  pause.clock.increment(0);
  expect(pause.kinds()).toEqual([]);
  expect(pause.written()).toEqual(['hold.lifted']);
});

test('a later hold of the same kind and scope replaces the earlier, and its end counts', () => {
  const pause = control();
  pause.hold(timer(START + 10));
  pause.hold(timer(START + 50));
  pause.clock.increment(49);
  expect(pause.gates.at(-1)).toEqual([timer(START + 50)]);
  pause.clock.increment(1);
  expect(pause.kinds()).toEqual([]);
});

test('an earlier end replaces a later one as well, and fires once', () => {
  const pause = control();
  pause.hold(timer(START + 50));
  pause.hold(timer(START + 10));
  pause.clock.increment(10);
  expect(pause.kinds()).toEqual([]);
  pause.clock.increment(100);
  expect(pause.facts).toHaveLength(3);
});

test('a hold that was lifted does not end a second time', () => {
  const pause = control();
  pause.hold(timer(START + 10));
  pause.lift(['timer']);
  pause.clock.increment(DAY);
  expect(pause.facts).toHaveLength(2);
});

test('a hold set again after it was lifted has its own end', () => {
  const pause = control();
  pause.hold(timer(START + 10));
  pause.lift(['timer']);
  pause.hold(timer(START + 20));
  pause.clock.increment(15);
  expect(pause.kinds()).toEqual(['timer']);
  pause.clock.increment(5);
  expect(pause.kinds()).toEqual([]);
});

test('the same hold again changes nothing and is answered', () => {
  const pause = control();
  pause.hold(holdOf(), 'first');
  pause.hold(holdOf({ since: START + 5 }), 'second');
  expect(pause.facts.map(({ action }) => action)).toEqual(['first', 'second']);
  expect(pause.facts[1]?.holds).toBe(pause.facts[0]?.holds);
  expect(pause.written()).toEqual(['hold.set']);
});

test('lifting what is not set changes nothing and is answered', () => {
  const pause = control([holdOf({ kind: 'stuck', scope: MAIN })]);
  pause.lift(['user', 'stuck']);
  expect(pause.kinds()).toEqual(['stuck']);
  expect(pause.facts).toHaveLength(1);
  expect(pause.written()).toEqual([]);
});

test('holds of different kinds and scopes do not touch each other', () => {
  const own = holdOf({ kind: 'timer', scope: MAIN, until: START + 5 });
  const pause = control([holdOf(), own]);
  pause.lift(['timer']);
  expect(pause.kinds()).toEqual(['user', 'timer']);
  pause.clock.increment(5);
  expect(pause.kinds()).toEqual(['user']);
});

const kinds = fc.constantFrom<HoldKind>('user', 'timer', 'stuck', 'endpoint');
const scopes = fc.constantFrom('session' as const, MAIN);
const holds = fc
  .record({ kind: kinds, scope: scopes, until: fc.option(fc.integer({ min: 0, max: 50 })) })
  .map(({ until, ...rest }) => holdOf({ ...rest, until: until === null ? null : START + until }));

test('there is never more than one hold of a kind in a scope, and none past its end', () => {
  const steps = fc.array(fc.oneof(holds, fc.array(kinds), fc.integer({ min: 0, max: 30 })), {
    maxLength: 30,
    size: 'max',
  });
  fc.assert(
    fc.property(steps, (script) => {
      const pause = control();
      for (const step of script) {
        if (typeof step === 'number') pause.clock.increment(step);
        else if (Array.isArray(step)) pause.lift(step);
        else pause.hold(step);
        pause.clock.increment(0);
        const current = pause.gates.at(-1) ?? [];
        expect(new Set(current.map(holdKey)).size).toBe(current.length);
        expect(current.every(({ until }) => until === null || until > pause.clock.now())).toBe(
          true,
        );
      }
    }),
  );
});

test('what is written is what changed: folded, it gives the holds', () => {
  const steps = fc.array(fc.oneof(holds, fc.array(kinds)), { maxLength: 30, size: 'max' });
  fc.assert(
    fc.property(steps, (script) => {
      let current: readonly Hold[] = [];
      const byRow = new Map<string, Hold>();
      for (const step of script) {
        const change = changeHolds(
          current,
          Array.isArray(step)
            ? { type: 'pause.lift', kinds: step, scope: 'session' }
            : { type: 'pause.hold', hold: step },
          START,
        );
        for (const hold of change.set) byRow.set(holdKey(hold), hold);
        for (const hold of change.lifted) byRow.delete(holdKey(hold));
        current = change.holds;
        expect([...byRow.values()].map(holdKey).sort()).toEqual(current.map(holdKey).sort());
      }
    }),
  );
});
