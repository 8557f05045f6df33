import { expect, test } from 'vitest';
import type { ToolOutcome } from '../../messages/tools.js';
import { AgentRun } from '../support/agent-run.js';
import { ofType } from '../support/recorder.js';
import { calls, hangs, says } from '../support/scripted-model.js';
import { holdOf, okOutcome } from '../support/session-samples.js';
import { eventually } from '../support/settled.js';

const said = (run: AgentRun): string[] =>
  run.conversation.messages.flatMap((m) => (m.role === 'user' ? [`${m.origin}: ${m.text}`] : []));

test('a person can steer: the words stand in the next request', async () => {
  let finish: (outcome: ToolOutcome) => void = () => undefined;
  const slow = { run: () => new Promise<ToolOutcome>((resolve) => (finish = resolve)) };
  const run = new AgentRun({ turns: [calls(['slow']), says('done')], tools: { slow } }).start();
  await eventually(() => run.tools.began.length === 1);
  run.send({ type: 'agent.say', text: 'only the small ones', mode: 'steer', source: 7 });
  finish(okOutcome());
  await run.end();
  expect(run.model.requests.items[1]?.messages.slice(-2)).toMatchObject([
    { role: 'tool' },
    { role: 'user', text: 'only the small ones', origin: 'steer' },
  ]);
});

test('queued words wait for the end of the turn, and then begin another', async () => {
  const run = new AgentRun({
    turns: [calls(['one']), says('first done'), says('second done')],
    holds: [holdOf()],
  }).start();
  run.send({ type: 'agent.say', text: 'then count again', mode: 'queue', source: 7 });
  run.holds.publish([]);
  expect(await run.end()).toMatchObject({ status: 'done', text: 'second done' });
  expect(said(run)).toEqual(['goal: count the files', 'queue: then count again']);
  expect(run.model.requests.items.map(({ messages }) => messages.at(-1)?.role)).toEqual([
    'user',
    'tool',
    'user',
  ]);
});

test('words that come while the model answers are read before the turn is over', async () => {
  const run = new AgentRun({
    turns: [
      () => {
        run.send({ type: 'agent.say', text: 'wait', mode: 'steer', source: 7 });
        return says('I am done.');
      },
      says('Now I am.'),
    ],
  }).start();
  expect(await run.end()).toMatchObject({ status: 'done', text: 'Now I am.' });
});

test('words after submitted work open the turn again', async () => {
  const run = new AgentRun({
    turns: [
      () => {
        run.send({ type: 'agent.say', text: 'one more', mode: 'queue', source: 7 });
        return calls(['submit', { summary: 'first', outcome: 'partial' }]);
      },
      calls(['submit', { summary: 'second', outcome: 'done' }]),
    ],
  }).start();
  expect(await run.end()).toMatchObject({ status: 'done', text: 'second' });
});

test('words are kept in the order they were said, and each names its row in the journal', async () => {
  const run = new AgentRun({ turns: [says('done')], holds: [holdOf()] }).start();
  for (const [i, text] of ['a', 'b', 'c'].entries())
    run.send({ type: 'agent.say', text, mode: 'steer', source: 10 + i });
  run.holds.publish([]);
  await run.end();
  expect(said(run).slice(1)).toEqual(['steer: a', 'steer: b', 'steer: c']);
  expect(run.journal.ofKind('message.added').map(({ body }) => body.source)).toEqual([
    10,
    11,
    12,
    undefined,
  ]);
  expect(ofType(run.facts.items, 'agent.heard').map(({ text }) => text)).toEqual(['a', 'b', 'c']);
});

test('words said during a request that is then aborted are in the one that follows', async () => {
  const run = new AgentRun({ turns: [hangs, says('done')] }).start();
  await eventually(() => run.model.requests.items.length === 1);
  run.send({ type: 'agent.say', text: 'otherwise', mode: 'steer', source: 7 });
  run.send({ type: 'agent.abortRequest' });
  await run.end();
  expect(run.model.requests.items[1]?.messages.at(-1)).toMatchObject({ text: 'otherwise' });
});
