import { expect, test } from 'vitest';
import type { AfterRetries, FailurePorts, ModelFailure } from '../../actors/model-failure.js';
import type { ModelErrorKind } from '../../messages/model.js';
import type { Hold } from '../../messages/pause.js';
import { AgentRun, RETRY_MS, startOf } from '../support/agent-run.js';
import { Recorder, ofType } from '../support/recorder.js';
import { calls, fails, hangs, says, type Turn } from '../support/scripted-model.js';
import { callOf, holdOf, MAIN } from '../support/session-samples.js';
import { eventually, settled } from '../support/settled.js';

const endpointHold = holdOf({ kind: 'endpoint', reason: 'the server is away' });

interface Answers extends Partial<Omit<FailurePorts, 'afterRetries'>> {
  readonly then: readonly AfterRetries[];
  readonly turns: readonly Turn[];
  readonly retries?: number;
}

/** A run whose failures are answered in turn; a hold that is asked for is set at once. */
function runWith({ then, turns, retries = 0, ...ports }: Answers) {
  const failures = new Recorder<ModelFailure>();
  const answers = [...then];
  const run: AgentRun = new AgentRun({
    turns,
    setup: { retries },
    failures: {
      afterRetries: (failure) => {
        failures.push(failure);
        return answers.shift() ?? { do: 'end' };
      },
      hold: (hold: Hold) => {
        run.holds.publish([hold]);
        return Promise.resolve();
      },
      ...ports,
    },
  });
  return { run: run.start(), failures };
}

const attempts = (run: AgentRun) =>
  run.journal.ofKind('model.intent').map(({ round, body }) => [round, body.attempt, body.model]);

test('a round that is held is asked again when the hold is lifted, as often as it takes', async () => {
  const hold: AfterRetries = { do: 'hold', hold: endpointHold };
  const turns = [fails('network'), fails('network'), fails('network'), says('done')];
  const { run } = runWith({ turns, then: [hold, hold, hold] });
  for (const failed of [1, 2, 3]) {
    await eventually(
      () => run.model.requests.items.length === failed && run.holds.current.length > 0,
    );
    await settled();
    expect(run.model.requests.items).toHaveLength(failed);
    run.holds.publish([]);
  }
  expect(await run.end()).toMatchObject({ status: 'done', text: 'done' });
  expect(attempts(run)).toEqual(Array.from({ length: 4 }, () => [1, 1, 'scripted']));
  expect(ofType(run.facts.items, 'agent.ended')[0]?.rounds).toBe(1);
});

test('the text of an attempt that ends in a hold is withdrawn', async () => {
  const { run } = runWith({ turns: [fails('cut')], then: [{ do: 'hold', hold: endpointHold }] });
  await run.facts.find(({ type }) => type === 'model.reset');
  await run.journal.committed();
  expect(run.journal.ofKind('model.reset')).toHaveLength(1);
});

