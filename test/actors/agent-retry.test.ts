import { expect, test } from 'vitest';
import { AgentRun, RETRY_MS } from '../support/agent-run.js';
import { ofType } from '../support/recorder.js';
import { calls, fails, hangs, says } from '../support/scripted-model.js';
import { holdOf, MAIN, START } from '../support/session-samples.js';
import { eventually, settled } from '../support/settled.js';
import type { ModelErrorKind } from '../../messages/model.js';

const requests = (run: AgentRun): number => run.model.requests.items.length;

test('a request that failed for a moment is made again after a wait', async () => {
  const run = new AgentRun({ turns: [fails('server'), says('done')] }).start();
  await run.phase('backing-off');
  await settled();
  expect(requests(run)).toBe(1);
  run.clock.increment(RETRY_MS - 1);
  await settled();
  expect(requests(run)).toBe(1);
  run.clock.increment(1);
  expect(await run.end()).toMatchObject({ status: 'done', text: 'done' });
  expect(ofType(run.facts.items, 'agent.ended')[0]?.rounds).toBe(1);
});

test('the text of a failed attempt is withdrawn, and the wait is said and written', async () => {
  const run = new AgentRun({ turns: [fails('cut'), says('done')] }).start();
  await run.phase('backing-off');
  expect(ofType(run.facts.items, 'model.reset')).toEqual([
    {
      type: 'model.reset',
      agent: MAIN,
      round: 1,
      attempt: 1,
      error: { kind: 'cut', message: 'the server said: cut' },
      retryInMs: RETRY_MS,
      at: START,
    },
  ]);
  const waiting = ofType(run.facts.items, 'agent.status').at(-1);
  expect(waiting).toMatchObject({ detail: 'the server said: cut', until: START + RETRY_MS });
  run.clock.increment(RETRY_MS);
  await run.end();
  expect(run.journal.ofKind('model.reset')[0]?.body).toMatchObject({
    attempt: 1,
    retryInMs: RETRY_MS,
  });
  expect(run.conversation.messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
  ]);
});

test('all attempts of a request belong to one round, and the next round starts to count anew', async () => {
  const turns = [
    fails('server'),
    fails('overloaded'),
    calls(['one']),
    fails('network'),
    says('done'),
  ];
  const run = new AgentRun({ turns }).start();
  for (const [failures, wait] of [
    [1, RETRY_MS],
    [2, 2 * RETRY_MS],
    [3, RETRY_MS],
  ] as const) {
    await run.facts.first(failures, ({ type }) => type === 'model.reset');
    await settled(2);
    run.clock.increment(wait);
  }
  await run.end();
  const intents = run.journal.ofKind('model.intent');
  expect(intents.map(({ round, body }) => [round, body.attempt])).toEqual([
    [1, 1],
    [1, 2],
    [1, 3],
    [2, 1],
    [2, 2],
  ]);
});

test('what the server asks for decides how long the wait is', async () => {
  const run = new AgentRun({ turns: [fails('rate-limit', 40), says('done')] }).start();
  await run.phase('backing-off');
  run.clock.increment(40);
  expect(await run.end()).toMatchObject({ status: 'done' });
});

test('when the retries are used up the turn ends with the error', async () => {
  const run = new AgentRun({ turns: [], setup: { retries: 2 }, model: brokenModel() }).start();
  for (const failures of [1, 2]) {
    await run.facts.first(failures, ({ type }) => type === 'model.reset');
    await settled(2);
    run.clock.increment(failures * RETRY_MS);
  }
  expect(await run.end()).toEqual({
    status: 'model-failed',
    error: { kind: 'server', message: 'the server said: server' },
  });
  expect(run.journal.ofKind('model.outcome').map(({ body }) => body.status)).toEqual([
    'failed',
    'failed',
    'failed',
  ]);
});

const brokenModel = () => ({ ask: () => Promise.resolve(fails('server')) });

test.each<ModelErrorKind>(['auth', 'not-found', 'bad-request', 'context-overflow'])(
  'an error of kind %s is final at once',
  async (kind) => {
    const run = new AgentRun({ turns: [fails(kind), says('never asked')] }).start();
    expect(await run.end()).toMatchObject({ status: 'model-failed', error: { kind } });
    expect(requests(run)).toBe(1);
    expect(ofType(run.facts.items, 'model.reset')).toEqual([]);
  },
);

test('a hold that comes during the wait keeps the next attempt back until it is lifted', async () => {
  const run = new AgentRun({ turns: [fails('server'), says('done')] }).start();
  await run.phase('backing-off');
  run.holds.publish([holdOf()]);
  run.clock.increment(RETRY_MS);
  await run.phase('gated');
  await settled();
  expect(requests(run)).toBe(1);
  run.holds.publish([]);
  expect(await run.end()).toMatchObject({ status: 'done' });
  expect(run.journal.ofKind('model.intent').map(({ body }) => body.attempt)).toEqual([1, 2]);
});

test('nothing starts while a hold is set', async () => {
  const run = new AgentRun({ turns: [says('done')], holds: [holdOf()] }).start();
  await settled();
  expect(run.phases).toEqual(['gated']);
  expect(requests(run)).toBe(0);
  run.holds.publish([]);
  expect(await run.end()).toMatchObject({ status: 'done' });
});

test('a hold of somebody else does not stop it', async () => {
  const other = holdOf({ scope: 'sub-7' as typeof MAIN });
  const run = new AgentRun({ turns: [says('done')], holds: [other] }).start();
  expect(await run.end()).toMatchObject({ status: 'done' });
});

test('a hold that comes just before the request withdraws it, and its round is still to come', async () => {
  const run = new AgentRun({ turns: [says('done')] });
  // Between the intent's append and its commit.
  run.facts
    .find((fact) => fact.type === 'agent.status' && fact.phase === 'asking')
    .then(
      () => run.holds.publish([holdOf()]),
      () => undefined,
    );
  run.start();
  await run.phase('gated');
  await settled();
  expect(requests(run)).toBe(0);
  expect(run.journal.ofKind('model.outcome').map(({ body }) => body)).toEqual([
    { status: 'withdrawn' },
  ]);
  run.holds.publish([]);
  expect(await run.end()).toMatchObject({ status: 'done' });
  expect(run.journal.ofKind('model.intent').map(({ round }) => round)).toEqual([1, 1]);
  expect(ofType(run.facts.items, 'agent.ended')[0]?.rounds).toBe(1);
});

test('an aborted request is asked again once the gate is open', async () => {
  const run = new AgentRun({ turns: [hangs, says('done')] }).start();
  await eventually(() => requests(run) === 1);
  run.holds.publish([holdOf()]);
  run.send({ type: 'agent.abortRequest' });
  await run.phase('gated');
  expect(requests(run)).toBe(1);
  await eventually(() => run.journal.ofKind('model.outcome').length === 1);
  expect(run.journal.ofKind('model.outcome')[0]?.body).toEqual({ status: 'cancelled' });
  run.holds.publish([]);
  expect(await run.end()).toMatchObject({ status: 'done' });
  expect(run.journal.ofKind('model.intent').map(({ round }) => round)).toEqual([1, 1]);
});

test('to abort a request while none is under way changes nothing', async () => {
  const run = new AgentRun({ turns: [says('done')], holds: [holdOf()] }).start();
  run.send({ type: 'agent.abortRequest' });
  run.holds.publish([]);
  expect(await run.end()).toMatchObject({ status: 'done' });
  expect(requests(run)).toBe(1);
});
