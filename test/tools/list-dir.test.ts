import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workbench, type Workbench } from './workbench.js';

const linesOf = async (bench: Workbench, args: object): Promise<string[]> =>
  (await bench.run('list_dir', args)).text.split('\n');

test('a folder is shown as an indented tree, by name, with marks', async () => {
  const bench = workbench();
  for (const path of ['b.txt', 'a/deep/hidden.txt', 'a/x.txt']) bench.write(path, '');
  symlinkSync('b.txt', join(bench.workspace, 'c'));
  expect(await linesOf(bench, { path: '.' })).toEqual([
    `Absolute path: ${bench.workspace}`,
    'a/',
    '  deep/',
    '  x.txt',
    'b.txt',
    'c@',
  ]);
});

test('depth is the number of levels', async () => {
  const bench = workbench();
  bench.write('a/b/c/d.txt', '');
  expect((await linesOf(bench, { path: '.', depth: 1 })).slice(1)).toEqual(['a/']);
  expect((await linesOf(bench, { path: '.', depth: 4 })).at(-1)).toBe('      d.txt');
});

test('50 entries come by default, and the next page begins at offset', async () => {
  const bench = workbench();
  const names = Array.from({ length: 60 }, (_, n) => `f${String(n).padStart(2, '0')}`);
  for (const name of names) bench.write(name, '');
  const outcome = await bench.run('list_dir', { path: '.' });
  expect(outcome).toMatchObject({ status: 'ok', truncated: true });
  const lines = outcome.text.split('\n');
  expect(lines.slice(1, -1)).toEqual(names.slice(0, 50));
  expect(lines.at(-1)).toBe('More than 50 entries found');
  const page = await linesOf(bench, { path: '.', offset: 51, limit: 3 });
  expect(page.slice(1)).toEqual(['f50', 'f51', 'f52', 'More than 3 entries found']);
  expect(await linesOf(bench, { path: '.', limit: 60 })).toHaveLength(61);
});

test('links to folders and folders of generated files are shown but not opened', async () => {
  const bench = workbench();
  writeFileSync(join(bench.outside, 'secret'), '');
  symlinkSync(bench.outside, join(bench.workspace, 'link'));
  bench.write('node_modules/x/index.js', '');
  bench.write('.git/config', '');
  expect((await linesOf(bench, { path: '.' })).slice(1)).toEqual([
    '.git/',
    'link@',
    'node_modules/',
  ]);
  expect((await linesOf(bench, { path: 'node_modules' })).slice(1)).toEqual(['x/', '  index.js']);
});

test('a folder of more than 10000 entries is shown in part and says so', async () => {
  const bench = workbench();
  mkdirSync(join(bench.workspace, 'many'));
  for (let n = 0; n < 10_050; n += 1) writeFileSync(join(bench.workspace, 'many', String(n)), '');
  const lines = await linesOf(bench, { path: 'many', offset: 9_990 });
  expect(lines).toHaveLength(13);
  expect(lines.at(-1)).toBe('[this folder has more than 10000 entries]');
});

test('a name that would break a line is put in quotes', async () => {
  const bench = workbench();
  bench.write('two\nlines', '');
  expect((await linesOf(bench, { path: '.' })).slice(1)).toEqual(['"two\\nlines"']);
});

test('files and missing folders are refused', async () => {
  const bench = workbench();
  bench.write('a', '');
  for (const path of ['a', 'missing']) {
    expect(await bench.run('list_dir', { path })).toMatchObject({
      status: 'failed',
      text: `Error: '${path}' is not a folder. Use read_file for files.`,
    });
  }
});
