import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workbench, type Workbench } from './workbench.js';

/** Files with ages in seconds. */
function withFiles(files: Readonly<Record<string, string>>): Workbench {
  const bench = workbench();
  const now = Date.now() / 1000;
  Object.entries(files).forEach(([path, content], age) => {
    utimesSync(bench.write(path, content), now - age * 10, now - age * 10);
  });
  return bench;
}

test('by default the names of matching files come, the newest first', async () => {
  const bench = withFiles({ 'z.ts': 'foo', 'a.ts': 'foo', 'sub/m.ts': 'foo\nfoo', 'n.ts': 'bar' });
  expect(await bench.run('grep', { pattern: 'fo+' })).toEqual({
    status: 'ok',
    text: 'z.ts\na.ts\nsub/m.ts',
    truncated: false,
  });
});

test('content shows path, line and text', async () => {
  const bench = withFiles({ 'a.ts': 'one\nfoo: 1\n', 'odd:1:name.ts': 'foo' });
  const { text } = await bench.run('grep', { pattern: 'foo', mode: 'content' });
  expect(text).toBe('a.ts:2: foo: 1\nodd:1:name.ts:1: foo');
});

test('context lines belong to content only', async () => {
  const bench = withFiles({ 'a.ts': '1\n2\nfoo\n4\n5\n6\n7\n8\nfoo\n' });
  const args = { pattern: 'foo', context_lines: 1 };
  const { text } = await bench.run('grep', { ...args, mode: 'content' });
  expect(text.split('\n')).toEqual([
    'a.ts-2- 2',
    'a.ts:3: foo',
    'a.ts-4- 4',
    '--',
    'a.ts-8- 8',
    'a.ts:9: foo',
  ]);
  expect(await bench.run('grep', args)).toMatchObject({ text: 'a.ts' });
});

test('count tells the matches of each file', async () => {
  const bench = withFiles({ 'a.ts': 'foo\nfoo\n', 'b.ts': 'foo\n' });
  const { text } = await bench.run('grep', { pattern: 'foo', mode: 'count' });
  expect(text).toBe('a.ts: 2\nb.ts: 1');
});

test('path may be a folder or a file, include narrows the names', async () => {
  const bench = withFiles({ 'a.ts': 'foo', 'src/b.ts': 'foo', 'src/c.md': 'foo' });
  const grep = async (args: object): Promise<string> =>
    (await bench.run('grep', { pattern: 'foo', ...args })).text;
  expect(await grep({ path: 'src' })).toBe('src/b.ts\nsrc/c.md');
  expect(await grep({ path: 'src/c.md' })).toBe('src/c.md');
  expect(await grep({ include: '*.ts' })).toBe('a.ts\nsrc/b.ts');
});

test('case counts unless told otherwise', async () => {
  const bench = withFiles({ 'a.ts': 'Foo' });
  expect((await bench.run('grep', { pattern: 'foo' })).text).toBe("No matches found for 'foo'");
  const args = { pattern: 'foo', case_insensitive: true };
  expect((await bench.run('grep', args)).text).toBe('a.ts');
});

test('limit counts results, and more than fit are announced', async () => {
  const bench = withFiles({ 'a.ts': 'foo\n'.repeat(150) });
  const args = { pattern: 'foo', mode: 'content' };
  const standard = await bench.run('grep', args);
  expect(standard).toMatchObject({ status: 'ok', truncated: true });
  expect(standard.text.split('\n')).toHaveLength(101);
  expect(standard.text).toMatch(
    /\[more results exist: showing the first 100\. Narrow .* limit\.\]$/,
  );
  const exact = await bench.run('grep', { ...args, limit: 150 });
  expect(exact).toMatchObject({ truncated: false });
  expect(exact.text.split('\n')).toHaveLength(150);
});

test('a limit of more than 2000 means 2000', async () => {
  const bench = withFiles({ 'a.ts': 'f\n'.repeat(2500) });
  const { text } = await bench.run('grep', { pattern: 'f', mode: 'content', limit: 100_000 });
  expect(text).toContain('\n[more results exist: showing the first 2000. Narrow the search.]');
});

test('a pattern that begins with a dash is a pattern', async () => {
  const bench = withFiles({ 'a.ts': 'use --pre here' });
  expect((await bench.run('grep', { pattern: '--pre' })).text).toBe('a.ts');
  expect((await bench.run('grep', { pattern: 'x', path: '--pre=sh' })).text).toContain(
    'No matches',
  );
});

test('a pattern that is no regular expression is explained', async () => {
  const outcome = await workbench().run('grep', { pattern: '(' });
  expect(outcome).toMatchObject({ status: 'failed' });
  expect(outcome.text).toMatch(/^Error: the search failed: .*unclosed group/s);
});

test('what .gitignore names and .git hold is not searched, hidden files are', async () => {
  const bench = withFiles({
    '.gitignore': 'dist\n',
    'dist/a': 'foo',
    '.git/config': 'foo',
    '.github/b': 'foo',
  });
  expect((await bench.run('grep', { pattern: 'foo' })).text).toBe('.github/b');
});

test('links that lead out of the workspace are not followed', async () => {
  const bench = workbench();
  writeFileSync(join(bench.outside, 'secret'), 'foo');
  symlinkSync(bench.outside, join(bench.workspace, 'link'));
  expect((await bench.run('grep', { pattern: 'foo' })).text).toContain('No matches');
  expect(await bench.run('grep', { pattern: 'foo', path: 'link' })).toMatchObject({
    status: 'failed',
    reason: 'refused',
  });
});

test('the program home is not searched even inside of the workspace', async () => {
  const bench = workbench();
  const home = join(bench.workspace, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'token'), 'foo');
  const inner = workbench({ workspace: bench.workspace, ouroHome: home });
  expect((await inner.run('grep', { pattern: 'foo' })).text).toContain('No matches');
  expect((await inner.run('grep', { pattern: 'f', path: 'home' })).text).toContain(
    'closed to tools',
  );
});

test('a very long line and a flood of results stay within the limit of a result', async () => {
  const bench = withFiles({
    'long.ts': `foo${'x'.repeat(1_000_000)}`,
    'many.ts': `foo ${'y'.repeat(400)}\n`.repeat(5_000),
  });
  const { text } = await bench.run('grep', { pattern: 'foo', mode: 'content', limit: 2000 });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(30_000);
  expect(text).toMatch(/\[more results exist: /);
});

test('binary files say so instead of being shown', async () => {
  const bench = workbench();
  bench.write('bin', Buffer.from('foo\n\0\0bar'));
  const { text } = await bench.run('grep', { pattern: 'foo', mode: 'content', path: 'bin' });
  expect(text).toMatch(/^bin: .*binary file matches/);
});
