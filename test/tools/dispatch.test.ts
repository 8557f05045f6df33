import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAIN_AGENT, type CallId } from '../../messages/ids.js';
import type { JournalFact } from '../../messages/journal.js';
import { EXPLORER, workbench } from './workbench.js';

const EXPLORE = ['find_files', 'grep', 'list_dir', 'read_file', 'think'];
const FIRST = [
  ...['edit_file', 'find_files', 'grep', 'list_dir', 'read_file', 'shell', 'think', 'write_file'],
];
const ALL = [...FIRST, 'read_output', 'record_discovery', 'submit', 'delegate'];

const kinds = (facts: readonly JournalFact[]): string[] => facts.map(({ kind }) => kind);

test('an effect begins only when its intent is on disk', async () => {
  const written: string[] = [];
  let commit: (seq: number) => void = () => undefined;
  const bench = workbench({
    journal: {
      append: (facts) => {
        written.push(...kinds(facts));
        return new Promise((resolve) => (commit = resolve));
      },
    },
  });
  const file = join(bench.workspace, 'a');
  const call = bench.start('write_file', { path: 'a', content: 'x' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([written, existsSync(file)]).toEqual([['tool.intent'], false]);
  commit(1);
  const { outcome, committed } = await call;
  expect([outcome.status, existsSync(file)]).toEqual(['ok', true]);
  expect(written).toEqual(['tool.intent', 'tool.outcome']);
  commit(2);
  expect(await committed).toBe(2);
});

test('the rows name the call as the model did', async () => {
  const bench = workbench();
  await bench.run('Write', { file_path: 'a', content: 'x' });
  const about = { agent: MAIN_AGENT, round: 1 };
  const body = { callId: 'main_1_1', name: 'Write' };
  expect(bench.facts).toEqual([
    { kind: 'tool.intent', ...about, body: { ...body, effect: 'write' } },
    {
      kind: 'tool.outcome',
      ...about,
      body: { ...body, outcome: { status: 'ok', text: 'Wrote 1 line to a', truncated: false } },
    },
  ]);
});

test('a journal that cannot write keeps the effect from happening', async () => {
  const bench = workbench({ journal: { append: () => Promise.reject(new Error('disk full')) } });
  const { outcome, committed } = await bench.start('write_file', { path: 'a', content: 'x' });
  expect(outcome).toMatchObject({ status: 'failed', reason: 'crashed' });
  await expect(committed).rejects.toThrow('disk full');
  expect(existsSync(join(bench.workspace, 'a'))).toBe(false);
});

test('a tool nobody knows is answered with those there are', async () => {
  const bench = workbench();
  expect(await bench.run('fly', {})).toEqual({
    status: 'failed',
    reason: 'unknown-tool',
    text: `Error: unknown tool 'fly'. Available tools: ${ALL.join(', ')}`,
  });
  expect(kinds(bench.facts)).toEqual(['tool.outcome']);
  for (const name of ['__proto__', 'constructor', 'toString', 'x'.repeat(10_000), '']) {
    const outcome = await bench.run(name, {});
    expect(outcome).toMatchObject({ status: 'failed', reason: 'unknown-tool' });
    expect(outcome.text.length).toBeLessThan(500);
  }
});

test('arguments that do not fit are answered with the parameters', async () => {
  const bench = workbench();
  const outcome = await bench.run('grep', { path: 5, mode: 'all' });
  expect(outcome).toMatchObject({ status: 'failed', reason: 'bad-args' });
  expect(outcome.text).toMatch(/^Error: argument validation failed for tool 'grep':\n- pattern: /);
  expect(outcome.text).toContain('\nParameters of grep: pattern (string, required), path (string)');
  expect(kinds(bench.facts)).toEqual(['tool.outcome']);
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a list', [1]],
  ['text', 'path'],
  ['a prototype', JSON.parse('{"path": "a", "__proto__": {"x": 1}}')],
  ['deep nesting', { path: JSON.parse('['.repeat(5000) + ']'.repeat(5000)) as unknown }],
  ['a huge unknown name', { ['k'.repeat(100_000)]: 1 }],
])('%s instead of arguments is an ordinary error', async (_, args) => {
  const outcome = await workbench().run('read_file', args);
  expect(outcome).toMatchObject({ status: 'failed', reason: 'bad-args' });
  expect(outcome.text.length).toBeLessThan(2000);
});

test('arguments that were not JSON are quoted in part, with the parameters', async () => {
  const bench = workbench();
  const invalid = `{"path": "a${'x'.repeat(1000)}`;
  const outcome = await bench.run('read_file', {}, { invalid });
  expect(outcome).toMatchObject({ status: 'failed', reason: 'bad-args' });
  expect(outcome.text).toContain('Sent: {"path": "ax');
  expect(outcome.text).toContain('Parameters of read_file: path (string, required)');
  expect(outcome.text.length).toBeLessThan(600);
});

test('arguments that were not JSON are answered with what is wrong with them', async () => {
  const outcome = await workbench().run('read_file', {}, { invalid: '{"path": oops}' });
  expect(outcome.text).toMatch(/not valid JSON \(.*Unexpected token.*\), so nothing was done/);
  const list = await workbench().run('read_file', {}, { invalid: '["a"]' });
  expect(list.text).toContain('not an object');
});

test('arguments that were cut off are answered with that, and with what to do instead', async () => {
  const outcome = await workbench().run('read_file', {}, { invalid: '{"path": "a', cut: true });
  expect(outcome).toMatchObject({ status: 'failed', reason: 'bad-args' });
  expect(outcome.text).toContain('were cut off before their end');
  expect(outcome.text).toContain('Parameters of read_file: path (string, required)');
});

test('a call the rules deny is not run, and the model is told what they say', async () => {
  const verdict = { allowed: false as const, rule: 'deny write', text: 'Denied: ask a person.' };
  const bench = workbench({ judge: { judge: () => verdict } });
  expect(await bench.run('write_file', { path: 'a', content: '' })).toEqual({
    status: 'denied',
    rule: 'deny write',
    text: 'Denied: ask a person.',
  });
  expect(kinds(bench.facts)).toEqual(['tool.outcome']);
  expect(existsSync(join(bench.workspace, 'a'))).toBe(false);
});

test('rules judge the path that is really meant', async () => {
  const bench = workbench();
  await bench.run('read_file', { path: 'x/../src/./a.ts' });
  await bench.run('grep', { pattern: 'x' });
  expect(bench.judged).toEqual([
    { tool: 'read_file', effect: 'read', subject: 'src/a.ts', cwd: bench.workspace },
    { tool: 'grep', effect: 'read', subject: '.', cwd: bench.workspace },
  ]);
});

test.each(ALL.filter((name) => !EXPLORE.includes(name)))(
  'an exploring agent is refused %s even when it asks',
  async (name) => {
    const bench = workbench();
    const outcome = await bench.run(name, { path: 'a', content: '' }, { agent: EXPLORER });
    expect(outcome).toMatchObject({ status: 'failed', reason: 'refused' });
    expect(outcome.text).toContain(`Available tools: ${EXPLORE.join(', ')}`);
  },
);

test('a call cancelled before it began is not run', async () => {
  const bench = workbench();
  const signal = AbortSignal.abort();
  const outcome = await bench.run('write_file', { path: 'a', content: '' }, { signal });
  expect(outcome).toMatchObject({ status: 'cancelled' });
  expect(kinds(bench.facts)).toEqual(['tool.outcome']);
});

test('a call cancelled while its intent was written is not run', async () => {
  const cancel = new AbortController();
  const bench = workbench({
    journal: {
      append: () => {
        cancel.abort();
        return Promise.resolve(1);
      },
    },
  });
  const { signal } = cancel;
  const outcome = await bench.run('write_file', { path: 'a', content: '' }, { signal });
  expect(outcome).toMatchObject({ status: 'cancelled' });
  expect(existsSync(join(bench.workspace, 'a'))).toBe(false);
});

test('secrets are taken out before the result is journaled or returned', async () => {
  const secret = 'hunter2-hunter2';
  const bench = workbench({ environment: { PATH: process.env['PATH'], DB_PASSWORD: secret } });
  bench.write('.env', `DB=${secret}\n`);
  const outcome = await bench.run('read_file', { path: '.env' });
  expect(outcome.text).toBe('L1: DB=[redacted:DB_PASSWORD]');
  expect(JSON.stringify(bench.facts)).not.toContain(secret);
});

test('a summary is one short line whatever the command', () => {
  const { tools } = workbench();
  const call = { id: 'c' as CallId, name: 'shell', args: { command: 'x \n'.repeat(1000) } };
  const { summary } = tools.plan(MAIN_AGENT, call);
  expect(summary).toMatch(/^shell x x .*…$/);
  expect(summary.length).toBeLessThan(200);
});
