import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JournalRow } from '../../messages/journal.js';
import { openDatabase } from '../../src/store/database.js';
import { JournalUnwritable } from '../../src/store/journal-errors.js';
import { openJournal, openJournalReader } from '../../src/store/journal-store.js';
import { SESSION, titleOf } from './journal-samples.js';
import { ended, outputOf, prints, startFixture, tempFolder } from './temp-folder.js';

const time = { now: () => 0 };
const KILLS = 4;

interface Acknowledged {
  readonly first: number;
  readonly count: number;
}

/** Whole lines only: the last one may have been cut by the kill. */
const acknowledgedIn = (output: string): Acknowledged[] =>
  output
    .slice(0, output.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' ').map(Number))
    .map(([first = 0, count = 0]) => ({ first, count }));

function rowsIn(dir: string): JournalRow[] {
  const reader = openJournalReader({ dir, session: SESSION });
  const rows = [...reader.rows()];
  reader.close();
  return rows;
}

test('every row that was acknowledged is there after each of several kills', async () => {
  const dir = join(tempFolder(), 'session');
  await openJournal({ dir, session: SESSION, mode: 'create', time }).close();
  let before = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const child = startFixture('append-until-killed', [dir, SESSION, String(kill * 5)]);
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const closed = ended(child);
    await prints(child, (text) => text.split('\n').length > 40 * kill);
    child.kill('SIGKILL');
    await closed;

    const rows = rowsIn(dir);
    const acknowledged = acknowledgedIn(output);
    expect(Math.min(...acknowledged.map(({ first }) => first))).toBe(before + 1);
    for (const { first, count } of acknowledged) {
      const titles = rows.slice(first - 1, first - 1 + count).map(titleOf);
      expect(titles).toEqual(Array.from({ length: count }, (_, n) => `note ${n}`));
    }
    before = rows.length;
  }
});

// The limit is on the size of a file, in blocks of 1 KB: the nearest to a full disk that needs no disk.
test('when the disk takes no more, what was acknowledged is safe and every later append fails alike', async () => {
  const dir = join(tempFolder(), 'session');
  await openJournal({ dir, session: SESSION, mode: 'create', time }).close();
  const output = await outputOf(
    startFixture('append-to-the-limit', [dir, SESSION], 'ulimit -f 400'),
  );
  const report = JSON.parse(output) as { acknowledged: number };
  expect(report).toMatchObject({ name: 'JournalUnwritable', sameError: true });
  expect(report.acknowledged).toBeGreaterThan(20);
  expect(rowsIn(dir).length).toBe(report.acknowledged);

  // With room again the session goes on where it stopped.
  const journal = openJournal({ dir, session: SESSION, mode: 'append', time });
  expect(journal.lastSeq).toBe(report.acknowledged);
  await journal.close();
});

test('a full disk is told from other failures, whoever reports it', () => {
  const file = join(tempFolder(), 'small.db');
  writeFileSync(file, '');
  const db = openDatabase({ file, access: 'write', busyMs: 0 });
  db.exec('CREATE TABLE rows (body TEXT)');
  db.pragma('max_page_count = 3');
  const fill = (): unknown => db.prepare('INSERT INTO rows VALUES (?)').run('x'.repeat(50_000));
  expect(reasonOf(fill)).toBe('disk-full');
  db.close();
  const from = (code: string) => (): unknown => {
    throw Object.assign(new Error(code), { code });
  };
  expect(reasonOf(from('ENOSPC'))).toBe('disk-full');
  expect(reasonOf(from('EROFS'))).toBe('read-only');
  expect(reasonOf(from('EIO'))).toBe('failed');
});

function reasonOf(failing: () => unknown): string {
  try {
    failing();
  } catch (error) {
    return new JournalUnwritable('journal.db', error).reason;
  }
  return 'it did not fail';
}
