import { mkdirSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EVERYTHING, EXPLORER, workbench, type Workbench } from './workbench.js';

/** A workspace in which everything is old enough to be remembered. */
function settled(overrides: Parameters<typeof workbench>[0] = {}): Workbench {
  const bench = workbench(overrides);
  bench.write('a.ts', 'one\n');
  bench.write('src/b.ts', 'two\n');
  bench.age('a.ts', 'src/b.ts', 'src', '.');
  return bench;
}

const hits = ({ tools }: Workbench): number => tools.cacheStatistics.hits;

const READS = [
  ['read_file', { path: 'a.ts' }],
  ['grep', { pattern: 'one' }],
  ['find_files', { pattern: '**/*.ts' }],
  ['list_dir', { path: '.' }],
] as const;

test.each(READS)(
  '%s %j is answered from memory the second time, in the same words',
  async (name, args) => {
    const bench = settled();
    const first = await bench.run(name, args);
    expect(bench.tools.cacheStatistics).toEqual({ hits: 0, misses: 1 });
    expect(await bench.run(name, args)).toEqual({ ...first, cached: true });
    expect(bench.tools.cacheStatistics).toEqual({ hits: 1, misses: 1 });
    // Nothing was begun, so there is no intent.
    const kinds = bench.facts.map(({ kind }) => kind);
    expect(kinds).toEqual(['tool.intent', 'tool.outcome', 'tool.outcome']);
  },
);

test('defaults that are left out or given make no difference, and neither does the agent', async () => {
  const bench = settled();
  await bench.run('read_file', { path: 'a.ts' });
  await bench.run('Read', { limit: 2000, file_path: 'a.ts' });
  await bench.run('read_file', { path: 'a.ts', offset: 1 }, { agent: EXPLORER });
  expect(hits(bench)).toBe(2);
  await bench.run('read_file', { path: 'src/b.ts' });
  await bench.run('read_file', { path: 'a.ts', limit: 1 });
  expect(hits(bench)).toBe(2);
});

test.each([
  ['shell', { command: 'true' }],
  ['think', { thought: 'x' }],
  ['todo', { action: 'list' }],
  ['record_discovery', { title: 't', description: 'd' }],
])('%s is never answered from memory', async (name, args) => {
  const bench = settled(EVERYTHING);
  await bench.run(name, args);
  await bench.run(name, args);
  expect(bench.tools.cacheStatistics).toEqual({ hits: 0, misses: 0 });
});

test('a failure is not remembered', async () => {
  const bench = settled();
  await bench.run('read_file', { path: 'none' });
  bench.write('none', 'here now\n');
  expect((await bench.run('read_file', { path: 'none' })).text).toBe('L1: here now');
});

test('a file that someone else has changed is read anew', async () => {
  const bench = settled();
  await bench.run('read_file', { path: 'a.ts' });
  bench.write('a.ts', 'changed\n');
  expect((await bench.run('read_file', { path: 'a.ts' })).text).toBe('L1: changed');
});

test('a change that keeps size and time is noticed all the same', async () => {
  const bench = settled();
  await bench.run('read_file', { path: 'a.ts' });
  const { atime, mtime } = statSync(join(bench.workspace, 'a.ts'));
  bench.write('a.ts', 'new\n');
  utimesSync(join(bench.workspace, 'a.ts'), atime, mtime);
  expect((await bench.run('read_file', { path: 'a.ts' })).text).toBe('L1: new');
});

test('a file that has only just changed is not remembered: the next change might not show', async () => {
  const bench = workbench();
  bench.write('a.ts', 'one\n');
  await bench.run('read_file', { path: 'a.ts' });
  await bench.run('read_file', { path: 'a.ts' });
  expect(hits(bench)).toBe(0);
});

test('a file that is gone is not read from memory', async () => {
  const bench = settled();
  await bench.run('read_file', { path: 'a.ts' });
  unlinkSync(join(bench.workspace, 'a.ts'));
  expect(await bench.run('read_file', { path: 'a.ts' })).toMatchObject({ status: 'failed' });
});

test('an edit forgets what was read of its file and every search above it, and nothing else', async () => {
  const bench = settled();
  bench.write('other/c.ts', 'three\n');
  bench.age('other/c.ts', 'other', '.');
  const calls = [
    ['read_file', { path: 'src/b.ts' }],
    ['grep', { pattern: 'two' }],
    ['list_dir', { path: 'src' }],
    ['read_file', { path: 'a.ts' }],
    ['grep', { pattern: 'three', path: 'other' }],
  ] as const;
  for (const [name, args] of calls) await bench.run(name, args);
  await bench.run('edit_file', { path: 'src/b.ts', old_string: 'two', new_string: 'TWO' });
  // What the edit did not touch looks as old as before.
  bench.age('src/b.ts', 'src', '.');
  const found = [];
  for (const [name, args] of calls) {
    const before = hits(bench);
    await bench.run(name, args);
    found.push(hits(bench) > before);
  }
  expect(found).toEqual([false, false, false, true, true]);
});

