import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import type { ModelClient } from '../../actors/ports.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { AgentRun } from '../support/agent-run.js';
import { ofType } from '../support/recorder.js';
import { calls, fails, hangs, says } from '../support/scripted-model.js';
import { holdOf, okOutcome } from '../support/session-samples.js';
import { eventually, settled } from '../support/settled.js';

const STOP = { type: 'agent.stop', reason: 'stopped by a person' } as const;
const STOPPED = { status: 'stopped', reason: 'stopped by a person' };

/** It has ended once, and does nothing more. */
async function isOver(run: AgentRun, requests: number): Promise<void> {
  expect(await run.end()).toEqual(STOPPED);
  run.holds.publish([]);
  run.clock.increment(60_000);
  await settled();
  expect(ofType(run.facts.items, 'agent.ended')).toHaveLength(1);
  expect(run.model.requests.items).toHaveLength(requests);
  expect(run.actor.getSnapshot().status).toBe('done');
  expect(run.errors).toEqual([]);
}

test('stopped while it is held, it ends without a request', async () => {
  const run = new AgentRun({ turns: [says('never')], holds: [holdOf()] }).start();
  await run.phase('gated');
  run.send(STOP);
  await isOver(run, 0);
});

test('stopped while it prepares, it ends without a request', async () => {
  const run: AgentRun = new AgentRun({
    turns: [says('never')],
    onFact: (fact) => {
      if (fact.type === 'agent.status' && fact.phase === 'preparing') run.send(STOP);
    },
  }).start();
  await isOver(run, 0);
});

test('stopped while its intent is being written, it sends no request', async () => {
  const run = new AgentRun({ turns: [says('never')] }).start();
  await run.phase('asking');
  run.send(STOP);
  await isOver(run, 0);
  expect(run.journal.ofKind('model.outcome')[0]?.body).toEqual({ status: 'withdrawn' });
});

test('stopped while the model answers, the request is aborted', async () => {
  const run = new AgentRun({ turns: [hangs] }).start();
  await eventually(() => run.model.requests.items.length === 1);
  run.send(STOP);
  await isOver(run, 1);
  expect(run.journal.ofKind('model.outcome')[0]?.body).toEqual({ status: 'cancelled' });
});

test('stopped while it waits for a retry, it does not wait on', async () => {
  const run = new AgentRun({ turns: [fails('server'), says('never')] }).start();
  await run.phase('backing-off');
  run.send(STOP);
  await isOver(run, 1);
});

test('stopped while a retry is held, it ends', async () => {
  const run = new AgentRun({ turns: [fails('server'), says('never')] }).start();
  await run.phase('backing-off');
  run.holds.publish([holdOf()]);
  run.clock.increment(60_000);
  await run.phase('gated');
  run.send(STOP);
  await isOver(run, 1);
});

test('stopped while its tools run, it ends once their outcomes are in', async () => {
  let finish: (outcome: ToolOutcome) => void = () => undefined;
  const slow = { run: () => new Promise<ToolOutcome>((resolve) => (finish = resolve)) };
  const run = new AgentRun({ turns: [calls(['slow']), says('never')], tools: { slow } }).start();
  await eventually(() => run.tools.began.length === 1);
  run.send(STOP);
  await settled();
  expect(ofType(run.facts.items, 'agent.ended')).toEqual([]);
  finish({ status: 'cancelled', text: 'Error: the call was cancelled.' });
  await isOver(run, 1);
  expect(run.conversation.openCalls).toEqual([]);
});

test('an answer whose calls were not begun when it was stopped keeps them open for a resume', async () => {
  // It answers although it was told to stop, as a server may that has the last word on its way.
  const asked = vi.fn();
  const ask: ModelClient['ask'] = async (_request, _onDelta, signal) => {
    asked();
    await once(signal, 'abort');
    return calls(['write_file', { path: 'a' }]);
  };
  const run = new AgentRun({ model: { ask } }).start();
  await eventually(() => asked.mock.calls.length === 1);
  run.send(STOP);
  expect(await run.end()).toEqual(STOPPED);
  await settled();
  expect(run.tools.began).toEqual([]);
  expect(run.conversation.openCalls.map(({ id }) => id)).toEqual(['main_1_1']);
});

test('told to stop twice, it ends once, for the first reason that it got to', async () => {
  const run = new AgentRun({ turns: [hangs] }).start();
  await eventually(() => run.model.requests.items.length === 1);
  run.send(STOP);
  run.send(STOP);
  await isOver(run, 1);
});

test('a resumed agent runs the calls that are open before it asks anything', async () => {
  const { conversation } = new AgentRun();
  conversation.add({
    role: 'assistant',
    text: '',
    calls: [
      { id: 'main_4_1' as never, name: 'one', args: {} },
      { id: 'main_4_2' as never, name: 'two', args: {} },
    ],
  });
  conversation.addResult('main_4_1' as never, okOutcome('known'));
  const run = new AgentRun({ turns: [says('done')], setup: { conversation, round: 4 } }).start();
  await run.end();
  expect(run.tools.began.map(({ name }) => name)).toEqual(['two']);
  expect(run.phases.slice(0, 2)).toEqual(['acting', 'recording']);
  expect(run.journal.ofKind('tool.intent').map(({ round }) => round)).toEqual([4]);
  expect(run.journal.ofKind('model.intent').map(({ round }) => round)).toEqual([5]);
});
