import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Seq } from '../../messages/ids.js';
import type { JournalFact } from '../../messages/journal.js';
import { SchemaTooNew, openDatabase } from '../../src/store/database.js';
import { JournalDamage, JournalMissing } from '../../src/store/journal-errors.js';
import { openJournal, openJournalReader } from '../../src/store/journal-store.js';
import type { JournalStore } from '../../src/store/journal-store.js';
import { SESSION, note, notes, titleOf } from './journal-samples.js';
import { tempFolder } from './temp-folder.js';

const time = { now: () => 1_700_000_000_123 };
const open = (dir: string, mode: 'create' | 'append' = 'create'): JournalStore =>
  openJournal({ dir, session: SESSION, mode, time });
const titlesIn = (dir: string): string[] => {
  const reader = openJournalReader({ dir, session: SESSION });
  try {
    return [...reader.rows()].map(titleOf);
  } finally {
    reader.close();
  }
};
const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('what was appended is read back as it was, with its position and time', async () => {
  const dir = tempFolder();
  const journal = open(join(dir, 'session'));
  const odd = note('a "quoted" \u0000 line\nbreak', 'lone \ud800 surrogate, 漢字, 🙂');
  expect(await journal.append([note('first'), odd])).toBe(1);
  expect(await journal.append([note('third')])).toBe(3);
  expect(journal.lastSeq).toBe(3);
  expect([...journal.rows()]).toEqual([
    { ...note('first'), seq: 1, ts: time.now() },
    { ...odd, seq: 2, ts: time.now() },
    { ...note('third'), seq: 3, ts: time.now() },
  ]);
  expect([...journal.rows(3)].map(titleOf)).toEqual(['third']);
  await journal.close();
});

test('a journal is continued where it ended', async () => {
  const dir = tempFolder();
  const first = open(join(dir, 'session'));
  await first.append(notes(2));
  await first.close();
  const second = open(join(dir, 'session'), 'append');
  expect(second.lastSeq).toBe(2);
  expect(await second.append([note('more')])).toBe(3);
  await second.close();
  expect(titlesIn(join(dir, 'session'))).toEqual(['note 0', 'note 1', 'more']);
});

test('everything appended in one turn of the event loop is one commit', async () => {
  const journal = open(join(tempFolder(), 'session'));
  const firsts = await Promise.all([
    journal.append(notes(2)),
    journal.append([]),
    journal.append(notes(1)),
    journal.append(notes(3)),
  ]);
  expect(firsts).toEqual([1, 3, 3, 4]);
  expect(journal.commits).toBe(1);
  await journal.append(notes(1));
  expect(journal.commits).toBe(2);
  await journal.close();
});

test('a body that is changed after the append is written as it was', async () => {
  const journal = open(join(tempFolder(), 'session'));
  const body = { title: 'before', description: '' };
  const written = journal.append([{ ...note(''), kind: 'discovery.added', body }]);
  body.title = 'after';
  await written;
  expect([...journal.rows()].map(titleOf)).toEqual(['before']);
  await journal.close();
});

test('however appends are spread over turns, rows are contiguous, in order and where they were said to be', async () => {
  const dir = tempFolder();
  let run = 0;
  const step = fc.oneof(
    fc.record({ append: fc.integer({ min: 0, max: 4 }) }),
    fc.constantFrom('turn' as const, 'flush' as const, 'reopen' as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const place = join(dir, String((run += 1)));
      let journal = open(place);
      const promises: { titles: string[]; first: Promise<Seq> }[] = [];
      const expected: string[] = [];
      for (const what of steps) {
        if (what === 'turn') await turnOfTheLoop();
        else if (what === 'flush') await journal.flush();
        else if (what === 'reopen') {
          await journal.close();
          journal = open(place, 'append');
        } else {
          const titles = Array.from({ length: what.append }, (_, n) => `${expected.length + n}`);
          promises.push({ titles, first: journal.append(titles.map((title) => note(title))) });
          expected.push(...titles);
        }
      }
      await journal.close();
      expect(titlesIn(place)).toEqual(expected);
      for (const { titles, first } of promises) {
        expect(expected.slice((await first) - 1).slice(0, titles.length)).toEqual(titles);
      }
    }),
    { numRuns: 30 },
  );
});

test('closing commits what waits, leaves no log behind, and may be done twice', async () => {
  const dir = join(tempFolder(), 'session');
  const journal = open(dir);
  const waiting = journal.append(notes(1));
  await journal.close();
  await journal.close();
  expect(await waiting).toBe(1);
  expect(readdirSync(dir)).toEqual(['journal.db']);
  await expect(journal.append(notes(1))).rejects.toThrow('closed');
});

test('commits are forced to disk, into files that only their owner can read', async () => {
  const dir = join(tempFolder(), 'session');
  const journal = open(dir);
  await journal.append([note('large', 'x'.repeat(300_000))]);
  const modeOf = (name: string): number => statSync(join(dir, name)).mode & 0o777;
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  expect(modeOf('blobs')).toBe(0o700);
  for (const name of ['journal.db', 'journal.db-wal', 'journal.db-shm']) {
    expect(modeOf(name)).toBe(0o600);
  }
  const [blob = ''] = readdirSync(join(dir, 'blobs'));
  expect(modeOf(join('blobs', blob))).toBe(0o600);
  await journal.close();
});

