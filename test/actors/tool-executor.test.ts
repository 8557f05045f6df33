import { createActor } from 'xstate';
import { expect, test } from 'vitest';
import { executorMachine, OVERLOADED } from '../../actors/tool-executor.js';
import { EMPTY_SCHEDULE, MAX_QUEUED, MAX_RUNNING } from '../../actors/tool-schedule.js';
import type { CallContext, FinishedCall, ToolBox } from '../../actors/ports.js';
import type { ToolCall } from '../../messages/conversation.js';
import type { AgentId } from '../../messages/ids.js';
import type { ToolFact, ToolOutcome } from '../../messages/tools.js';
import { callId, callOf, MAIN, okOutcome, START, SUB } from '../support/session-samples.js';
import { settled } from '../support/settled.js';

interface Running {
  readonly context: CallContext;
  /** Gives the call its outcome; the returned function commits it. */
  finish(outcome?: ToolOutcome): () => void;
  fail(error: Error): void;
}

/** Tools that end when the test says so. The name of a tool is its lock, unless it is `free` or `wait`. */
class HeldTools implements ToolBox {
  readonly running = new Map<string, Running>();
  readonly begun: string[] = [];

  definitions(): readonly [] {
    return [];
  }

  canonical(call: ToolCall): ToolCall {
    return call;
  }

  plan(_agent: AgentId, { name }: ToolCall) {
    const locks = name === 'free' || name === 'wait' ? [] : [name];
    return { effect: 'write' as const, locks, waits: name === 'wait', summary: `use ${name}` };
  }

  run(call: ToolCall, context: CallContext): Promise<FinishedCall> {
    this.begun.push(call.id);
    return new Promise((resolve, reject) => {
      const finish = (outcome: ToolOutcome = okOutcome()): (() => void) => {
        let commit: () => void = () => undefined;
        const committed = new Promise<void>((done) => (commit = done));
        resolve({ outcome, committed });
        return commit;
      };
      this.running.set(call.id, { context, finish, fail: reject });
    });
  }

  get(id: string): Running {
    const running = this.running.get(id);
    if (running === undefined) throw new Error(`${id} has not begun`);
    return running;
  }
}

function execute() {
  const tools = new HeldTools();
  const settledCalls: [string, ToolOutcome][] = [];
  const answered: [string, ToolOutcome][] = [];
  const facts: ToolFact[] = [];
  const crashes: unknown[] = [];
  const actor = createActor(
    executorMachine({
      time: { now: () => START },
      tools,
      settle: (id, outcome) => void settledCalls.push([id, outcome]),
      answer: (id, outcome) => void answered.push([id, outcome]),
      report: (fact) => void facts.push(fact),
      crash: (error) => void crashes.push(error),
    }),
  ).start();
  const run = (id: string, name = 'free', agent: AgentId = MAIN): void =>
    actor.send({ type: 'tool.run', agent, round: 1, call: callOf(id, name) });
  const types = (): string[] => facts.map(({ type, callId: id }) => `${type} ${id}`);
  const context = () => actor.getSnapshot().context;
  return { actor, tools, settledCalls, answered, facts, types, crashes, run, context };
}

test('a call starts, is answered, and is over once its outcome is on disk', async () => {
  const { run, tools, settledCalls, types, facts } = execute();
  run('a');
  expect(types()).toEqual(['tool.started a']);
  const commit = tools.get('a').finish(okOutcome('A'));
  await settled(1);
  expect(settledCalls).toEqual([['a', okOutcome('A')]]);
  expect(types()).toEqual(['tool.started a']);
  commit();
  await settled(1);
  expect(facts).toMatchObject([
    { type: 'tool.started', summary: 'use free', name: 'free', agent: MAIN, round: 1 },
    { type: 'tool.finished', outcome: okOutcome('A'), at: START },
  ]);
});

test('each call is answered exactly once', async () => {
  const { run, tools, settledCalls, actor } = execute();
  for (const id of ['a', 'b', 'c']) run(id);
  tools.get('b').finish(okOutcome('B'));
  actor.send({ type: 'tool.cancelAll', agent: null });
  actor.send({ type: 'tool.cancel', callId: callId('a') });
  for (const id of ['a', 'b', 'c']) tools.get(id).finish();
  await settled(1);
  actor.send({ type: 'tool.cancelAll', agent: null });
  await settled(1);
  expect(settledCalls.map(([id]) => id).sort()).toEqual(['a', 'b', 'c']);
});

test('calls with one lock run one after the other, in their order', async () => {
  const { run, tools } = execute();
  for (const id of ['a', 'b', 'c']) run(id, 'shell');
  run('d');
  expect(tools.begun).toEqual(['a', 'd']);
  tools.get('a').finish();
  await settled(1);
  expect(tools.begun).toEqual(['a', 'd', 'b']);
  tools.get('b').finish();
  await settled(1);
  expect(tools.begun).toEqual(['a', 'd', 'b', 'c']);
});

