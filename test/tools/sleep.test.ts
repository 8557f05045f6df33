import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { CallContext } from '../../actors/ports.js';
import type { WaitRequest, WakeReason } from '../../messages/sleeps.js';
import { EVERYTHING, workbench, type Workbench } from './workbench.js';

type Bench = Workbench & { readonly waits: WaitRequest[]; readonly contexts: CallContext[] };

/** Whoever waits is woken with the reason; without one only when the waiting is cut off. */
function bench(reason: WakeReason | null, overrides: Parameters<typeof workbench>[0] = {}): Bench {
  const waits: WaitRequest[] = [];
  const contexts: CallContext[] = [];
  const wait = (request: WaitRequest, context: CallContext): Promise<WakeReason> => {
    waits.push(request);
    contexts.push(context);
    if (reason !== null) return Promise.resolve(reason);
    return new Promise((resolve) => {
      context.signal.addEventListener('abort', () => resolve('cancelled'));
    });
  };
  return { ...workbench({ ...EVERYTHING, wait, ...overrides }), waits, contexts };
}

const NOW = 1_000_000;
const time = { now: () => NOW };

test.each([
  [
    { mode: 'timer', seconds: 90 },
    { mode: 'timer', since: NOW, until: NOW + 90_000 },
  ],
  [{ mode: 'manual' }, { mode: 'manual', since: NOW }],
  [
    { mode: 'event', agent_id: 'sub-1', seconds: 5 },
    {
      mode: 'event',
      event: { kind: 'agent', agent: 'sub-1' },
      since: NOW,
      until: NOW + 5_000,
    },
  ],
  [
    { mode: 'event', path: 'a/../b' },
    { mode: 'event', event: { kind: 'path', path: 'b' }, since: NOW, until: NOW + 3_600_000 },
  ],
])('%j is waited for, until a time that stands fast', async (args, request) => {
  const on = bench('user_resumed', { time });
  expect((await on.run('sleep', args)).status).toBe('ok');
  expect(on.waits).toEqual([request]);
  expect(on.contexts[0]).toMatchObject({ agent: 'main', round: 1, callId: 'main_1_1' });
});

test('a sleep that an earlier run of the process began keeps its deadline and its length', async () => {
  const on = bench('timer_expired', { time, sleptSince: () => NOW - 60_000 });
  const { text } = await on.run('sleep', { mode: 'timer', seconds: 90 });
  expect(on.waits).toEqual([{ mode: 'timer', since: NOW - 60_000, until: NOW + 30_000 }]);
  expect(text).toContain('You slept for 60.0s');
});

test('what changed while the process was dead wakes at once', async () => {
  const on = bench(null, { sleptSince: () => NOW });
  writeFileSync(join(on.workspace, 'new'), 'changed');
  const { text } = await on.run('sleep', { mode: 'event', path: 'new' });
  expect(text).toContain('Reason: path_changed.');
});

test('where nobody can wake it, a manual sleep says what to do instead', async () => {
  const { text } = await bench('nobody_there').run('sleep', { mode: 'manual' });
  expect(text).toContain('submit as blocked');
});

test('a sleep that the end of the session cuts short says so, whatever it waits for', async () => {
  const wait = (_: WaitRequest, { signal }: CallContext): Promise<WakeReason> =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve('shutdown')));
  const on = bench(null, { wait });
  const stop = new AbortController();
  const call = on.run('sleep', { mode: 'event', path: 'a' }, { signal: stop.signal });
  await pause(20);
  stop.abort();
  expect(await call).toMatchObject({
    status: 'ok',
    text: expect.stringContaining('shutdown') as string,
  });
});

test.each([
  'timer_expired',
  'agent_completed',
  'agent_failed',
  'agent_killed',
  'agent_not_found',
  'user_resumed',
  'max_duration_exceeded',
] as const)('the reason %s is told, and how long it was', async (reason) => {
  let now = 1_000;
  const time = { now: () => (now += 12_340) };
  const { text } = await bench(reason, { time }).run('sleep', { mode: 'event', agent_id: 'a' });
  expect(text).toMatch(
    new RegExp(`^\\[Sleep ended\\. Reason: ${reason}\\. You slept for [\\d.]+s\\]$`),
  );
  expect(text).not.toContain('for 0.0s');
});

