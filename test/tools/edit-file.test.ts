import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { workbench, type Workbench } from './workbench.js';

/** A file that has been read, and how to edit it. */
async function readFile(content: string | Uint8Array): Promise<
  Workbench & {
    file: string;
    edit(old_string: string, new_string: string, more?: object): Promise<{ text: string }>;
    content(): string;
  }
> {
  const bench = workbench();
  const file = bench.write('a.txt', content);
  await bench.run('read_file', { path: 'a.txt' });
  return {
    ...bench,
    file,
    edit: (old_string, new_string, more) =>
      bench.run('edit_file', { path: 'a.txt', old_string, new_string, ...more }),
    content: () => readFileSync(file, 'utf8'),
  };
}

test('a single match is replaced and its lines are named', async () => {
  const bench = await readFile('one\ntwo\nthree\n');
  const { text } = await bench.edit('two\n', '2\n2b\n');
  expect(text).toBe('Edited a.txt: replaced 1 occurrence (lines 2-3)');
  expect(bench.content()).toBe('one\n2\n2b\nthree\n');
});

test('a file that was not read is not edited', async () => {
  const bench = workbench();
  const file = bench.write('a.txt', 'one');
  const args = { path: 'a.txt', old_string: 'one', new_string: 'two' };
  expect(await bench.run('edit_file', args)).toEqual({
    status: 'failed',
    reason: 'failed',
    text: 'Error: You must read this file before editing it. Use read_file first.',
  });
  expect(readFileSync(file, 'utf8')).toBe('one');
});

test('a file changed on disk since it was read is not edited, until it is read again', async () => {
  const bench = await readFile('one\n');
  writeFileSync(bench.file, 'one and more\n');
  const { text } = await bench.edit('one', 'two');
  expect(text).toContain("Error: 'a.txt' has changed on disk since it was read.");
  expect(bench.content()).toBe('one and more\n');
  await bench.run('read_file', { path: 'a.txt' });
  await bench.edit('one', 'two');
  expect(bench.content()).toBe('two and more\n');
});

test('an edit need not be followed by a read before the next one', async () => {
  const bench = await readFile('one\n');
  await bench.edit('one', 'two');
  await bench.edit('two', 'three');
  expect(bench.content()).toBe('three\n');
});

test('reading a part counts as reading', async () => {
  const bench = workbench();
  const file = bench.write('a.txt', 'one\ntwo\n');
  await bench.run('read_file', { path: 'a.txt', limit: 1 });
  await bench.run('edit_file', { path: 'a.txt', old_string: 'two', new_string: '2' });
  expect(readFileSync(file, 'utf8')).toBe('one\n2\n');
});

test('several matches are refused with their lines', async () => {
  const bench = await readFile('x\ny\nx\nx\n');
  expect((await bench.edit('x', 'z')).text).toBe(
    'Error: old_string matches 3 locations (lines 1, 3, 4). ' +
      'Provide more context to make it unique, or set replace_all=true.',
  );
  expect(bench.content()).toBe('x\ny\nx\nx\n');
});

test('replace_all replaces every match', async () => {
  const bench = await readFile('x\ny\nx\n');
  const { text } = await bench.edit('x', 'z', { replace_all: true });
  expect(text).toBe('Edited a.txt: replaced 2 occurrences (lines 1, 3)');
  expect(bench.content()).toBe('z\ny\nz\n');
});

test('a match that differs in leading whitespace is found, said and indented like the file', async () => {
  const bench = await readFile('class A {\n\tm() {\n\t\treturn 1;\n\t}\n}\n');
  const { text } = await bench.edit(
    '  m() {\n    return 1;\n  }',
    '  m() {\n    if (x) {\n      return 2;\n    }\n  }',
  );
  expect(text).toContain('replaced 1 occurrence (lines 2-6)\nThe match ignored differences');
  expect(bench.content()).toBe(
    'class A {\n\tm() {\n\t\tif (x) {\n\t\t  return 2;\n\t\t}\n\t}\n}\n',
  );
});

test.each([
  ['', 'x', 'old_string is empty. Use write_file to write a whole file.'],
  ['one', 'one', 'old_string and new_string are the same.'],
  ['absent', 'x', "old_string was not found in 'a.txt'."],
])('replacing %j with %j is refused', async (old, replacement, text) => {
  const bench = await readFile('one\n');
  expect((await bench.edit(old, replacement)).text).toContain(`Error: ${text}`);
  expect(bench.content()).toBe('one\n');
});

test('text with a redaction marker is refused: the secret would be lost', async () => {
  const bench = await readFile('key=1\n');
  expect((await bench.edit('key=1', 'key=[redacted:API_KEY]')).text).toContain('[redacted:…]');
  expect((await bench.edit('[redacted:API_KEY]', 'x')).text).toContain('[redacted:…]');
  expect(bench.content()).toBe('key=1\n');
});

test('carriage returns, a byte order mark and a missing last newline are kept', async () => {
  const bench = await readFile('\uFEFFone\r\ntwo\r\nthree');
  await bench.edit('one\ntwo', '1\n2\n2b');
  expect(bench.content()).toBe('\uFEFF1\r\n2\r\n2b\r\nthree');
  await bench.edit('three', '3\n4');
  expect(bench.content()).toBe('\uFEFF1\r\n2\r\n2b\r\n3\r\n4');
});

test('bytes that are no UTF-8 keep their value', async () => {
  const bench = await readFile(Buffer.from([0xff, 0xfe, 10, 0x61, 10, 0x80]));
  await bench.edit('a', 'ä');
  expect(readFileSync(bench.file)).toEqual(Buffer.from([0xff, 0xfe, 10, 0xc3, 0xa4, 10, 0x80]));
});

test('the mode is kept and nothing is left beside the file', async () => {
  const bench = await readFile('#!/bin/sh\n');
  chmodSync(bench.file, 0o751);
  await bench.edit('/bin/sh', '/bin/bash');
  expect(statSync(bench.file).mode & 0o777).toBe(0o751);
  expect(readdirSync(bench.workspace)).toEqual(['a.txt']);
});

test('the answer never repeats the content', async () => {
  const bench = await readFile('confidential\n');
  const answers = [await bench.edit('nothing', 'x'), await bench.edit('confidential', 'private')];
  for (const { text } of answers) expect(text).not.toMatch(/confidential|private/);
});

test('a missing file, a directory and a file that is too large say so', async () => {
  const bench = workbench();
  bench.write('folder/x', '');
  bench.write('large', Buffer.alloc(10 * 1024 * 1024 + 1, 'x'));
  const edit = async (path: string): Promise<string> =>
    (await bench.run('edit_file', { path, old_string: 'a', new_string: 'b' })).text;
  expect(await edit('none')).toContain('does not exist');
  expect(await edit('folder')).toContain('is a directory, not a file');
  expect(await edit('large')).toContain('files of more than 10.0MB cannot be changed');
});
