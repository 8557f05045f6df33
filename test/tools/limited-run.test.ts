import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Effect } from '../../messages/tools.js';
import { runWithin, type Limits } from '../../src/tools/limited-run.js';
import { done } from '../../src/tools/outcomes.js';
import { defineTool } from '../../src/tools/tool.js';

const limits = (more: Partial<Limits> = {}, effect: Effect = 'read'): Limits => ({
  tool: defineTool({
    name: 'probe',
    description: '',
    effect,
    schema: z.strictObject({}),
    about: () => '',
    execute: () => done(''),
  }),
  limitMs: 60_000,
  time: { now: () => Date.now() },
  signal: new AbortController().signal,
  ...more,
});

const untilStopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

afterEach(() => {
  vi.useRealTimers();
});

test('a tool that takes too long is told to stop, and what it has is kept', async () => {
  vi.useFakeTimers();
  const outcome = runWithin(limits(), async (signal) => {
    await untilStopped(signal);
    return { status: 'stopped', text: 'half' };
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await outcome).toEqual({
    status: 'timeout',
    afterMs: 60_000,
    text: "Error: tool 'probe' timed out after 60 seconds\nhalf",
  });
});

test('a tool that throws because it was told to stop has timed out too', async () => {
  vi.useFakeTimers();
  const outcome = runWithin(limits(), async (signal) => {
    await untilStopped(signal);
    throw new DOMException('aborted', 'AbortError');
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await outcome).toMatchObject({ status: 'timeout' });
});

test('work that was finished although it was told to stop counts as done', async () => {
  const cancel = new AbortController();
  const outcome = runWithin(limits({ signal: cancel.signal }, 'write'), async (signal) => {
    await untilStopped(signal);
    return done('written');
  });
  cancel.abort();
  expect(await outcome).toMatchObject({ status: 'ok', text: 'written' });
});

test.each([
  ['read', 'timeout'],
  ['write', 'unknown'],
  ['execute', 'unknown'],
] as const)('a tool of effect %s that does not answer ends as %s', async (effect, status) => {
  vi.useFakeTimers();
  const outcome = runWithin(limits({}, effect), () => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(60_000 + 6_000);
  expect(await outcome).toMatchObject({ status });
});

test('a tool that waits has no time limit', async () => {
  vi.useFakeTimers();
  const cancel = new AbortController();
  let stopped = false;
  const outcome = runWithin(limits({ limitMs: null, signal: cancel.signal }), async (signal) => {
    await untilStopped(signal);
    stopped = true;
    return { status: 'stopped', text: '' };
  });
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(stopped).toBe(false);
  cancel.abort();
  expect(await outcome).toMatchObject({ status: 'cancelled' });
});

test('a bug in a tool is an outcome, and a refusal of the system an ordinary error', async () => {
  const bug = await runWithin(limits(), () => Promise.reject(new TypeError('x is undefined')));
  expect(bug).toMatchObject({ status: 'failed', reason: 'crashed' });
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  const refused = await runWithin(limits(), () => Promise.reject(full));
  expect(refused).toMatchObject({ status: 'failed', reason: 'failed' });
  expect(refused.text).toContain('no space left on the disk');
});
