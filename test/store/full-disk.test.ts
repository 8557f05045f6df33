import { existsSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JournalFact } from '../../messages/journal.js';
import { JournalUnwritable } from '../../src/store/journal-errors.js';
import { openJournal } from '../../src/store/journal-store.js';
import { RESERVE_BYTES, reserveFile, reserveIn } from '../../src/store/reserve.js';
import { MAX_WAITING_BYTES } from '../../src/store/waiting-rows.js';
import { note, SESSION } from './journal-samples.js';
import { longAction, longHold, longNote, SmallDisk } from './small-disk.js';
import { tempFolder } from './temp-folder.js';

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What became of appends, in the order in which it did. */
function follow(disk: SmallDisk) {
  const told: string[] = [];
  const append = (name: string, fact: JournalFact): void => {
    disk.journal.append([fact]).then(
      (seq) => told.push(`${name} ${seq}`),
      (error: unknown) => told.push(`${name} ${error instanceof Error ? error.name : ''}`),
    );
  };
  return { told, append };
}

test('what a full disk does not take waits in order, told to nobody, and is written when there is room', async () => {
  const disk = new SmallDisk();
  const { told, append } = follow(disk);
  let troubles = 0;
  disk.journal.onTrouble(() => void (troubles += 1));
  append('first', longNote('first'));
  await turnOfTheLoop();
  disk.fill(0);
  for (const name of ['second', 'third']) {
    append(name, longNote(name));
    await turnOfTheLoop();
  }
  expect(disk.journal.tryAgain()).toBe(false);
  expect([troubles, disk.journal.trouble?.reason]).toEqual([1, 'disk-full']);
  await turnOfTheLoop();
  expect(told).toEqual(['first 1']);
  expect(disk.titles()).toEqual(['first']);

  disk.free();
  expect(disk.journal.tryAgain()).toBe(true);
  expect(disk.journal.trouble).toBeNull();
  append('fourth', longNote('fourth'));
  await turnOfTheLoop();
  expect(told).toEqual(['first 1', 'second 2', 'third 3', 'fourth 4']);
  expect(disk.titles()).toEqual(['first', 'second', 'third', 'fourth']);
});

test('what a person does is written on the reserve with all that stands before it, and nothing else is told', async () => {
  const disk = new SmallDisk();
  const { told, append } = follow(disk);
  disk.fill(3);
  append('row', longNote('row'));
  append('hold', longHold);
  append('action', longAction('action'));
  await turnOfTheLoop();
  await turnOfTheLoop();
  expect(told).toEqual(['hold 2', 'action 3']);
  expect(disk.titles()).toEqual(['row', 'hold.set', 'action']);
  expect(disk.journal.trouble).not.toBeNull();

  disk.free();
  expect(disk.journal.tryAgain()).toBe(true);
  await turnOfTheLoop();
  expect(told).toEqual(['hold 2', 'action 3', 'row 1']);
});

test('trouble lasts until the reserve can be made whole again', async () => {
  const disk = new SmallDisk(100);
  const { told, append } = follow(disk);
  disk.fill(1);
  append('row', longNote('row'));
  await turnOfTheLoop();
  expect(disk.titles()).toEqual(['row']);
  expect(disk.journal.tryAgain()).toBe(false);
  expect(told).toEqual([]);
});

test('with the reserve used up an action is refused and forgotten, and what waits goes on waiting', async () => {
  const disk = new SmallDisk();
  const { told, append } = follow(disk);
  disk.fill(0);
  append('row', longNote('row'));
  append('action', longAction('action'));
  append('hold', longHold);
  await turnOfTheLoop();
  await turnOfTheLoop();
  expect(told).toEqual(['action JournalUnwritable']);
  disk.free();
  disk.journal.tryAgain();
  await turnOfTheLoop();
  expect(disk.titles()).toEqual(['row', 'hold.set']);
  expect(told).toEqual(['action JournalUnwritable', 'hold 2', 'row 1']);
});

test('others who have no room get some of the reserve, and it is made whole before anything goes on', async () => {
  const disk = new SmallDisk();
  const { told, append } = follow(disk);
  disk.fill(2);
  disk.journal.giveRoom();
  expect(disk.pieces).toBe(1);
  append('row', longNote('row'));
  await turnOfTheLoop();
  expect(told).toEqual([]);
  disk.free();
  expect(disk.journal.tryAgain()).toBe(true);
  await turnOfTheLoop();
  expect(told).toEqual(['row 1']);
});

test('a disk that cannot be written to is waited for like a full one', async () => {
  const disk = new SmallDisk();
  const { told, append } = follow(disk);
  disk.db.pragma('query_only = ON');
  append('row', note('row'));
  await turnOfTheLoop();
  expect(disk.journal.trouble?.reason).toBe('read-only');
  disk.db.pragma('query_only = OFF');
  expect(disk.journal.tryAgain()).toBe(true);
  await turnOfTheLoop();
  expect(told).toEqual(['row 1']);
});

