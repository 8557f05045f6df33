import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JournalRow } from '../../messages/journal.js';
import { SchemaTooNew, openDatabase } from '../../src/store/database.js';
import { JournalDamage, JournalMissing } from '../../src/store/journal-errors.js';
import { openJournal, openJournalReader } from '../../src/store/journal-store.js';
import { salvage } from '../../src/store/salvage.js';
import { SESSION, note } from './journal-samples.js';
import { tempFolder } from './temp-folder.js';

const time = { now: () => 5 };
const ROWS = 40;

/** A closed journal of `ROWS` rows of many sizes, the twentieth in a file of its own. */
async function writeJournal(dir: string): Promise<void> {
  const journal = openJournal({ dir, session: SESSION, mode: 'create', time });
  for (let n = 1; n <= ROWS; n += 1) {
    const bytes = n === 20 ? 300_000 : (n % 7) * 900;
    await journal.append([note(`row ${n}`, `${n} `.repeat(bytes / 3))]);
  }
  await journal.close();
}

/** Changes the file by SQL, as somebody with a tool would. */
function meddle(dir: string, sql: string): void {
  const db = openDatabase({ file: join(dir, 'journal.db'), access: 'write', busyMs: 0 });
  db.exec(sql);
  db.close();
}

function readAll(dir: string): JournalRow[] {
  const reader = openJournalReader({ dir, session: SESSION });
  try {
    return [...reader.rows()];
  } finally {
    reader.close();
  }
}

/** Null: it was read without complaint. */
function damageOf(read: () => unknown): JournalDamage | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof JournalDamage) return error;
    throw error;
  }
}

test.each([
  ['DELETE FROM rows WHERE seq = 7', { what: 'gap', seq: 7, lastGood: 6 }],
  ['DELETE FROM rows WHERE seq < 3', { what: 'gap', seq: 1, lastGood: 0 }],
  [`UPDATE rows SET body = '{}' WHERE seq = 9`, { what: 'altered', seq: 9, lastGood: 8 }],
  ['UPDATE rows SET ts = ts + 1 WHERE seq = 40', { what: 'altered', seq: 40, lastGood: 39 }],
  [`UPDATE rows SET agent = 'sub-1' WHERE seq = 2`, { what: 'altered', seq: 2, lastGood: 1 }],
  [`UPDATE rows SET hash = x'00' WHERE seq = 2`, { what: 'altered', seq: 2, lastGood: 1 }],
])('damage is found where it is: %s', async (sql, expected) => {
  const dir = join(tempFolder(), 'session');
  await writeJournal(dir);
  meddle(dir, sql);
  const file = join(dir, 'journal.db');
  expect(damageOf(() => readAll(dir))).toMatchObject({ ...expected, file });
});

test('rows before the damage are handed out, and the message says what to do', async () => {
  const dir = join(tempFolder(), 'session');
  await writeJournal(dir);
  meddle(dir, 'DELETE FROM rows WHERE seq = 30');
  const reader = openJournalReader({ dir, session: SESSION });
  const seen: number[] = [];
  const damage = damageOf(() => {
    for (const row of reader.rows()) seen.push(row.seq);
  });
  reader.close();
  expect(seen).toHaveLength(29);
  expect(damage?.message).toBe(
    `The journal ${join(dir, 'journal.db')} is damaged: row 30 is missing. Rows 1 to 29 are intact. ` +
      `Nothing was changed. To keep the damaged file aside and go on from the last good row: ` +
      `ouro resume 0b5e1a52 --salvage`,
  );
});

test('a large body that was altered or is gone is damage of its row', async () => {
  const dir = join(tempFolder(), 'session');
  await writeJournal(dir);
  const [name = ''] = readdirSync(join(dir, 'blobs'));
  const file = join(dir, 'blobs', name);
  const bytes = readFileSync(file);
  bytes[1_000] = 0x21;
  writeFileSync(file, bytes);
  expect(damageOf(() => readAll(dir))).toMatchObject({ what: 'altered', seq: 20, file });
  rmSync(file);
  expect(damageOf(() => readAll(dir))).toMatchObject({ what: 'unreadable', seq: 20, file });
});

