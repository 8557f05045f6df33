import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workbench } from './workbench.js';

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `L${from + index}: ${from + index}`);

const counting = (lines: number): string =>
  Array.from({ length: lines }, (_, index) => `${index + 1}\n`).join('');

test('lines come with their numbers', async () => {
  const bench = workbench();
  bench.write('a.txt', 'one\ntwo');
  const outcome = await bench.run('read_file', { path: 'a.txt' });
  expect(outcome).toEqual({ status: 'ok', text: 'L1: one\nL2: two', truncated: false });
});

test('an absolute path inside of the workspace works like a relative one', async () => {
  const bench = workbench();
  const path = bench.write('a.txt', 'one\n');
  expect(await bench.run('read_file', { path })).toMatchObject({ status: 'ok', text: 'L1: one' });
});

test('offset counts from 1 and limit is a number of lines', async () => {
  const bench = workbench();
  bench.write('a.txt', counting(10));
  const { text } = await bench.run('read_file', { path: 'a.txt', offset: 3, limit: 2 });
  expect(text.split('\n')).toEqual([
    'L3: 3',
    'L4: 4',
    '[truncated: 10 total lines in file]',
    "[Showing lines 3-4 of 10. Next page: read_file(path='a.txt', offset=5, limit=2)]",
  ]);
});

test('a page has 2000 lines unless told otherwise, and never more', async () => {
  const bench = workbench();
  bench.write('a.txt', counting(2500));
  for (const args of [{ path: 'a.txt' }, { path: 'a.txt', limit: 9999 }]) {
    const outcome = await bench.run('read_file', args);
    expect(outcome).toMatchObject({ status: 'ok', truncated: true });
    expect(outcome.text.split('\n').slice(0, -2)).toEqual(numbered(1, 2000));
    expect(outcome.text).toContain('[Showing lines 1-2000 of 2500. Next page: read_file(');
  }
});

test('a page ends where the result is full, and the next page begins there', async () => {
  const bench = workbench({
    limits: { toolTimeoutMs: 60_000, shellTimeoutMs: 120_000, maxResultBytes: 1000 },
  });
  bench.write('a.txt', 'x'.repeat(90).concat('\n').repeat(100));
  const { text } = await bench.run('read_file', { path: 'a.txt' });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1000);
  const [, last, next] = /lines 1-(\d+) of 100\..*offset=(\d+)/.exec(text) ?? [];
  expect(Number(next)).toBe(Number(last) + 1);
  expect(text).toContain(`L${last ?? ''}: `);
});

test('the last page has no notice', async () => {
  const bench = workbench();
  bench.write('a.txt', counting(5));
  const { text } = await bench.run('read_file', { path: 'a.txt', offset: 4 });
  expect(text).toBe('L4: 4\nL5: 5');
});

test('a line is cut at 500 characters, never inside of one', async () => {
  const bench = workbench();
  bench.write('a.txt', `${'x'.repeat(499)}😀😀\nshort\n`);
  const { text } = await bench.run('read_file', { path: 'a.txt' });
  expect(text).toBe(`L1: ${'x'.repeat(499)}... [line truncated at 500 chars]\nL2: short`);
});

test('a byte order mark and carriage returns are not shown', async () => {
  const bench = workbench();
  bench.write('a.txt', '\uFEFFone\r\ntwo\r\n');
  expect(await bench.run('read_file', { path: 'a.txt' })).toMatchObject({
    text: 'L1: one\nL2: two',
  });
});

test('an empty file says that it is empty', async () => {
  const bench = workbench();
  bench.write('a.txt', '');
  expect(await bench.run('read_file', { path: 'a.txt' })).toMatchObject({
    status: 'ok',
    text: '[the file is empty]',
  });
});

test('an offset past the end says how long the file is', async () => {
  const bench = workbench();
  bench.write('a.txt', 'one\n');
  expect(await bench.run('read_file', { path: 'a.txt', offset: 5 })).toMatchObject({
    status: 'failed',
    text: "Error: offset 5 is past the end: 'a.txt' has 1 line.",
  });
});

test.each([
  ['folder', "Error: 'folder' is a directory, not a file. Use list_dir to see what is in it."],
  ['missing', "Error: 'missing' does not exist. Use find_files to find it."],
  ['binary', "Error: 'binary' is a binary file (3 bytes); read_file shows text only."],
  ['fifo', "Error: 'fifo' is a FIFO, not a regular file."],
  ['socket', "Error: 'socket' is a socket or device, not a regular file."],
  ['text/below', "Error: 'text/below' leads through a file as if it were a directory."],
  ['dangling', "Error: 'dangling' is a symbolic link to something that does not exist."],
  ['circle', "Error: 'circle' is a symbolic link that leads nowhere or in a circle."],
])('%s is refused with an ordinary error', async (path, text) => {
  const bench = workbench();
  mkdirSync(join(bench.workspace, 'folder'));
  bench.write('binary', Buffer.from([65, 0, 66]));
  bench.write('text', 'text');
  execFileSync('mkfifo', [join(bench.workspace, 'fifo')]);
  symlinkSync('nowhere', join(bench.workspace, 'dangling'));
  symlinkSync('circle', join(bench.workspace, 'circle'));
  const server = createServer();
  await new Promise<void>((listening) => {
    server.listen(join(bench.workspace, 'socket'), listening);
  });
  const outcome = await bench.run('read_file', { path });
  server.close();
  expect(outcome).toMatchObject({ status: 'failed', text });
});

test('one line of 200 MB is read without keeping it', async () => {
  const bench = workbench();
  const path = bench.write('long.txt', 'start\n');
  // A shell builds it faster than we could.
  execFileSync('sh', ['-c', `head -c 209715200 /dev/zero | tr '\\0' x >> '${path}'`]);
  const { text } = await bench.run('read_file', { path: 'long.txt' });
  expect(text).toMatch(/^L1: start\nL2: x{500}\.\.\. \[line truncated at 500 chars\]$/);
  const { text: page } = await bench.run('read_file', { path: 'long.txt', limit: 1 });
  expect(page).toContain('[Showing lines 1-1 of a very large file. Next page: ');
});

test('a sparse file of 50 GB is seen to be binary at once', async () => {
  const bench = workbench();
  truncateSync(bench.write('sparse', ''), 50 * 1024 ** 3);
  expect((await bench.run('read_file', { path: 'sparse' })).text).toContain('is a binary file');
});

test('names with spaces, quotes, newlines, emoji and leading dots work', async () => {
  const bench = workbench();
  for (const path of ['a b.txt', `it's "so".txt`, 'two\nlines', '😀.txt', '..notes.txt']) {
    bench.write(path, 'here');
    expect(await bench.run('read_file', { path })).toMatchObject({ text: 'L1: here' });
  }
});
