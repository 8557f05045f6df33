import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFileAtomic } from '../../src/store/atomic-file.js';
import { tempFolder } from './temp-folder.js';

test('a file is replaced as a whole, private, with nothing left beside it', () => {
  const dir = tempFolder();
  const file = join(dir, 'result.json');
  writeFileAtomic(file, 'first');
  chmodSync(file, 0o644);
  writeFileAtomic(file, 'second');
  expect(readFileSync(file, 'utf8')).toBe('second');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(dir)).toEqual(['result.json']);
});

test('a write that fails leaves what was there, and no draft', () => {
  const dir = tempFolder();
  const folder = join(dir, 'taken');
  mkdirSync(join(folder, 'inside'), { recursive: true });
  expect(() => writeFileAtomic(folder, 'text')).toThrow();
  expect(readdirSync(dir)).toEqual(['taken']);
});
