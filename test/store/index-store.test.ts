import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SessionId } from '../../messages/ids.js';
import { SchemaTooNew, openDatabase } from '../../src/store/database.js';
import { DiskRefuses } from '../../src/store/disk-errors.js';
import { IndexDamage, openIndex } from '../../src/store/index-store.js';
import type { IndexStore } from '../../src/store/index-store.js';
import { recordOf } from './session-samples.js';
import { outputOf, startFixture, tempFolder } from './temp-folder.js';

const time = { now: () => 7_000 };
const id = (text: string): SessionId => text as SessionId;

function open(home = tempFolder()): IndexStore {
  const index = openIndex({ home, time });
  onTestFinished(() => index.close());
  return index;
}

test('a session is found as it was put, and as it was changed', () => {
  const home = tempFolder();
  const index = open(home);
  const record = recordOf('aaaa-1', {
    holds: ['user', 'budget'],
    costUsd: 0.25,
    endStatus: 'done',
  });
  index.put(record);
  expect(index.get(record.id)).toEqual(record);
  expect(index.patch(record.id, { rounds: 3, holds: [], costUsd: null })).toBe(true);
  const changed = { ...record, rounds: 3, holds: [], costUsd: null, updatedAt: time.now() };
  expect(open(home).get(record.id)).toEqual(changed);
  index.put(record);
  expect(index.get(record.id)).toEqual(record);
});

test('a session that is not there is neither found nor changed', () => {
  const index = open();
  expect(index.get(id('aaaa-1'))).toBeNull();
  expect(index.patch(id('aaaa-1'), { rounds: 1 })).toBe(false);
  expect(index.list({ all: true })).toEqual([]);
});

test('sessions are listed newest first, those that ended only when asked for', () => {
  const index = open();
  index.put(recordOf('aaaa-1', { startedAt: 1 }));
  index.put(recordOf('aaaa-2', { startedAt: 3, state: 'done' }));
  index.put(recordOf('aaaa-3', { startedAt: 2, state: 'held', workspace: '/elsewhere' }));
  const ids = (records: readonly { id: string }[]): string[] => records.map((record) => record.id);
  expect(ids(index.list({ all: true }))).toEqual(['aaaa-2', 'aaaa-3', 'aaaa-1']);
  expect(ids(index.list({}))).toEqual(['aaaa-3', 'aaaa-1']);
  expect(ids(index.list({ workspace: '/home/me/here' }))).toEqual(['aaaa-1']);
  expect(ids(index.list({ workspace: '/home/me/here', all: true }))).toEqual(['aaaa-2', 'aaaa-1']);
});

test('a prefix of four characters or more finds every session it fits, and is only text', () => {
  const index = open();
  for (const name of ['aaaa1111', 'aaaa2222', 'bbbb1111']) index.put(recordOf(name));
  expect(index.findByPrefix('AAAA')).toHaveLength(2);
  expect(index.findByPrefix('aaaa2')).toHaveLength(1);
  expect(index.findByPrefix('aaa')).toEqual([]);
  expect(index.findByPrefix('%%%%')).toEqual([]);
  expect(index.findByPrefix('____')).toEqual([]);
});

test('the index is private', () => {
  const home = tempFolder();
  open(home).put(recordOf('aaaa-1'));
  for (const name of ['ouro.db', 'ouro.db-wal', 'ouro.db-shm']) {
    expect(statSync(join(home, name)).mode & 0o777).toBe(0o600);
  }
});

test('several processes may create it, write and close at once, and nothing is lost', async () => {
  const home = tempFolder();
  const ids = ['aaaa-1', 'aaaa-2', 'aaaa-3', 'aaaa-4', 'aaaa-5'];
  const children = ids.map((name) => startFixture('write-index', [home, name, '30']));
  const ends = children.map((child) => new Promise((resolve) => child.once('exit', resolve)));
  await Promise.all(children.map(outputOf));
  expect(await Promise.all(ends)).toEqual(ids.map(() => 0));
  const found = open(home).list({ all: true });
  expect(found.map((record) => [record.id, record.rounds]).sort()).toEqual(
    ids.map((name) => [name, 30]),
  );
});

test('an index of a newer schema is refused and stays as it is', () => {
  const home = tempFolder();
  openIndex({ home, time }).close();
  const file = join(home, 'ouro.db');
  const db = openDatabase({ file, access: 'write', busyMs: 0 });
  db.pragma('user_version = 99');
  db.close();
  const before = readFileSync(file);
  expect(() => openIndex({ home, time })).toThrow(SchemaTooNew);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('an index that the disk lets nobody open can be read all the same by those who ask for that', () => {
  const home = tempFolder();
  const index = openIndex({ home, time });
  index.put(recordOf('aaaa-1'));
  index.close();
  // What it needs beside itself cannot be made.
  mkdirSync(join(home, 'ouro.db-wal'));
  expect(() => openIndex({ home, time })).toThrow(DiskRefuses);
  const copy = openIndex({ home, time, orReadOnly: true });
  expect(copy.list({}).map(({ id }) => id)).toEqual(['aaaa-1']);
  expect(() => copy.patch('aaaa-1' as SessionId, { rounds: 7 })).toThrow(/readonly/);
  copy.close();
});

test('a damaged index is reported with what to do, and stays as it is', () => {
  const home = tempFolder();
  const file = join(home, 'ouro.db');
  writeFileSync(file, 'no database '.repeat(400));
  const before = readFileSync(file);
  expect(() => openIndex({ home, time })).toThrow(IndexDamage);
  expect(() => openIndex({ home, time })).toThrow(`mv '${file}' '${file}.damaged'`);
  expect(readFileSync(file).equals(before)).toBe(true);
});
