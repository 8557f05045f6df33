import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import glob from 'fast-glob';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { globProblem, splitPattern } from '../../src/tools/glob-limits.js';
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

test('a name with a newline is one name', async () => {
  const bench = workbench();
  bench.write('new\nline.ts', '');
  expect((await bench.run('find_files', { pattern: '**/*' })).text).toBe('"new\\nline.ts"');
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

const NAMES = [
  ...[
    'a.ts',
    'b.js',
    '.hidden',
    'A.TS',
    'a+b.ts',
    '.dir/c.ts',
    'src/d.ts',
    'src/e.tsx',
    'v1/z',
    'v2/z',
  ],
  ...['src/deep/f.ts', 'src/deep/.g.ts', 'src/{q}.ts', 'we ird/[x].ts', 'we ird/x.ts'],
  ...['we ird/!y.ts', 'node_modules/m.js', 'src/node_modules/n.js', '.git/config'],
  // Left out by other searches, not by this one.
  ...['ignored/i.ts', 'build/out.js'],
];

test.each([
  ...[
    '*',
    '**',
    '**/*',
    '*.ts',
    '**/*.ts',
    'src/**',
    'src/*',
    'src/**/*.ts',
    'a.ts',
    'src',
    'src/',
    '*/',
  ],
  ...[
    '{a,b}.*',
    '*.{ts,js}',
    '**/*.{ts,tsx}',
    '{src/*,v1}/*',
    '{,a}.ts',
    '[ab].*',
    '[!a].*',
    '[^a].*',
  ],
  ...['?.ts', '.*', '**/.*', '.dir/*', 'node_modules/**', '**/node_modules/*', '.git/*', 'we*/*'],
  ...[
    'we ird/\\[x\\].ts',
    '**/deep/**',
    'src/**/f.ts',
    '**/**/*.ts',
    'src/**deep/*',
    'a**',
    '**.ts',
  ],
  ...[
    'v{1..2}/*',
    '{a}.ts',
    'src/{q}.ts',
    '[[:alpha:]].ts',
    'src//d.ts',
    '!a.ts',
    'link/*',
    'link/**/*.ts',
  ],
  ...[
    'l.ts',
    '*.TS',
    'a+b.ts',
    '{a',
    '[a',
    'a]',
    '-x',
    '--files',
    '#x',
    'none/*',
    'a.ts/*',
    '**/*line*',
  ],
])('%j finds what any other program would find', async (pattern) => {
  const bench = workbench();
  for (const name of NAMES) bench.write(name, '');
  bench.write('.gitignore', 'ignored\nbuild\n');
  symlinkSync(join(bench.workspace, 'src'), join(bench.workspace, 'link'));
  symlinkSync(join(bench.workspace, 'a.ts'), join(bench.workspace, 'l.ts'));
  const ignore = ['.git', 'node_modules']
    .filter((name) => !pattern.includes(name))
    .map((name) => `**/${name}/**`);
  const options = { cwd: bench.workspace, dot: true, followSymbolicLinks: false, ignore };
  const expected = await glob(pattern, { ...options, extglob: false, suppressErrors: true });
  const { status, text } = await bench.run('find_files', { pattern });
  const found = text.startsWith('No files found') ? [] : text.split('\n');
  const named = found.map((name) => (name.startsWith('"') ? (JSON.parse(name) as string) : name));
  expect([status, named.sort()]).toEqual(['ok', expected.sort()]);
});

test.each([
  ['src/a/*.ts', 'src/a', '*.ts'],
  ['./src/a.ts', 'src', 'a.ts'],
  ['*.ts', '', '*.ts'],
  ['a/{b,c}/d', 'a', '{b,c}/d'],
])('%j is looked for in %j as %j', (pattern, folder, rest) => {
  expect(splitPattern(pattern)).toEqual({ folder, rest });
});