test('whatever byte of the database is changed, rows are read as written or damage is reported', async () => {
  const folder = tempFolder();
  const good = join(folder, 'good');
  await writeJournal(good);
  const rows = readAll(good);
  const bytes = readFileSync(join(good, 'journal.db'));
  const offset = fc.oneof(
    fc.nat(bytes.length - 1),
    // Headers and the tables of cells decide what SQLite can see, so they get more than their share.
    fc.tuple(fc.nat(bytes.length / 4096 - 1), fc.nat(24)).map(([page, byte]) => page * 4096 + byte),
    fc.nat(99),
  );
  let run = 0;
  fc.assert(
    fc.property(
      fc.uniqueArray(offset, { minLength: 1, maxLength: 3 }),
      fc.nat(254),
      (where, by) => {
        const dir = join(folder, String((run += 1)));
        mkdirSync(dir);
        copyFolder(join(good, 'blobs'), join(dir, 'blobs'));
        const changed = Buffer.from(bytes);
        for (const at of where) changed.writeUInt8((changed.readUInt8(at) + by + 1) % 256, at);
        writeFileSync(join(dir, 'journal.db'), changed);
        requireAllOrDamage(dir, rows);
        expect(readFileSync(join(dir, 'journal.db')).equals(changed)).toBe(true);
        rmSync(dir, { recursive: true });
      },
    ),
    { numRuns: 300 },
  );
});

/** The promise of reading, and of opening for writing, for a file that somebody changed. */
function requireAllOrDamage(dir: string, rows: readonly JournalRow[]): void {
  const seen: JournalRow[] = [];
  try {
    const reader = openJournalReader({ dir, session: SESSION });
    try {
      for (const row of reader.rows()) seen.push(row);
    } finally {
      reader.close();
    }
    expect(seen).toEqual(rows);
  } catch (error) {
    if (error instanceof JournalDamage) expect(seen).toEqual(rows.slice(0, error.lastGood));
    else if (!(error instanceof SchemaTooNew)) throw error;
  }
}

function copyFolder(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
}

/** For a row of up to 6 KB: its pages, the one that leads to them, and the first. */
const FRAMES_A_COMMIT = 5;

/** What a killed process leaves: a database and a log with most of the rows. */
async function killedJournal(folder: string): Promise<string> {
  const live = join(folder, 'live');
  const dead = join(folder, 'dead');
  const journal = openJournal({ dir: live, session: SESSION, mode: 'create', time });
  for (let n = 1; n <= 12; n += 1) await journal.append([note(`row ${n}`, 'z'.repeat(500 * n))]);
  mkdirSync(dead);
  for (const name of ['journal.db', 'journal.db-wal'])
    copyFileSync(join(live, name), join(dead, name));
  await journal.close();
  return dead;
}

test('a change in the log that would hide later commits is damage, and the rows before it are named', async () => {
  const dir = await killedJournal(tempFolder());
  const all = readAll(dir);
  expect(all).toHaveLength(12);
  const log = join(dir, 'journal.db-wal');
  const bytes = readFileSync(log);
  // Anywhere but in the two newest commits, which cannot be told from one that a crash cut short.
  const end = bytes.length - 2 * FRAMES_A_COMMIT * (4096 + 24);
  rmSync(join(dir, 'journal.db-shm'), { force: true });
  fc.assert(
    fc.property(fc.nat(end - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ by, at);
      writeFileSync(log, changed);
      rmSync(join(dir, 'journal.db-shm'), { force: true });
      const damage = damageOf(() => readAll(dir));
      if (damage === null) expect(readAll(dir)).toEqual(all);
      else expect(damage).toMatchObject({ what: 'unreadable', file: log });
      const opening = damageOf(() => void reopen(dir).rows());
      expect(opening?.lastGood).toBe(damage?.lastGood);
      expect(readFileSync(log).equals(changed)).toBe(true);
    }),
    { numRuns: 100 },
  );
});

