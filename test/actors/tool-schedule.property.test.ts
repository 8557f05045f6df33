import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  EMPTY_SCHEDULE,
  idOf,
  MAX_RUNNING,
  startReady,
  without,
  type Schedule,
  type ScheduledCall,
} from '../../actors/tool-schedule.js';
import { callOf, MAIN } from '../support/session-samples.js';

interface Wanted {
  readonly locks: readonly string[];
  readonly waits: boolean;
}

const wanted: fc.Arbitrary<Wanted> = fc.record({
  locks: fc.uniqueArray(fc.constantFrom('shell/main', 'file//a', 'file//b'), { maxLength: 2 }),
  waits: fc.boolean(),
});

/** Either a new call, or the end of one of those that run. */
const steps = fc.array(
  fc.oneof({ weight: 3, arbitrary: wanted }, { weight: 2, arbitrary: fc.nat() }),
  {
    maxLength: 60,
    size: 'max',
  },
);

const scheduled = ({ locks, waits }: Wanted, n: number): ScheduledCall => ({
  agent: MAIN,
  round: 1,
  call: callOf(`call ${n}`),
  plan: { effect: 'write', locks, waits, summary: '' },
});

const add = (schedule: Schedule, call: ScheduledCall): Schedule => ({
  ...schedule,
  queued: [...schedule.queued, call],
});

const working = ({ running }: Schedule): ScheduledCall[] =>
  running.filter(({ plan }) => !plan.waits);

/** Plays the steps, looks at every schedule on the way, then lets everything end. */
function play(
  script: readonly (Wanted | number)[],
  look: (schedule: Schedule) => void,
): { arrived: ScheduledCall[]; started: ScheduledCall[] } {
  let schedule = EMPTY_SCHEDULE;
  const arrived: ScheduledCall[] = [];
  const started: ScheduledCall[] = [];
  const start = (next: Schedule): void => {
    const ready = startReady(next);
    started.push(...ready.started);
    schedule = ready.schedule;
    look(schedule);
  };
  const end = (nth: number): void => {
    const one = schedule.running[nth % Math.max(schedule.running.length, 1)];
    if (one !== undefined) start(without(schedule, idOf(one)));
  };
  for (const step of script) {
    if (typeof step === 'number') end(step);
    else {
      const call = scheduled(step, arrived.length);
      arrived.push(call);
      start(add(schedule, call));
    }
  }
  while (schedule.running.length > 0) end(0);
  expect(schedule.queued).toEqual([]);
  return { arrived, started };
}

test('no two calls that run share a lock', () => {
  fc.assert(
    fc.property(steps, (script) => {
      play(script, (schedule) => {
        const locks = working(schedule).flatMap(({ plan }) => plan.locks);
        expect(new Set(locks).size).toBe(locks.length);
      });
    }),
  );
});

test('never more than the cap run at once', () => {
  fc.assert(
    fc.property(steps, (script) => {
      play(script, (schedule) => {
        expect(working(schedule).length).toBeLessThanOrEqual(MAX_RUNNING);
      });
    }),
  );
});

test('calls that share a lock start in the order they came', () => {
  fc.assert(
    fc.property(steps, (script) => {
      const { arrived, started } = play(script, () => undefined);
      for (const lock of ['shell/main', 'file//a', 'file//b']) {
        const users = (list: readonly ScheduledCall[]): string[] =>
          list.filter(({ plan }) => !plan.waits && plan.locks.includes(lock)).map(idOf);
        expect(users(started)).toEqual(users(arrived));
      }
    }),
  );
});

test('every call starts in the end, once', () => {
  fc.assert(
    fc.property(steps, (script) => {
      const { arrived, started } = play(script, () => undefined);
      expect(started.map(idOf).sort()).toEqual(arrived.map(idOf).sort());
    }),
  );
});

test('a call that waits for something else starts at once, whatever runs', () => {
  fc.assert(
    fc.property(steps, (script) => {
      play(script, ({ queued }) => expect(queued.some(({ plan }) => plan.waits)).toBe(false));
    }),
  );
});

test('nothing stays in the queue that could run', () => {
  fc.assert(
    fc.property(steps, (script) => {
      play(script, (schedule) => {
        const taken = new Set(working(schedule).flatMap(({ plan }) => plan.locks));
        if (working(schedule).length >= MAX_RUNNING) return;
        for (const { plan } of schedule.queued) {
          expect(plan.locks.some((lock) => taken.has(lock))).toBe(true);
          for (const lock of plan.locks) taken.add(lock);
        }
      });
    }),
  );
});

test('a call that waits takes neither a lock nor a place', () => {
  const waiting = Array.from({ length: 20 }, (_, n) =>
    scheduled({ locks: ['shell/main'], waits: true }, n),
  );
  const full = startReady({ ...EMPTY_SCHEDULE, queued: waiting }).schedule;
  const more = Array.from({ length: MAX_RUNNING }, (_, n) =>
    scheduled({ locks: n === 0 ? ['shell/main'] : [], waits: false }, 20 + n),
  );
  expect(startReady({ ...full, queued: more }).started).toHaveLength(MAX_RUNNING);
});
