import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ApprovalRequest, Verdict } from '../../actors/ports.js';
import { MAIN_AGENT } from '../../messages/ids.js';
import { workbench } from './workbench.js';

const OPEN: Verdict = { allowed: false, rule: 'default', text: 'Denied: not allowed.', ask: true };

const judge = (verdict: Verdict) => ({ judge: () => verdict });

test('what the rules leave open is put to a person, and runs when allowed', async () => {
  const asked: ApprovalRequest[] = [];
  const bench = workbench({
    judge: judge(OPEN),
    approver: {
      approve: (request, { agent, round, callId }) => {
        asked.push(request);
        expect([agent, round, callId]).toEqual([MAIN_AGENT, 1, 'main_1_1']);
        return Promise.resolve({ allowed: true, rule: 'a person' });
      },
    },
  });
  const outcome = await bench.run('write_file', { path: 'x/../a', content: '' });
  expect(outcome.status).toBe('ok');
  expect(asked).toEqual([
    {
      tool: 'write_file',
      effect: 'write',
      subject: 'a',
      summary: 'write_file x/../a',
      rule: 'default',
    },
  ]);
});

test("a person's refusal is the outcome", async () => {
  const refused: Verdict = { allowed: false, rule: 'person', text: 'Denied by a person: not now.' };
  const bench = workbench({
    judge: judge(OPEN),
    approver: { approve: () => Promise.resolve(refused) },
  });
  expect(await bench.run('write_file', { path: 'a', content: '' })).toEqual({
    status: 'denied',
    rule: 'person',
    text: 'Denied by a person: not now.',
  });
  expect(bench.facts.map(({ kind }) => kind)).toEqual(['tool.outcome']);
});

test('where nobody can be asked, an open question is a refusal', async () => {
  const outcome = await workbench({ judge: judge(OPEN) }).run('shell', { command: 'true' });
  expect(outcome).toMatchObject({ status: 'denied', rule: 'default' });
});

test('nobody is asked about what the rules deny, or allow', async () => {
  const approver = { approve: () => Promise.reject(new Error('asked')) };
  const { ask: _, ...closed } = { ask: true, ...OPEN };
  for (const verdict of [closed, { allowed: true, rule: 'r' }] as Verdict[]) {
    const { status } = await workbench({ judge: judge(verdict), approver }).run('list_dir', {
      path: '.',
    });
    expect(status).toBe(verdict.allowed ? 'ok' : 'denied');
  }
});

test('the intent is on record only once a person has agreed, and the time limit begins then', async () => {
  let agree: (verdict: Verdict) => void = () => undefined;
  const bench = workbench({
    judge: judge(OPEN),
    approver: { approve: () => new Promise((resolve) => (agree = resolve)) },
    limits: { toolTimeoutMs: 50, shellTimeoutMs: 1000, maxResultBytes: 30_000 },
  });
  const call = bench.run('write_file', { path: 'a', content: '' });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([bench.facts, existsSync(join(bench.workspace, 'a'))]).toEqual([[], false]);
  agree({ allowed: true, rule: 'a person' });
  expect(await call).toMatchObject({ status: 'ok' });
});

test('a call cancelled while a person thinks is cancelled, not denied', async () => {
  const cancel = new AbortController();
  const bench = workbench({
    judge: judge(OPEN),
    approver: {
      approve: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ ...OPEN, rule: 'cancelled' }));
        }),
    },
  });
  const { signal } = cancel;
  const call = bench.run('write_file', { path: 'a', content: '' }, { signal });
  cancel.abort();
  expect(await call).toMatchObject({ status: 'cancelled' });
});

test('the end of the session ends the waiting for a person', async () => {
  const bench = workbench({
    judge: judge(OPEN),
    approver: {
      approve: (_, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(OPEN))),
    },
  });
  const call = bench.run('write_file', { path: 'a', content: '' });
  await bench.tools.terminateAll();
  expect(await call).toMatchObject({ status: 'cancelled' });
});