test('calls beyond the cap wait for a place, calls that wait for something else do not', async () => {
  const { run, tools } = execute();
  for (let n = 0; n < MAX_RUNNING + 2; n += 1) run(`c${n}`);
  run('w', 'wait');
  expect(tools.begun).toHaveLength(MAX_RUNNING + 1);
  expect(tools.begun.at(-1)).toBe('w');
  tools.get('c0').finish();
  await settled(1);
  expect(tools.begun.at(-1)).toBe(`c${MAX_RUNNING}`);
});

test('one call can be cancelled; the others go on', async () => {
  const { run, tools, actor } = execute();
  run('a');
  run('b');
  actor.send({ type: 'tool.cancel', callId: callId('a') });
  expect(tools.get('a').context.signal.aborted).toBe(true);
  expect(tools.get('b').context.signal.aborted).toBe(false);
  await settled(1);
  expect(tools.begun).toEqual(['a', 'b']);
});

test('all calls of one agent can be cancelled, or all there are', () => {
  const { run, tools, actor } = execute();
  run('a', 'free', MAIN);
  run('b', 'free', SUB);
  const aborted = (): boolean[] => ['a', 'b'].map((id) => tools.get(id).context.signal.aborted);
  actor.send({ type: 'tool.cancelAll', agent: SUB });
  expect(aborted()).toEqual([false, true]);
  actor.send({ type: 'tool.cancelAll', agent: null });
  expect(aborted()).toEqual([true, true]);
});

test('a call that is cancelled before its turn is run at once, with a signal that is aborted', async () => {
  const { run, tools, actor, settledCalls } = execute();
  run('a', 'shell');
  run('b', 'shell');
  run('c', 'shell');
  actor.send({ type: 'tool.cancel', callId: callId('b') });
  expect(tools.get('b').context.signal.aborted).toBe(true);
  expect(tools.get('a').context.signal.aborted).toBe(false);
  tools.get('b').finish({ status: 'cancelled', text: 'not begun' });
  await settled(1);
  expect(settledCalls).toEqual([['b', { status: 'cancelled', text: 'not begun' }]]);
  expect(tools.begun).toEqual(['a', 'b']);
  tools.get('a').finish();
  await settled(1);
  expect(tools.begun).toEqual(['a', 'b', 'c']);
});

test('to cancel what is over or unknown changes nothing', async () => {
  const { run, tools, actor, settledCalls, context } = execute();
  run('a');
  tools.get('a').finish();
  await settled(1);
  actor.send({ type: 'tool.cancel', callId: callId('a') });
  actor.send({ type: 'tool.cancel', callId: callId('zzz') });
  expect(settledCalls).toHaveLength(1);
  expect(context()).toEqual(EMPTY_SCHEDULE);
});

test('calls beyond the queue are refused at once and never run', () => {
  const { run, settledCalls, tools, types } = execute();
  for (let n = 0; n <= MAX_QUEUED + 1; n += 1) run(`c${n}`, 'shell');
  expect(settledCalls).toEqual([[`c${MAX_QUEUED + 1}`, OVERLOADED]]);
  expect(tools.begun).toEqual(['c0']);
  expect(types()).toEqual(['tool.started c0']);
});

test('what a waiting call waits for is passed on, and settles nothing by itself', () => {
  const { run, actor, answered, settledCalls } = execute();
  run('w', 'wait');
  actor.send({ type: 'tool.answer', callId: callId('w'), outcome: okOutcome('seen') });
  expect(answered).toEqual([['w', okOutcome('seen')]]);
  expect(settledCalls).toEqual([]);
});

test('a journal that cannot be written keeps the world from hearing of an outcome', async () => {
  const tools = new HeldTools();
  const facts: ToolFact[] = [];
  const crashes: unknown[] = [];
  const broken: ToolBox = {
    definitions: () => [],
    canonical: (call) => call,
    plan: (agent, call) => tools.plan(agent, call),
    run: () =>
      Promise.resolve({ outcome: okOutcome(), committed: Promise.reject(new Error('disk full')) }),
  };
  const actor = createActor(
    executorMachine({
      time: { now: () => START },
      tools: broken,
      settle: () => undefined,
      answer: () => undefined,
      report: (fact) => void facts.push(fact),
      crash: (error) => void crashes.push(error),
    }),
  ).start();
  actor.send({ type: 'tool.run', agent: MAIN, round: 1, call: callOf('a') });
  await settled(2);
  expect(facts.map(({ type }) => type)).toEqual(['tool.started']);
  expect(crashes).toEqual([]);
});

test('a toolbox that rejects against its promise is reported as a bug', async () => {
  const { run, tools, crashes } = execute();
  run('a');
  tools.get('a').fail(new Error('it must not'));
  await settled(1);
  expect(crashes).toMatchObject([{ message: 'it must not' }]);
});
