import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workbench } from './workbench.js';

test('a new file is written with its folders', async () => {
  const bench = workbench();
  const outcome = await bench.run('write_file', { path: 'a/b/c.txt', content: 'one\ntwo\n' });
  expect(outcome).toEqual({ status: 'ok', text: 'Wrote 2 lines to a/b/c.txt', truncated: false });
  expect(readFileSync(join(bench.workspace, 'a/b/c.txt'), 'utf8')).toBe('one\ntwo\n');
});

test.each([
  ['', '0 lines'],
  ['one', '1 line'],
  ['one\n', '1 line'],
  ['one\n\n', '2 lines'],
])('%j is said to be %s', async (content, count) => {
  const { text } = await workbench().run('write_file', { path: 'x', content });
  expect(text).toBe(`Wrote ${count} to x`);
});

test('an existing file is overwritten only after it was read', async () => {
  const bench = workbench();
  const file = bench.write('a.txt', 'old\n');
  const args = { path: 'a.txt', content: 'new\n' };
  const write = async (): Promise<string> => (await bench.run('write_file', args)).text;
  expect(await write()).toBe(
    'Error: You must read this file before overwriting it. Use read_file first.',
  );
  expect(readFileSync(file, 'utf8')).toBe('old\n');
  await bench.run('read_file', { path: 'a.txt' });
  writeFileSync(file, 'changed\n');
  expect(await write()).toContain('has changed on disk since it was read');
  await bench.run('read_file', { path: 'a.txt' });
  chmodSync(file, 0o640);
  expect(await write()).toBe('Wrote 1 line to a.txt');
  expect(readFileSync(file, 'utf8')).toBe('new\n');
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(await bench.run('write_file', args)).toMatchObject({ status: 'ok', replaced: true });
});

test('a file that was written may be written and edited again', async () => {
  const bench = workbench();
  await bench.run('write_file', { path: 'a', content: 'one' });
  await bench.run('write_file', { path: 'a', content: 'two' });
  await bench.run('edit_file', { path: 'a', old_string: 'two', new_string: 'three' });
  expect(readFileSync(join(bench.workspace, 'a'), 'utf8')).toBe('three');
});

test('a directory and a name that is too long are refused', async () => {
  const bench = workbench();
  mkdirSync(join(bench.workspace, 'folder'));
  const write = async (path: string): Promise<string> =>
    (await bench.run('write_file', { path, content: '' })).text;
  expect(await write('folder')).toContain('is a directory, not a file');
  expect(await write('n'.repeat(300))).toContain('has a name that is too long');
});

test('a redaction marker is never written', async () => {
  const bench = workbench();
  const args = { path: 'env', content: 'K=[redacted:K]' };
  expect(await bench.run('write_file', args)).toMatchObject({
    status: 'failed',
    reason: 'refused',
  });
  expect(existsSync(join(bench.workspace, 'env'))).toBe(false);
});

test('reports may be written into .ouro, the configuration there may not', async () => {
  const bench = workbench();
  const write = (path: string): Promise<object> => bench.run('write_file', { path, content: 'x' });
  expect(await write('.ouro/report.md')).toMatchObject({ status: 'ok' });
  for (const path of ['.ouro/config.toml', '.OURO/Config.toml', 'x/../.ouro/config.toml']) {
    expect(await write(path)).toMatchObject({ status: 'failed', reason: 'refused' });
  }
});
