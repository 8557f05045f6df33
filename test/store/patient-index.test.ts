import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import { openDatabase } from '../../src/store/database.js';
import { openIndex, type IndexStore } from '../../src/store/index-store.js';
import { ensureHome } from '../../src/store/layout.js';
import { patientIndex } from '../../src/store/patient-index.js';
import { recordOf } from './session-samples.js';
import { tempFolder } from './temp-folder.js';

const NO_LIMITS = { dayUsd: null, monthUsd: null };

/** What a real database says when there is no room. */
function noRoom(): never {
  const file = join(tempFolder(), 'small.db');
  writeFileSync(file, '');
  const db = openDatabase({ file, access: 'write', busyMs: 0 });
  try {
    db.exec('CREATE TABLE rows (body TEXT)');
    db.pragma('max_page_count = 3');
    db.prepare('INSERT INTO rows VALUES (?)').run('x'.repeat(50_000));
  } finally {
    db.close();
  }
  throw new Error('there was room');
}

/** A real index whose disk can be full. `room`: how often a little can be made. */
function bench(room = 0) {
  const home = tempFolder();
  ensureHome(home);
  const real = openIndex({ home, time: { now: () => 1 } });
  const disk = { isFull: false, room };
  const onDisk = <A extends unknown[], R>(write: (...args: A) => R) => {
    return (...args: A): R => (disk.isFull ? noRoom() : write(...args));
  };
  const { spending } = real;
  const full: IndexStore = {
    ...real,
    put: onDisk((...args: Parameters<typeof real.put>) => real.put(...args)),
    patch: onDisk((...args: Parameters<typeof real.patch>) => real.patch(...args)),
    spending: {
      ...spending,
      reserve: onDisk((...args: Parameters<typeof spending.reserve>) => spending.reserve(...args)),
      settle: onDisk((...args: Parameters<typeof spending.settle>) => spending.settle(...args)),
    },
  };
  const warnings: string[] = [];
  const makeRoom = (): boolean => {
    disk.room -= 1;
    disk.isFull = disk.room < 0;
    return disk.room >= 0;
  };
  const clock = new SimulatedClock();
  const warn = (text: string): void => void warnings.push(text);
  const index = patientIndex(full, { warn, makeRoom, timers: clock });
  onTestFinished(() => index.close());
  return { index, real, disk, warnings, clock };
}

const record = recordOf('3f0c2a9e-7c1e-4d1b-9a55-3f2f6f1d9c10');
const { id } = record;
const spent = { model: 'm', usd: 2, promptTokens: 1, completionTokens: 1, cachedTokens: 0 };
const aside = { id: 'b1', model: 'm', day: '2026-03-01', at: 0, usd: 2, tokens: 9 };

test('what a full disk does not take is said once and written later, in order', () => {
  const { index, real, disk, warnings } = bench();
  index.put(record);
  disk.isFull = true;
  index.patch(id, { state: 'held', rounds: 7 });
  index.spending.settle(id, null, '2026-03-01', spent);
  index.patch(id, { state: 'running' });
  expect(real.get(id)).toMatchObject({ state: 'running', rounds: 0 });
  expect(warnings).toEqual([expect.stringMatching(/cannot be written .*when there is room/)]);
  disk.isFull = false;
  index.patch(id, { rounds: 8 });
  expect(real.get(id)).toMatchObject({ state: 'running', rounds: 8 });
  expect(real.spending.sums('2026-03-01').day.spent).toBe(2);
});

test('without anything new it is brought up to date by and by', () => {
  const { index, real, disk, clock } = bench();
  disk.isFull = true;
  index.put(record);
  index.patch(id, { state: 'held' });
  clock.increment(5_000);
  expect(real.get(id)).toBeNull();
  disk.isFull = false;
  clock.increment(5_000);
  expect(real.get(id)).toMatchObject({ id, state: 'held' });
});

test('that a session is held is written where a little room can be made', () => {
  const { index, real, disk } = bench(1);
  index.put(record);
  disk.isFull = true;
  index.patch(id, { state: 'held', holds: ['disk'] });
  expect(real.get(id)).toMatchObject({ state: 'held', holds: ['disk'] });
  expect(disk.room).toBe(0);
});

test('limits that sessions share hold also for what could not be set aside on the disk', () => {
  const { index, real, disk } = bench();
  const limits = { dayUsd: 5, monthUsd: null };
  disk.isFull = true;
  expect(index.spending.reserve(id, aside, limits)).toBe(true);
  expect(index.spending.reserve(id, { ...aside, id: 'b2' }, limits)).toBe(true);
  expect(index.spending.reserve(id, { ...aside, id: 'b3' }, limits)).toBe(false);
  disk.isFull = false;
  expect(index.spending.reserve(id, { ...aside, id: 'b4' }, limits)).toBe(false);
  expect(real.spending.sums(aside.day).day.reserved).toBe(4);
  expect(index.spending.reserve(id, { ...aside, id: 'b5' }, NO_LIMITS)).toBe(true);
});
