import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { acquireLock, isLocked, readOwner } from '../../src/store/lock.js';
import { isSameProcess } from '../../src/store/process-identity.js';
import { ended, prints, startFixture, tempFolder } from './temp-folder.js';

test('a lock is held once, and free again after its release', () => {
  const file = join(tempFolder(), 'locks', 'here.lock');
  const lock = acquireLock(file, { what: 'one' });
  expect(lock?.file).toBe(file);
  expect(isLocked(file)).toBe(true);
  expect(acquireLock(file, { what: 'two' })).toBeNull();
  // A failed attempt in the same process must not end the lock.
  expect(isLocked(file)).toBe(true);
  expect(readOwner(file)).toMatchObject({ pid: process.pid, what: 'one' });

  lock?.release();
  expect(isLocked(file)).toBe(false);
  expect(readOwner(file)).toBeNull();
  const next = acquireLock(file, { what: 'three' });
  lock?.release();
  expect(isLocked(file)).toBe(true);
  next?.release();
});

test('the files of a lock are private, and nothing else is left beside them', () => {
  const dir = tempFolder();
  const file = join(dir, 'lock');
  const lock = acquireLock(file, { what: 'looking', session: 'abc' });
  expect(readdirSync(dir).sort()).toEqual(['lock', 'lock.owner.json']);
  for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
  lock?.release();
  expect(readdirSync(dir)).toEqual(['lock']);
});

test('asking for a lock that never was creates nothing', () => {
  const file = join(tempFolder(), 'lock');
  expect(isLocked(file)).toBe(false);
  expect(readOwner(file)).toBeNull();
  expect(existsSync(file)).toBe(false);
});

test('a holder that is killed holds nothing any more, and can still be told by name', async () => {
  const file = join(tempFolder(), 'lock');
  const child = startFixture('hold-lock', [file]);
  await prints(child, (text) => text === 'held\n');
  expect(isLocked(file)).toBe(true);
  expect(acquireLock(file, { what: 'too late' })).toBeNull();
  const owner = readOwner(file);
  expect(owner).toMatchObject({ pid: child.pid, session: 'some-session', what: 'a test' });
  expect(owner !== null && isSameProcess(owner)).toBe(true);

  const closed = ended(child);
  child.kill('SIGKILL');
  await closed;
  expect(isLocked(file)).toBe(false);
  expect(owner !== null && isSameProcess(owner)).toBe(false);
  const lock = acquireLock(file, { what: 'mine now' });
  expect(lock).not.toBeNull();
  expect(readOwner(file)?.what).toBe('mine now');
  lock?.release();
});

test('of several processes that want it at once exactly one gets it, while others keep probing', async () => {
  const file = join(tempFolder(), 'lock');
  const children = Array.from({ length: 4 }, () => startFixture('hold-lock', [file]));
  const answers = children.map((child) => prints(child, (text) => text.endsWith('\n')));
  const probing = setInterval(() => isLocked(file), 1);
  onTestFinished(() => clearInterval(probing));
  expect((await Promise.all(answers)).sort()).toEqual(['busy\n', 'busy\n', 'busy\n', 'held\n']);
});

test('an owner file that makes no sense is nobody', () => {
  const file = join(tempFolder(), 'lock');
  for (const text of ['', '{', '[]', 'null', '{"pid":"1","startTime":"","bootId":"","what":""}']) {
    writeFileSync(`${file}.owner.json`, text);
    expect(readOwner(file)).toBeNull();
  }
});

test('a lock file that is no lock says what to do', () => {
  const file = join(tempFolder(), 'lock');
  writeFileSync(file, 'something else '.repeat(100));
  expect(() => acquireLock(file, { what: 'it' })).toThrow(/delete it and try again/);
  expect(() => isLocked(file)).toThrow(/delete it and try again/);
});
