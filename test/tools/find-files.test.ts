import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { globProblem } from '../../src/tools/glob-limits.js';
import { workbench } from './workbench.js';

test('paths come newest first, relative to the workspace', async () => {
  const bench = workbench();
  const now = Date.now() / 1000;
  ['a.ts', 'src/old.ts', 'src/new.ts', 'src/x.md'].forEach((path) => bench.write(path, ''));
  utimesSync(join(bench.workspace, 'src/old.ts'), now - 50, now - 50);
  utimesSync(join(bench.workspace, 'a.ts'), now - 20, now - 20);
  const { text } = await bench.run('find_files', { pattern: '**/*.ts' });
  expect(text).toBe('src/new.ts\na.ts\nsrc/old.ts');
  const inside = await bench.run('find_files', { pattern: '*.ts', path: 'src', limit: 1 });
  expect(inside).toEqual({
    status: 'ok',
    text: 'src/new.ts\n[more files match: showing the newest 1. Narrow the pattern or raise limit.]',
    truncated: true,
  });
});

test('nothing found says so', async () => {
  const { text } = await workbench().run('find_files', { pattern: '*.rs' });
  expect(text).toBe("No files found matching '*.rs'");
});

test('100 paths come by default, at most 1000', async () => {
  const bench = workbench();
  for (let n = 0; n < 1100; n += 1) writeFileSync(join(bench.workspace, `f${n}`), '');
  const standard = await bench.run('find_files', { pattern: '*' });
  expect(standard.text.split('\n')).toHaveLength(101);
  const most = await bench.run('find_files', { pattern: '*', limit: 5000 });
  expect(most.text.split('\n')).toHaveLength(1001);
  expect(most.text).toMatch(
    /\[more files match: showing the newest 1000\. Narrow the pattern\.\]$/,
  );
});

test('.git and node_modules are left out unless the pattern names them', async () => {
  const bench = workbench();
  for (const path of ['a.js', 'node_modules/b.js', '.git/c.js', '.hidden/d.js']) {
    bench.write(path, '');
  }
  const find = async (pattern: string): Promise<string[]> =>
    (await bench.run('find_files', { pattern })).text.split('\n').sort();
  expect(await find('**/*.js')).toEqual(['.hidden/d.js', 'a.js']);
  expect(await find('node_modules/*.js')).toEqual(['node_modules/b.js']);
});

test('links are not followed out of the workspace, in whatever way they are written', async () => {
  const bench = workbench();
  writeFileSync(join(bench.outside, 'secret.txt'), '');
  symlinkSync(bench.outside, join(bench.workspace, 'link'));
  for (const pattern of ['link/*', '**/*.txt', '{link,x}/*', 'lin[k]/*', 'link/secret.txt']) {
    expect((await bench.run('find_files', { pattern })).text).toContain('No files found');
  }
});

test('the program home is not listed even inside of the workspace', async () => {
  const { workspace } = workbench();
  const home = join(workspace, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'token'), '');
  const bench = workbench({ workspace, ouroHome: home });
  expect((await bench.run('find_files', { pattern: '**/*' })).text).toContain('No files found');
});

test('path must be a folder', async () => {
  const bench = workbench();
  bench.write('a', '');
  const outcome = await bench.run('find_files', { pattern: '*', path: 'a' });
  expect(outcome).toMatchObject({ status: 'failed', text: "Error: 'a' is not a folder." });
});

test.each([
  '../*',
  'a/../../*',
  '{..,a}/*',
  '{a,..}/x',
  '/etc/*',
  'a\0b',
  '{1..100000000}',
  '{a,b}'.repeat(20),
  '*a*a*a*a*a*a*a',
  '**/'.repeat(20),
  'x'.repeat(600),
])('the pattern %j is refused', async (pattern) => {
  const outcome = await workbench().run('find_files', { pattern });
  expect(outcome).toMatchObject({ status: 'failed', reason: 'refused' });
});

test.each(['src/**/*.{ts,tsx}', 'v{1..3}/*', '..notes*', 'a..b', '**/*test*spec*.ts', '[ab]?.c'])(
  'the pattern %j is accepted',
  (pattern) => expect(globProblem(pattern)).toBe(null),
);

test('a pattern with a parent folder as a part of its path is never accepted', () => {
  const part = fc.constantFrom('a', '*', '**', '{b,c}', '[x]');
  fc.assert(
    fc.property(fc.array(part), fc.array(part), (before, after) => {
      expect(globProblem([...before, '..', ...after].join('/'))).not.toBe(null);
    }),
  );
});