test("what is not the disk's doing is not waited for", async () => {
  const disk = new SmallDisk();
  const { told, append } = follow(disk);
  disk.db.exec('DROP TABLE rows');
  append('row', note('row'));
  expect(await disk.journal.failed).toBeInstanceOf(JournalUnwritable);
  await turnOfTheLoop();
  expect(told).toEqual(['row JournalUnwritable']);
  expect([disk.journal.trouble, disk.journal.unwritten]).toEqual([null, 1]);
});

test('more than is kept in memory is a failure for good', async () => {
  const disk = new SmallDisk();
  const { told, append } = follow(disk);
  disk.fill(0);
  append('first', longNote('first'));
  await turnOfTheLoop();
  const piece = 'y'.repeat(MAX_WAITING_BYTES / 8);
  for (let n = 0; n < 8; n += 1) append(`${n}`, note(`${n}`, piece));
  expect(await disk.journal.failed).toMatchObject({ reason: 'disk-full' });
  await turnOfTheLoop();
  expect(told).toHaveLength(9);
  expect(new Set(told.map((text) => text.split(' ')[1]))).toEqual(new Set(['JournalUnwritable']));
  expect([disk.journal.unwritten, disk.titles()]).toEqual([9, []]);
});

test('at its end what waits is written on the reserve, and told', async () => {
  const disk = new SmallDisk();
  const { told, append } = follow(disk);
  disk.fill(9);
  append('row', longNote('row'));
  await turnOfTheLoop();
  disk.journal.waitNoLonger();
  append('last', longNote('last'));
  await disk.journal.close();
  expect(told).toEqual(['row 1', 'last 2']);
  expect([disk.journal.unwritten, disk.titles()]).toEqual([0, ['row', 'last']]);
});

test('at its end, with the reserve used up, it is said how many rows are lost', async () => {
  const disk = new SmallDisk();
  const { told, append } = follow(disk);
  append('kept', longNote('kept'));
  await turnOfTheLoop();
  disk.fill(0);
  append('row', longNote('row'));
  append('hold', longHold);
  await turnOfTheLoop();
  disk.journal.waitNoLonger();
  await disk.journal.close();
  expect(told).toEqual(['kept 1', 'row JournalUnwritable', 'hold JournalUnwritable']);
  expect([disk.journal.unwritten, disk.titles()]).toEqual([2, ['kept']]);
});

const happening = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('row', 'action', 'hold') },
  { weight: 1, arbitrary: fc.constantFrom('fill', 'free', 'try', 'kill') },
);

test('whatever a disk does, no row is lost that was told, none is there twice, and all stand in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 30 }), fc.nat(3), async (plan, pieces) => {
      const disk = new SmallDisk();
      const appended: string[] = [];
      const told: string[] = [];
      let life = 0;
      for (const what of plan) {
        const name = `${what}-${appended.length}`;
        const of = life;
        const append = (fact: JournalFact): void => {
          appended.push(name);
          disk.journal.append([fact]).then(
            () => of === life && told.push(name),
            () => undefined,
          );
        };
        if (what === 'row' || what === 'hold') append(longNote(name));
        else if (what === 'action') append(longAction(name));
        else if (what === 'fill') disk.fill(pieces);
        else if (what === 'free') disk.free();
        else if (what === 'try') disk.journal.tryAgain();
        else {
          life += 1;
          disk.again();
        }
        await turnOfTheLoop();
      }
      const found = disk.titles();
      expect(found.filter((name) => told.includes(name))).toEqual(
        appended.filter((name) => told.includes(name)),
      );
      expect(found).toEqual(appended.filter((name) => found.includes(name)));
    }),
    { numRuns: 40 },
  );
});

test('the reserve takes up as much of the disk as it is long, is given back in pieces, and is made again', () => {
  const dir = tempFolder();
  const reserve = reserveIn(dir);
  const file = reserveFile(dir);
  reserve.make();
  expect(statSync(file).size).toBe(RESERVE_BYTES);
  expect(statSync(file).blocks * 512).toBeGreaterThanOrEqual(RESERVE_BYTES);
  let pieces = 0;
  while (reserve.give()) pieces += 1;
  expect([pieces, statSync(file).size]).toEqual([16, 0]);
  reserve.make();
  truncateSync(file, 1_000);
  reserve.make();
  expect(statSync(file).size).toBe(RESERVE_BYTES);
  reserve.remove();
  expect([existsSync(file), reserve.give()]).toEqual([false, false]);
});

test('a session has its reserve while its journal is open', async () => {
  const dir = join(tempFolder(), 'session');
  const time = { now: () => 0 };
  const reserve = reserveIn(dir);
  const journal = openJournal({ dir, session: SESSION, mode: 'create', time, reserve });
  expect(existsSync(reserveFile(dir))).toBe(true);
  await journal.append([note('one')]);
  await journal.close();
  expect(existsSync(reserveFile(dir))).toBe(false);
});
