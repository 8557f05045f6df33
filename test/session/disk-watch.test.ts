import { expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import type { DiskProbed, HoldWanted } from '../../messages/pause.js';
import { DiskWatch, type DiskWatchPorts, type Refusal } from '../../src/session/disk-watch.js';
import { holdOf, START } from '../support/session-samples.js';
import { settled } from '../support/settled.js';

const FULL: Refusal = {
  what: 'the disk is full: the journal cannot be written',
  advice: 'Free some space',
};
const LIFTED: DiskProbed = { type: 'disk.probed', ok: true, action: null };

class Watched {
  readonly clock = new SimulatedClock();
  readonly told: (HoldWanted | DiskProbed)[] = [];
  readonly givenUp: string[] = [];
  tries = 0;
  hasRoom = false;
  readonly watch: DiskWatch;

  constructor(ports: Partial<DiskWatchPorts> = {}) {
    this.clock.set(START);
    this.watch = new DiskWatch({
      time: { now: () => this.clock.now() },
      clock: this.clock,
      maxWaitMs: null,
      isHeld: false,
      release: 'ouro resume 3f0c2a9e',
      tell: (message) => this.told.push(message),
      giveUp: (reason) => void this.givenUp.push(reason),
      ...ports,
    });
  }

  readonly attempt = (): boolean => {
    this.tries += 1;
    return this.hasRoom;
  };

  /** Null until it is over. */
  waits(refusal = FULL, signal?: AbortSignal): { over: boolean } {
    const state = { over: false };
    void this.watch.keepTrying(refusal, this.attempt, signal).then(() => (state.over = true));
    return state;
  }

  async later(ms: number): Promise<void> {
    this.clock.increment(ms);
    await settled(3);
  }
}

test('a disk that is full holds the session, with the reason and the command that has it tried', () => {
  const watched = new Watched();
  watched.waits();
  const reason =
    'the disk is full: the journal cannot be written. Free some space: it is tried again within a ' +
    'minute, and goes on by itself';
  const hold = { kind: 'disk', scope: 'session', since: START, until: null, reason } as const;
  expect(watched.told).toEqual([
    { type: 'hold.wanted', hold: { ...hold, release: 'ouro resume 3f0c2a9e' } },
  ]);
});

test('it is tried after 5 s, 15 s, and then every minute, until it takes what waits', async () => {
  const watched = new Watched();
  const waiting = watched.waits();
  for (const [n, ms] of [5_000, 15_000, 60_000, 60_000].entries()) {
    await watched.later(ms - 1);
    expect(watched.tries).toBe(n);
    await watched.later(1);
    expect(watched.tries).toBe(n + 1);
  }
  watched.hasRoom = true;
  await watched.later(60_000);
  expect([waiting.over, watched.told.at(-1)]).toEqual([true, LIFTED]);
  await watched.later(600_000);
  expect(watched.tries).toBe(5);
});

test('a disk that is full again is looked at as soon as the first time', async () => {
  const watched = new Watched();
  watched.waits();
  await watched.later(20_000);
  watched.hasRoom = true;
  await watched.later(60_000);
  watched.hasRoom = false;
  watched.tries = 0;
  watched.waits();
  await watched.later(5_000);
  expect(watched.tries).toBe(1);
});

test('one hold stands for all that waits, and is lifted when nothing does', async () => {
  const watched = new Watched();
  const first = watched.waits();
  const other = { hasRoom: false };
  void watched.watch.keepTrying({ what: 'another', advice: 'Wait' }, () => other.hasRoom);
  watched.hasRoom = true;
  expect(await watched.watch.tryNow()).toBe(false);
  await settled(3);
  expect([first.over, watched.told.length]).toEqual([true, 1]);
  other.hasRoom = true;
  expect(await watched.watch.tryNow()).toBe(true);
  expect(watched.told.slice(1)).toEqual([LIFTED]);
});

test('what is cancelled waits no longer, and holds nobody', async () => {
  const watched = new Watched();
  const cancel = new AbortController();
  const waiting = watched.waits(FULL, cancel.signal);
  cancel.abort();
  await settled(3);
  expect([waiting.over, watched.told.at(-1), watched.tries]).toEqual([true, LIFTED, 0]);
});

test('a hold of an earlier run is lifted where nothing waits, and is not set again where something does', async () => {
  const held = holdOf({ kind: 'disk' });
  const over = new Watched({ isHeld: true });
  over.watch.follow([held]);
  expect(over.told).toEqual([LIFTED]);

  const still = new Watched({ isHeld: true });
  still.waits();
  still.watch.follow([held]);
  expect(still.told).toEqual([]);
  still.hasRoom = true;
  await still.later(5_000);
  expect(still.told).toEqual([LIFTED]);
});

test('a hold that was lifted for what waited before is set again for what waits now', async () => {
  const watched = new Watched();
  watched.waits();
  watched.watch.follow([holdOf({ kind: 'disk' })]);
  watched.hasRoom = true;
  await watched.later(5_000);
  watched.hasRoom = false;
  watched.waits();
  expect(watched.told.map(({ type }) => type)).toEqual(['hold.wanted', 'disk.probed']);
  watched.watch.follow([]);
  expect(watched.told.at(-1)).toMatchObject({
    type: 'hold.wanted',
    hold: { since: START + 5_000 },
  });
});

test('the wait is given up at its limit, with what can be done', async () => {
  const watched = new Watched({ maxWaitMs: 30_000 });
  watched.waits();
  await watched.later(29_999);
  expect(watched.givenUp).toEqual([]);
  await watched.later(1);
  expect(watched.givenUp).toEqual([
    'the disk is full: the journal cannot be written. It was waited for as long as --max-wait allows. ' +
      'Free some space, then resume it',
  ]);
});

test('at the end of the session nothing waits, and nothing is tried', async () => {
  const watched = new Watched({ maxWaitMs: 30_000 });
  const waiting = watched.waits();
  watched.watch.close();
  await watched.later(600_000);
  expect([waiting.over, watched.tries, watched.givenUp, watched.told.length]).toEqual([
    true,
    0,
    [],
    1,
  ]);
  expect(watched.waits().over).toBe(false);
  expect(watched.told).toHaveLength(1);
});