const reopen = (dir: string): ReturnType<typeof openJournal> =>
  openJournal({ dir, session: SESSION, mode: 'append', time });

test('a log that was cut short in its newest commit opens with every row before it', async () => {
  const dir = await killedJournal(tempFolder());
  const log = join(dir, 'journal.db-wal');
  writeFileSync(log, readFileSync(log).subarray(0, -2_000));
  const journal = reopen(dir);
  expect(journal.lastSeq).toBe(11);
  await journal.append([note('goes on')]);
  expect([...journal.rows()]).toHaveLength(12);
  await journal.close();
});

test('salvaging keeps the rows before the damage, and the damaged files beside them', async () => {
  const dir = join(tempFolder(), 'session');
  await writeJournal(dir);
  const before = readAll(dir);
  meddle(dir, 'DELETE FROM rows WHERE seq = 30');
  const damaged = readFileSync(join(dir, 'journal.db'));
  const aside = join(dir, 'journal.db.damaged-1');
  expect(salvage({ dir, session: SESSION })).toEqual({ kept: 29, damaged: aside });
  expect(readFileSync(aside).equals(damaged)).toBe(true);
  expect(readAll(dir)).toEqual(before.slice(0, 29));
  const journal = reopen(dir);
  expect(await journal.append([note('goes on')])).toBe(30);
  await journal.close();
  meddle(dir, 'DELETE FROM rows WHERE seq = 5');
  expect(salvage({ dir, session: SESSION }).damaged).toBe(join(dir, 'journal.db.damaged-2'));
  expect(readAll(dir)).toHaveLength(4);
});

test('a journal with nothing wrong is left alone by salvaging', async () => {
  const dir = join(tempFolder(), 'session');
  await writeJournal(dir);
  const before = readFileSync(join(dir, 'journal.db'));
  expect(salvage({ dir, session: SESSION })).toEqual({ kept: ROWS, damaged: null });
  expect(readFileSync(join(dir, 'journal.db')).equals(before)).toBe(true);
});

test('salvaging a file that is no database leaves an empty journal', () => {
  const dir = tempFolder();
  writeFileSync(join(dir, 'journal.db'), 'gone');
  expect(salvage({ dir, session: SESSION }).kept).toBe(0);
  expect(readAll(dir)).toEqual([]);
  expect(readFileSync(join(dir, 'journal.db.damaged-1'), 'utf8')).toBe('gone');
});

test('salvaging takes the log of a damaged database away with it', async () => {
  const dir = await killedJournal(tempFolder());
  const log = join(dir, 'journal.db-wal');
  const bytes = readFileSync(log);
  bytes.writeUInt8(bytes.readUInt8(30_000) ^ 1, 30_000);
  writeFileSync(log, bytes);
  const { kept } = salvage({ dir, session: SESSION });
  expect(kept).toBeGreaterThan(0);
  expect(readAll(dir)).toHaveLength(kept);
  expect(readFileSync(join(dir, 'journal.db.damaged-1-wal')).equals(bytes)).toBe(true);
});

test('salvaging that was interrupted after the damaged database was moved is finished', async () => {
  const folder = tempFolder();
  const dir = await killedJournal(folder);
  await writeJournal(join(folder, 'good'));
  copyFileSync(join(folder, 'good', 'journal.db'), join(dir, 'journal.db.salvaged'));
  copyFolder(join(folder, 'good', 'blobs'), join(dir, 'blobs'));
  copyFileSync(join(dir, 'journal.db'), join(dir, 'journal.db.damaged-1'));
  rmSync(join(dir, 'journal.db'));
  expect(salvage({ dir, session: SESSION }).kept).toBe(ROWS);
  expect(readAll(dir)).toHaveLength(ROWS);
  expect(existsSync(join(dir, 'journal.db.damaged-1-wal'))).toBe(true);
});

test('there is nothing to salvage where there is no journal', () => {
  expect(() => salvage({ dir: tempFolder(), session: SESSION })).toThrow(JournalMissing);
});
