import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readMemory } from '../../src/context/memory-file.js';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'ouro-memory-'));
  file = join(folder, 'MEMORY.md');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (text: string): string => {
  writeFileSync(file, text);
  return readMemory(file);
};

test('notes are read as they are, and none are nothing', () => {
  expect(readMemory(file)).toBe('');
  expect(read('\n# Notes\n\n- use tabs\n')).toBe('# Notes\n\n- use tabs');
  expect(read('@include other.md')).toBe('@include other.md');
});

test('200 lines are read, and of more it is said that there are more', () => {
  const lines = (n: number): string =>
    Array.from({ length: n }, (_, i) => `line ${i + 1}`).join('\n');
  expect(read(lines(200))).toBe(lines(200));
  expect(read(lines(201))).toBe(
    `${lines(200)}\n[the rest is left out: more than 200 lines or 25 KB]`,
  );
});

test('25 KB are read, in whole lines, and of one long line its beginning', () => {
  const wide = read('ä'.repeat(150).concat('\n').repeat(100));
  expect(Buffer.byteLength(wide)).toBeLessThan(25 * 1024 + 100);
  expect(
    wide
      .split('\n')
      .slice(0, -1)
      .every((line) => line.length === 150),
  ).toBe(true);
  expect(wide).toMatch(/\[the rest is left out: .*\]$/);
  const long = read('x'.repeat(100_000));
  expect(long).toMatch(/^x{25600}\n\[the rest/);
});

test('a link that leads elsewhere, or something that is no file, is not read', () => {
  writeFileSync(join(folder, 'own.md'), 'mine');
  symlinkSync('/etc/hostname', file);
  expect(readMemory(file)).toBe('');
  rmSync(file);
  execFileSync('mkfifo', [file]);
  expect(readMemory(file)).toBe('');
});