test.each([
  [{ mode: 'timer' }, 'seconds: a timer needs it'],
  [{ mode: 'event' }, 'an event needs one of agent_id, process_id, path'],
  [{ mode: 'event', agent_id: 'a', path: 'b' }, 'an event needs one of agent_id, process_id, path'],
  [{ mode: 'timer', seconds: 1, path: 'a' }, 'path: only an event has it'],
  [{ mode: 'manual', process_id: 'p1' }, 'process_id: only an event has it'],
  [{ mode: 'timer', seconds: 0 }, 'seconds: '],
  [{ mode: 'timer', seconds: 86_401 }, 'seconds: '],
  [{ mode: 'nap' }, 'mode: '],
])('%j does not fit', async (args, issue) => {
  const on = bench('timer_expired');
  const outcome = await on.run('sleep', args);
  expect(outcome).toMatchObject({ status: 'failed', reason: 'bad-args' });
  expect(outcome.text).toContain(`\n- ${issue}`);
  expect(on.waits).toEqual([]);
});

test('a path outside of the workspace is not watched', async () => {
  const outcome = await bench(null).run('sleep', { mode: 'event', path: '../x' });
  expect(outcome).toMatchObject({ status: 'failed', reason: 'refused' });
});

test('the end of a process wakes, and ends the waiting for anything else', async () => {
  const on = bench(null);
  await on.run('shell', { command: 'sleep 0.5; exit 3', background: true });
  const { text } = await on.run('sleep', { mode: 'event', process_id: 'p1' });
  expect(text).toMatch(
    /^\[Sleep ended\. Reason: process_ended\. .*\]\np1 ended with exit code 3\.$/,
  );
  expect(on.contexts[0]?.signal.aborted).toBe(true);
});

test('a process that has ended already wakes at once', async () => {
  const on = bench(null);
  await on.run('shell', { command: 'sleep 600', background: true });
  await on.run('process_kill', { id: 'p1' });
  const { text } = await on.run('sleep', { mode: 'event', process_id: 'p1' });
  expect(text).toMatch(/Reason: process_ended\. .*\]\np1 was ended\.$/);
});

test.each([EVERYTHING, { wait: EVERYTHING.wait }])(
  'a process that does not exist is not waited for',
  async (deps) => {
    const args = { mode: 'event', process_id: 'p7' };
    expect((await workbench(deps).run('sleep', args)).text).toBe(
      "Error: there is no background process 'p7'. process_list shows those there are.",
    );
  },
);

test('a file that is made, and one that changes, wakes', async () => {
  const on = bench(null);
  for (const content of ['made', 'changed']) {
    const call = on.run('sleep', { mode: 'event', path: 'new' });
    await pause(50);
    writeFileSync(join(on.workspace, 'new'), content);
    expect((await call).text).toContain('Reason: path_changed.');
  }
});

test('a cancelled sleep is cancelled, whatever is waited for', async () => {
  const on = bench(null);
  await on.run('shell', { command: 'sleep 600', background: true });
  for (const args of [
    { mode: 'timer', seconds: 9 },
    { mode: 'event', path: 'a' },
    { mode: 'event', process_id: 'p1' },
  ]) {
    const cancel = new AbortController();
    const call = on.run('sleep', args, { signal: cancel.signal });
    await pause(20);
    cancel.abort();
    expect(await call).toMatchObject({ status: 'cancelled' });
  }
});

test('the time limit of tools does not end a sleep', async () => {
  const limits = { toolTimeoutMs: 30, shellTimeoutMs: 1000, maxResultBytes: 30_000 };
  const wait = async (): Promise<WakeReason> => {
    await pause(150);
    return 'timer_expired';
  };
  const on = bench(null, { limits, wait });
  expect(await on.run('sleep', { mode: 'timer', seconds: 1 })).toMatchObject({ status: 'ok' });
});
