import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HookedCall, HookVerdict, ToolHooks } from '../../actors/ports.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { workbench } from './workbench.js';

const GO: HookVerdict = { decision: 'go', message: null };

const hooks = (verdict: HookVerdict, said: string | null = null): ToolHooks => ({
  before: () => Promise.resolve(verdict),
  after: () => Promise.resolve(said),
});

test('hooks see the checked arguments before, and the outcome after', async () => {
  const seen: (HookedCall | ToolOutcome)[] = [];
  const bench = workbench({
    hooks: {
      before: (call) => {
        seen.push(call);
        return Promise.resolve(GO);
      },
      after: (call, outcome) => {
        seen.push(call, outcome);
        return Promise.resolve(null);
      },
    },
  });
  const outcome = await bench.run('Write', { file_path: 'a', content: 'x' });
  expect(outcome.text).toBe('Wrote 1 line to a');
  const args = { path: 'a', content: 'x' };
  const call = { callId: 'main_1_1', agent: 'main', round: 1, tool: 'write_file', args };
  expect(seen).toEqual([call, call, outcome]);
});

test('no hook is asked about a call that is not permitted', async () => {
  const verdict = { allowed: false as const, rule: 'r', text: 'Denied.' };
  const bench = workbench({
    judge: { judge: () => verdict },
    hooks: {
      before: () => Promise.reject(new Error('asked')),
      after: () => Promise.reject(new Error('asked')),
    },
  });
  expect(await bench.run('list_dir', { path: '.' })).toMatchObject({ status: 'denied' });
  expect(await bench.run('fly', {})).toMatchObject({ reason: 'unknown-tool' });
});

test.each([
  ['no tests on Fridays', 'no tests on Fridays'],
  ['  ', 'it gave no reason.'],
])('a blocked call is denied with the reason %j', async (reason, shown) => {
  const bench = workbench({ hooks: hooks({ decision: 'block', reason }) });
  expect(await bench.run('write_file', { path: 'a', content: '' })).toEqual({
    status: 'denied',
    rule: 'hook PreToolUse',
    text: `Denied: a hook of the operator blocked this call of write_file: ${shown}\nDo not repeat it unchanged.`,
  });
  expect(bench.facts.map(({ kind }) => kind)).toEqual(['tool.outcome']);
});

test('changed arguments are judged again and then used, and the model is told', async () => {
  const args = { path: 'b', content: 'changed' };
  const bench = workbench({ hooks: hooks({ decision: 'change', args, message: 'use b' }) });
  const outcome = await bench.run('write_file', { path: 'a', content: 'x' });
  expect(outcome.text).toBe('Wrote 1 line to b\n[hook: use b]');
  expect(readFileSync(join(bench.workspace, 'b'), 'utf8')).toBe('changed');
  expect(bench.judged.map(({ subject }) => subject)).toEqual(['a', 'b']);
  const silent = workbench({ hooks: hooks({ decision: 'change', args, message: null }) });
  const { text } = await silent.run('write_file', { path: 'a', content: 'x' });
  expect(text).toContain('[hook: A hook changed the arguments.]');
});

test.each([
  ['do not fit', { path: 5 }, { status: 'failed', reason: 'bad-args' }],
  ['lead outside', { path: '../x', content: '' }, { status: 'denied', rule: 'outside-workspace' }],
  ['are denied', { path: 'secret', content: '' }, { status: 'denied', rule: 'no' }],
])('changed arguments that %s are not run', async (_, args, expected) => {
  const bench = workbench({
    judge: {
      judge: ({ subject }) =>
        subject === 'secret'
          ? { allowed: false, rule: 'no', text: 'Denied.' }
          : { allowed: true, rule: 'r' },
    },
    hooks: hooks({ decision: 'change', args, message: null }),
  });
  const outcome = await bench.run('write_file', { path: 'a', content: '' });
  expect(outcome).toMatchObject(expected);
  expect(outcome.text).toMatch(/^A hook of the operator changed the arguments, and so /);
});

test('changed arguments that the rules leave open are put to a person', async () => {
  const bench = workbench({
    judge: {
      judge: ({ subject }) =>
        subject === 'b'
          ? { allowed: false, rule: 'default', text: 'Denied.', ask: true }
          : { allowed: true, rule: 'r' },
    },
    approver: { approve: () => Promise.resolve({ allowed: true, rule: 'a person' }) },
    hooks: hooks({ decision: 'change', args: { path: 'b', content: '' }, message: null }),
  });
  expect(await bench.run('write_file', { path: 'a', content: '' })).toMatchObject({ status: 'ok' });
});

test('two calls that a hook has led to one file do not touch it at the same time', async () => {
  const bench = workbench({
    hooks: {
      before: ({ args }) => {
        const { content } = args as { content: string };
        return Promise.resolve({
          decision: 'change',
          args: { path: 'one', content },
          message: null,
        });
      },
      after: () => Promise.resolve(null),
    },
  });
  const calls = ['a', 'b', 'c'].map((name) =>
    bench.run('write_file', { path: name, content: name }),
  );
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses).toEqual(['ok', 'ok', 'ok']);
  expect(readFileSync(join(bench.workspace, 'one'), 'utf8')).toBe('c');
});

test('what hooks say stands below the result, without secrets, and is never cut away', async () => {
  const secret = 'hunter2-hunter2';
  const bench = workbench({
    environment: { PATH: process.env['PATH'], DB_PASSWORD: secret },
    hooks: hooks({ decision: 'go', message: 'careful' }, `lint: 3 errors ${secret}\n`),
    limits: { toolTimeoutMs: 60_000, shellTimeoutMs: 60_000, maxResultBytes: 1_000 },
    delegate: () => Promise.resolve({ status: 'ok', text: 'word '.repeat(1000), truncated: false }),
  });
  const remarks = '\n[hook: careful]\n[hook: lint: 3 errors [redacted:DB_PASSWORD]]';
  const short = await bench.run('think', { thought: 'x' });
  expect(short.text).toBe(remarks.trim());
  const long = await bench.run('delegate', { task: 'x' });
  expect(long.text.endsWith(remarks)).toBe(true);
  expect(Buffer.byteLength(long.text)).toBeLessThanOrEqual(1_000);
});

test('a hook that says very much is cut short itself', async () => {
  const bench = workbench({ hooks: hooks(GO, 'x'.repeat(50_000)) });
  bench.write('a', 'content\n');
  const { text } = await bench.run('read_file', { path: 'a' });
  expect(text.startsWith('L1: content\n[hook: xxx')).toBe(true);
  expect(Buffer.byteLength(text)).toBeLessThan(2_100);
});

test('a call cancelled while a hook runs is not run', async () => {
  const cancel = new AbortController();
  const bench = workbench({
    hooks: {
      before: () => {
        cancel.abort();
        return Promise.resolve(GO);
      },
      after: () => Promise.resolve(null),
    },
  });
  const { signal } = cancel;
  const outcome = await bench.run('write_file', { path: 'a', content: '' }, { signal });
  expect(outcome).toMatchObject({ status: 'cancelled' });
  expect(bench.facts.map(({ kind }) => kind)).toEqual(['tool.outcome']);
});