test.each<[string, Partial<FailurePorts>]>([
  ['in force', {}],
  [
    'on its way',
    {
      hold: (_, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    },
  ],
])('a stop during a hold that is %s ends the turn at once', async (_, ports) => {
  const { run } = runWith({
    turns: [fails('network')],
    then: [{ do: 'hold', hold: endpointHold }],
    ...ports,
  });
  await run.facts.find(({ type }) => type === 'model.reset');
  run.send({ type: 'agent.stop', reason: 'stopped by a person' });
  expect(await run.end()).toEqual({ status: 'stopped', reason: 'stopped by a person' });
});

test('another model answers the round with attempts of its own, and the next round has the first one again', async () => {
  const { run, failures } = runWith({
    turns: [fails('overloaded'), fails('server'), calls(['one']), says('done')],
    then: [
      { do: 'again', model: 'second' },
      { do: 'again', model: 'third' },
    ],
  });
  expect(await run.end()).toMatchObject({ status: 'done' });
  expect(attempts(run)).toEqual([
    [1, 1, 'scripted'],
    [1, 1, 'second'],
    [1, 1, 'third'],
    [2, 1, 'scripted'],
  ]);
  expect(ofType(run.facts.items, 'model.routed').map(({ model }) => model)).toEqual([
    'second',
    'third',
  ]);
  expect(failures.items.map(({ model, first }) => [model, first.kind])).toEqual([
    ['scripted', 'overloaded'],
    ['second', 'overloaded'],
  ]);
});

test('a round for which another model is meant says so once', async () => {
  const run = new AgentRun({
    turns: [fails('server'), says('done')],
    modelFor: (_agent, round, configured) => (round === 1 ? 'cheap' : configured),
  }).start();
  await run.phase('backing-off');
  run.clock.increment(RETRY_MS);
  await run.end();
  expect(ofType(run.facts.items, 'model.routed')).toMatchObject([
    { agent: MAIN, round: 1, model: 'cheap' },
  ]);
});

const broken = () => {
  const conversation = startOf('count the files');
  conversation.add({ role: 'assistant', text: '', calls: [{ ...callOf('a'), invalid: '{"path' }] });
  conversation.addResult(callOf('a').id, { status: 'failed', reason: 'bad-args', text: 'no JSON' });
  return conversation;
};

test('a refused history is repaired and sent once more, never as it was', async () => {
  const run = new AgentRun({
    turns: [fails('bad-request'), fails('bad-request')],
    setup: { conversation: broken() },
  });
  expect(await run.start().end()).toMatchObject({
    status: 'model-failed',
    error: { kind: 'bad-request' },
  });
  const [first, second, ...more] = run.model.requests.items.map(({ messages }) => messages[2]);
  expect(first).toMatchObject({ calls: [{ invalid: '{"path' }] });
  expect(second).toMatchObject({ calls: [{ args: {} }] });
  expect(second).not.toMatchObject({ calls: [{ invalid: '{"path' }] });
  expect(more).toEqual([]);
});

test('a server that fails at every request for a broken history gets a repaired one', async () => {
  const run = new AgentRun({
    turns: [fails('server'), says('done')],
    setup: { conversation: broken() },
  }).start();
  await run.phase('backing-off');
  run.clock.increment(RETRY_MS);
  expect(await run.end()).toMatchObject({ status: 'done' });
  expect(run.model.requests.items[1]?.messages[2]).not.toMatchObject({
    calls: [{ invalid: '{"path' }],
  });
});

test('a sound history that is refused is not sent again', async () => {
  const run = new AgentRun({ turns: [fails('bad-request'), says('never')] }).start();
  await run.end();
  expect(run.model.requests.items).toHaveLength(1);
});

test('a conversation that is too long is asked again once after room was made', async () => {
  let rooms = 0;
  const onOverflow = (): Promise<boolean> => Promise.resolve((rooms += 1) > 0);
  const { run } = runWith({
    turns: [fails('context-overflow'), fails('context-overflow')],
    then: [],
    onOverflow,
  });
  expect(await run.end()).toMatchObject({
    status: 'model-failed',
    error: { kind: 'context-overflow' },
  });
  expect(rooms).toBe(1);
  expect(run.model.requests.items).toHaveLength(2);
});

test('where no room can be made the turn ends and says why', async () => {
  const { run } = runWith({ turns: [fails('context-overflow')], then: [] });
  expect(await run.end()).toMatchObject({
    status: 'model-failed',
    error: { kind: 'context-overflow' },
  });
});

test('a server that wants to be left alone for long is not asked in between', async () => {
  const { run, failures } = runWith({ turns: [fails('rate-limit', 61_000)], then: [], retries: 3 });
  expect(await run.end()).toMatchObject({ status: 'model-failed' });
  expect(run.model.requests.items).toHaveLength(1);
  expect(failures.items).toMatchObject([{ error: { retryAfterMs: 61_000 } }]);
});

test('to pause at once leaves a wait between attempts for the gate', async () => {
  const run = new AgentRun({ turns: [fails('server'), says('done')] }).start();
  await run.phase('backing-off');
  run.holds.publish([holdOf()]);
  run.send({ type: 'agent.abortRequest' });
  await run.phase('gated');
  expect(run.model.requests.items).toHaveLength(1);
  run.holds.publish([]);
  expect(await run.end()).toMatchObject({ status: 'done' });
});

test('a stop while it is decided what becomes of a failure ends the turn', async () => {
  const { run } = runWith({
    turns: [fails('server'), hangs],
    then: [],
    afterRetries: () => new Promise(() => undefined),
  } as Answers);
  await eventually(() => run.journal.ofKind('model.outcome').length === 1);
  run.send({ type: 'agent.stop', reason: 'enough' });
  expect(await run.end()).toEqual({ status: 'stopped', reason: 'enough' });
});

test.each<ModelErrorKind>(['auth', 'not-found', 'empty', 'network'])(
  'what becomes of a failure of kind %s is asked of the port',
  async (kind) => {
    const { run, failures } = runWith({ turns: [fails(kind)], then: [] });
    await run.end();
    expect(failures.items).toMatchObject([
      { agent: MAIN, round: 1, model: 'scripted', error: { kind } },
    ]);
  },
);
