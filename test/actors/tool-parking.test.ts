import { createActor } from 'xstate';
import { expect, test } from 'vitest';
import type { CallContext, FinishedCall, ToolBox } from '../../actors/ports.js';
import { executorMachine } from '../../actors/tool-executor.js';
import { EMPTY_SCHEDULE, MAX_RUNNING } from '../../actors/tool-schedule.js';
import { Oneshot } from '../../messages/channels/oneshot.js';
import type { ToolCall } from '../../messages/conversation.js';
import { callId, callOf, MAIN, okOutcome, START } from '../support/session-samples.js';
import { settled } from '../support/settled.js';

/** One call: parks first if its arguments say so, then works until it is let go. */
interface Work {
  readonly context: CallContext;
  readonly wait: Oneshot<'answered' | 'broken'>;
  readonly work: Oneshot<undefined>;
}

/** The name of a tool is its lock, unless it is `free`. Says when each call waits, works and ends. */
class ParkingTools implements ToolBox {
  readonly log: string[] = [];
  readonly #calls = new Map<string, Work>();

  definitions(): readonly [] {
    return [];
  }

  canonical(call: ToolCall): ToolCall {
    return call;
  }

  plan(_agent: unknown, { name }: ToolCall) {
    const locks = name === 'free' ? [] : [name];
    return { effect: 'write' as const, locks, waits: false, summary: name };
  }

  async run({ id, args }: ToolCall, context: CallContext): Promise<FinishedCall> {
    const work: Work = { context, wait: new Oneshot(), work: new Oneshot() };
    this.#calls.set(id, work);
    const letGo = (): void => {
      work.wait.settle('answered');
      work.work.settle(undefined);
    };
    context.signal.addEventListener('abort', letGo, { once: true });
    if (args === 'parks') {
      this.log.push(`${id} waits`);
      await context.parked(() => this.#waited(work)).catch(() => this.log.push(`${id} broke`));
    }
    this.log.push(`${id} works${context.signal.aborted ? ', aborted' : ''}`);
    await work.work.answer;
    return { outcome: okOutcome(id), committed: Promise.resolve() };
  }

  async #waited({ wait }: Work): Promise<void> {
    if ((await wait.answer) === 'broken') throw new Error('the wait broke');
  }

  call(id: string): Work {
    const call = this.#calls.get(id);
    if (call === undefined) throw new Error(`${id} has not begun`);
    return call;
  }
}

function execute() {
  const tools = new ParkingTools();
  const crashes: unknown[] = [];
  const settledCalls: string[] = [];
  const actor = createActor(
    executorMachine({
      time: { now: () => START },
      tools,
      settle: (id) => void settledCalls.push(id),
      answer: () => undefined,
      report: () => undefined,
      crash: (error) => void crashes.push(error),
    }),
  ).start();
  const run = (id: string, name: string, args?: 'parks'): void =>
    actor.send({ type: 'tool.run', agent: MAIN, round: 1, call: callOf(id, name, args ?? {}) });
  const resume = (id: string, how: 'answered' | 'broken' = 'answered'): Promise<void> => {
    tools.call(id).wait.settle(how);
    return settled(2);
  };
  const finish = (id: string): Promise<void> => {
    tools.call(id).work.settle(undefined);
    return settled(2);
  };
  const cancel = (id: string): Promise<void> => {
    actor.send({ type: 'tool.cancel', callId: callId(id) });
    return settled(2);
  };
  const schedule = () => actor.getSnapshot().context;
  return { actor, tools, crashes, settledCalls, run, resume, finish, cancel, schedule };
}

test('while a call is parked another one with the same lock runs', async () => {
  const { run, tools, finish, resume, settledCalls, schedule } = execute();
  run('a', 'shell', 'parks');
  run('b', 'shell');
  await settled(2);
  expect(tools.log).toEqual(['a waits', 'b works']);
  await finish('b');
  await resume('a');
  expect(tools.log).toEqual(['a waits', 'b works', 'a works']);
  await finish('a');
  expect(settledCalls).toEqual(['b', 'a']);
  expect(schedule()).toEqual(EMPTY_SCHEDULE);
});