test('a new file is found by a search that was made before', async () => {
  const bench = settled();
  await bench.run('find_files', { pattern: 'src/*.ts' });
  await bench.run('write_file', { path: 'src/new.ts', content: '' });
  const { text } = await bench.run('find_files', { pattern: 'src/*.ts' });
  expect(text).toBe('src/new.ts\nsrc/b.ts');
});

test('a command forgets everything', async () => {
  const bench = settled();
  for (const [name, args] of READS) await bench.run(name, args);
  await bench.run('shell', { command: 'true' });
  for (const [name, args] of READS) await bench.run(name, args);
  expect(hits(bench)).toBe(0);
});

test('a read after a write in the same batch sees what was written', async () => {
  const bench = settled();
  await bench.run('grep', { pattern: 'fresh' });
  const [, found] = await Promise.all([
    bench.run('write_file', { path: 'src/new.ts', content: 'fresh\n' }),
    bench.run('grep', { pattern: 'fresh' }),
  ]);
  expect(hits(bench)).toBe(0);
  expect(found.status).toBe('ok');
  expect((await bench.run('grep', { pattern: 'fresh' })).text).toBe('src/new.ts');
});

test('a search that ran beside a command is not remembered', async () => {
  const bench = settled();
  const slow = bench.run('shell', { command: 'sleep 0.3; echo hidden > src/late.ts' });
  await bench.run('grep', { pattern: 'hidden' });
  await bench.run('grep', { pattern: 'hidden' });
  expect(hits(bench)).toBe(0);
  await slow;
  expect((await bench.run('grep', { pattern: 'hidden' })).text).toBe('src/late.ts');
});

test('while a background process lives, files are remembered and searches are not', async () => {
  const bench = settled(EVERYTHING);
  await bench.run('shell', { command: 'sleep 600', background: true });
  for (let n = 0; n < 2; n += 1) {
    await bench.run('read_file', { path: 'a.ts' });
    await bench.run('grep', { pattern: 'one' });
  }
  expect(hits(bench)).toBe(1);
});

test('what was read more than ten rounds ago is read anew', async () => {
  const bench = settled();
  await bench.run('read_file', { path: 'a.ts' }, { round: 3 });
  await bench.run('read_file', { path: 'a.ts' }, { round: 13 });
  expect(hits(bench)).toBe(1);
  await bench.run('read_file', { path: 'a.ts' }, { round: 14 });
  expect(hits(bench)).toBe(1);
});

test('the rounds of all agents count', async () => {
  const bench = settled();
  await bench.run('read_file', { path: 'a.ts' }, { round: 1 });
  await bench.run('think', { thought: 'x' }, { round: 9 });
  await bench.run('read_file', { path: 'src/b.ts' }, { agent: EXPLORER, round: 1 });
  await bench.run('read_file', { path: 'src/b.ts' }, { agent: EXPLORER, round: 12 });
  expect(hits(bench)).toBe(0);
  await bench.run('read_file', { path: 'a.ts' }, { round: 1 });
  expect(hits(bench)).toBe(0);
});

test('a hundred results are remembered, the least recently used is forgotten first', async () => {
  const bench = settled();
  const file = (n: number) => ({ path: 'a.ts', limit: n });
  for (let n = 1; n <= 100; n += 1) await bench.run('read_file', file(n));
  await bench.run('read_file', file(1));
  await bench.run('read_file', file(101));
  await bench.run('read_file', file(1));
  expect(hits(bench)).toBe(2);
  await bench.run('read_file', file(2));
  expect(hits(bench)).toBe(2);
});

test('a conversation that has forgotten what it read reads anew', async () => {
  const bench = settled();
  await bench.run('read_file', { path: 'a.ts' });
  bench.tools.clearCache();
  await bench.run('read_file', { path: 'a.ts' });
  expect(hits(bench)).toBe(0);
});

test('a denied call is denied although its answer is known', async () => {
  let isAllowed = true;
  const bench = settled({
    judge: {
      judge: () =>
        isAllowed ? { allowed: true, rule: 'r' } : { allowed: false, rule: 'r', text: 'Denied.' },
    },
  });
  await bench.run('read_file', { path: 'a.ts' });
  isAllowed = false;
  expect(await bench.run('read_file', { path: 'a.ts' })).toMatchObject({ status: 'denied' });
});

test('a file read from memory can be edited', async () => {
  const bench = settled();
  await bench.run('read_file', { path: 'a.ts' });
  await bench.run('read_file', { path: 'a.ts' });
  const edit = { path: 'a.ts', old_string: 'one', new_string: 'two' };
  expect(await bench.run('edit_file', edit)).toMatchObject({ status: 'ok' });
});

test('an entry that is added to the folder itself is seen at once', async () => {
  const bench = settled();
  await bench.run('list_dir', { path: 'src' });
  writeFileSync(join(bench.workspace, 'src/by-hand.ts'), '');
  mkdirSync(join(bench.workspace, 'src/made'));
  const { text } = await bench.run('list_dir', { path: 'src' });
  expect(text).toContain('by-hand.ts');
});