test('a body that is too large for a row lies in a file of its own and is read back from there', async () => {
  const dir = join(tempFolder(), 'session');
  const journal = open(dir);
  const large = note('large', '漢'.repeat(100_000));
  await journal.append([note('before'), large, large, note('after')]);
  expect([...journal.rows()]).toMatchObject([note('before'), large, large, note('after')]);
  await journal.close();
  expect(readdirSync(join(dir, 'blobs'))).toHaveLength(1);
  expect(statSync(join(dir, 'journal.db')).size).toBeLessThan(50_000);
});

test('a reader sees new rows while they are being written', async () => {
  const dir = join(tempFolder(), 'session');
  const journal = open(dir);
  await journal.append(notes(100));
  const reader = openJournalReader({ dir, session: SESSION });
  expect([...reader.rows()]).toHaveLength(100);
  expect([...reader.rowsAfter(100)]).toEqual([]);
  await journal.append([note('fresh')]);
  expect([...reader.rowsAfter(100)].map(titleOf)).toEqual(['fresh']);
  expect(reader.lastSeq).toBe(101);
  reader.close();
  await journal.close();
});

test('rows may be appended while the store itself is being read', async () => {
  const journal = open(join(tempFolder(), 'session'));
  await journal.append(notes(200));
  let seen = 0;
  for (const row of journal.rows()) {
    if (row.seq === 100) await journal.append(notes(1));
    seen += 1;
  }
  expect(seen).toBe(201);
  await journal.close();
});

test('a journal that exists is not created again, and one that does not is not continued', async () => {
  const dir = join(tempFolder(), 'session');
  expect(() => open(dir, 'append')).toThrow(JournalMissing);
  expect(existsSync(dir)).toBe(false);
  await open(dir).close();
  expect(() => open(dir)).toThrow('already');
});

test('a journal of a newer schema is refused and stays as it is', async () => {
  const dir = join(tempFolder(), 'session');
  const journal = open(dir);
  await journal.append(notes(3));
  await journal.close();
  const file = join(dir, 'journal.db');
  const db = openDatabase({ file, access: 'write', busyMs: 0 });
  db.pragma('user_version = 2');
  db.close();
  const before = readFileSync(file);
  expect(() => open(dir, 'append')).toThrow(SchemaTooNew);
  expect(() => openJournalReader({ dir, session: SESSION })).toThrow(/newer version of ouro/);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('the journal of one session is not taken for that of another', async () => {
  const dir = join(tempFolder(), 'session');
  const journal = open(dir);
  await journal.append(notes(3));
  await journal.close();
  const other = { dir, session: 'ffffffff-0000-4000-8000-000000000000' as typeof SESSION };
  expect(() => [...openJournalReader(other).rows()]).toThrow(JournalDamage);
});

test.each([
  '',
  'not a database',
  'SQLite format 3\0 and then nothing that fits',
  'x'.repeat(9_000),
])(
  'a file that is no database is reported, and neither it nor its folder is touched: %#',
  (content) => {
    const dir = tempFolder();
    const file = join(dir, 'journal.db');
    writeFileSync(file, content);
    const attempts = [
      () => open(dir, 'append'),
      () => openJournalReader({ dir, session: SESSION }),
    ];
    for (const attempt of attempts) {
      expect(attempt).toThrow(
        expect.objectContaining({ name: 'JournalDamage', what: 'unreadable', lastGood: 0, file }),
      );
    }
    expect(readFileSync(file, 'utf8')).toBe(content);
    expect(readdirSync(dir)).toEqual(['journal.db']);
  },
);

test('facts that are no plain data are refused without harm to the others', async () => {
  const journal = open(join(tempFolder(), 'session'));
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const bad = { ...note(''), body: circular } as unknown as JournalFact;
  const [refused, written] = await Promise.allSettled([
    journal.append([bad]),
    journal.append(notes(1)),
  ]);
  expect(refused.status).toBe('rejected');
  expect(written).toEqual({ status: 'fulfilled', value: 1 });
  await journal.close();
});

test('single rows are looked up by position and by kind, from the end', async () => {
  const dir = join(tempFolder(), 'session');
  const journal = open(dir);
  const large = note('large', 'x'.repeat(300_000));
  await journal.append([note('first'), large, note('third')]);
  expect(journal.at(2)).toEqual({ ...large, seq: 2, ts: time.now() });
  expect(journal.at(4)).toBeNull();
  expect(journal.newest('discovery.added', Infinity)).toBe(3);
  expect(journal.newest('discovery.added', 3)).toBe(2);
  expect(journal.newest('checkpoint', Infinity)).toBeNull();
  await journal.close();
  const db = openDatabase({ file: join(dir, 'journal.db'), access: 'write', busyMs: 1_000 });
  db.exec(`UPDATE rows SET body = '{}' WHERE seq = 1`);
  db.close();
  for (const blob of readdirSync(join(dir, 'blobs'))) writeFileSync(join(dir, 'blobs', blob), '{}');
  const reader = openJournalReader({ dir, session: SESSION });
  expect([1, 2, 3].map((seq) => reader.at(seq)?.seq ?? null)).toEqual([null, null, 3]);
  reader.close();
});