test('a call that resumes waits for its lock, and comes before those that have not begun', async () => {
  const { run, tools, finish, resume } = execute();
  run('a', 'shell', 'parks');
  run('b', 'shell');
  run('c', 'shell');
  await settled(2);
  await resume('a');
  expect(tools.log).toEqual(['a waits', 'b works']);
  await finish('b');
  expect(tools.log).toEqual(['a waits', 'b works', 'a works']);
  await finish('a');
  expect(tools.log.at(-1)).toBe('c works');
});

test('a call that has resumed holds its lock again', async () => {
  const { run, tools, finish, resume } = execute();
  run('a', 'shell', 'parks');
  await settled(2);
  await resume('a');
  run('b', 'shell');
  await settled(2);
  expect(tools.log).toEqual(['a waits', 'a works']);
  await finish('a');
  expect(tools.log.at(-1)).toBe('b works');
});

test('parked calls take no place: as many as may run run beside them', async () => {
  const { run, tools, finish, resume } = execute();
  const working = (): number => tools.log.filter((line) => line.endsWith('works')).length;
  for (let n = 0; n < MAX_RUNNING; n += 1) run(`p${n}`, 'free', 'parks');
  for (let n = 0; n < MAX_RUNNING; n += 1) run(`w${n}`, 'free');
  await settled(2);
  expect(working()).toBe(MAX_RUNNING);
  await resume('p0');
  expect(working(), 'no place is free for it').toBe(MAX_RUNNING);
  await finish('w0');
  expect(tools.log.at(-1)).toBe('p0 works');
});

test('a wait that fails gives the place and the lock back all the same', async () => {
  const { run, tools, finish, resume, crashes } = execute();
  run('a', 'shell', 'parks');
  run('b', 'shell');
  await settled(2);
  await resume('a', 'broken');
  expect(tools.log).toEqual(['a waits', 'b works']);
  await finish('b');
  expect(tools.log).toEqual(['a waits', 'b works', 'a broke', 'a works']);
  expect(crashes).toEqual([]);
});

test('a parked call that is cancelled ends, and the others go on', async () => {
  const { run, tools, cancel, settledCalls, finish, schedule } = execute();
  run('a', 'shell', 'parks');
  run('b', 'free');
  await cancel('a');
  expect(tools.log).toEqual(['a waits', 'b works', 'a works, aborted']);
  expect(settledCalls).toEqual(['a']);
  expect(tools.call('b').context.signal.aborted).toBe(false);
  await finish('b');
  expect(schedule()).toEqual(EMPTY_SCHEDULE);
});

test('all calls can be cancelled, those that are parked too', async () => {
  const { actor, run, settledCalls, schedule } = execute();
  run('a', 'shell', 'parks');
  run('b', 'shell');
  run('c', 'free', 'parks');
  await settled(2);
  actor.send({ type: 'tool.cancelAll', agent: MAIN });
  await settled(2);
  expect([...settledCalls].sort()).toEqual(['a', 'b', 'c']);
  expect(schedule()).toEqual(EMPTY_SCHEDULE);
});

test('a parked call that is cancelled does not wait for a lock that another one holds', async () => {
  const { run, cancel, settledCalls } = execute();
  run('a', 'shell', 'parks');
  run('b', 'shell');
  await cancel('a');
  expect(settledCalls).toEqual(['a']);
});

test('a call that is cancelled while it waits for its lock back is aborted', async () => {
  const { run, tools, resume, cancel } = execute();
  run('a', 'shell', 'parks');
  run('b', 'shell');
  await settled(2);
  await resume('a');
  await cancel('a');
  expect(tools.call('a').context.signal.aborted).toBe(true);
  expect(tools.call('b').context.signal.aborted).toBe(false);
});
