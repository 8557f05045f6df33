import { expect, test } from 'vitest';
import { AgentRun } from '../support/agent-run.js';
import { ofType } from '../support/recorder.js';
import { calls, says } from '../support/scripted-model.js';
import { MAIN, okOutcome } from '../support/session-samples.js';
import { eventually } from '../support/settled.js';
import type { ToolOutcome } from '../../messages/tools.js';

test('a goal goes to the model, its calls to the tools, and the results back to the model', async () => {
  const run = new AgentRun({
    turns: [calls(['list_dir', { path: '.' }]), says('There are 3 files.')],
    tools: { list_dir: { run: () => okOutcome('a b c') } },
  }).start();
  expect(await run.end()).toEqual({ status: 'done', text: 'There are 3 files.', denied: [] });
  expect(run.model.requests.items.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
    ['system', 'user'],
    ['system', 'user', 'assistant', 'tool'],
  ]);
  expect(run.model.requests.items[1]?.messages.at(-1)).toEqual({
    role: 'tool',
    callId: 'main_1_1',
    name: 'list_dir',
    text: 'a b c',
  });
  expect(run.phases).toEqual([
    'preparing',
    'asking',
    'acting',
    'recording',
    'preparing',
    'asking',
    'recording',
    'preparing',
  ]);
  expect(run.actor.getSnapshot().status).toBe('done');
  expect(run.errors).toEqual([]);
});

test('the journal has the intent of each request before its outcome, and the answer before its calls', async () => {
  const run = new AgentRun({ turns: [calls(['list_dir']), says('done')] }).start();
  await run.end();
  expect(run.journal.kinds).toEqual([
    'model.intent',
    'model.outcome',
    'message.added',
    'tool.intent',
    'tool.outcome',
    'model.intent',
    'model.outcome',
    'message.added',
  ]);
  expect(run.journal.rows.map(({ round }) => round)).toEqual([1, 1, 1, 1, 1, 2, 2, 2]);
});

test('the request is on disk before it is sent', async () => {
  let committed: readonly string[] = [];
  const run = new AgentRun({
    turns: [
      () => {
        committed = run.journal.kinds;
        return says('done');
      },
    ],
  }).start();
  await run.end();
  expect(committed).toEqual(['model.intent']);
});

test('calls of one answer run side by side, and their results go back in call order', async () => {
  const finish: Record<string, (outcome: ToolOutcome) => void> = {};
  const later = (name: string) => ({
    run: () => new Promise<ToolOutcome>((resolve) => (finish[name] = resolve)),
  });
  const run = new AgentRun({
    turns: [calls(['one'], ['two'], ['three']), says('done')],
    tools: { one: later('one'), two: later('two'), three: later('three') },
  }).start();
  await eventually(() => Object.keys(finish).length === 3);
  for (const name of ['three', 'one', 'two']) finish[name]?.(okOutcome(`${name} is ready`));
  await run.end();
  const results = run.conversation.messages.filter(({ role }) => role === 'tool');
  expect(results.map(({ text }) => text)).toEqual([
    'one is ready',
    'two is ready',
    'three is ready',
  ]);
  const [assistant] = run.conversation.messages.filter((m) => m.role === 'assistant');
  expect(assistant?.calls.map(({ id }) => id)).toEqual(['main_1_1', 'main_1_2', 'main_1_3']);
});

test('watchers are told of text while it comes, of the whole answer, and of its tokens', async () => {
  const run = new AgentRun({ turns: [says('Three.', { reasoning: 'I count.' })] }).start();
  await run.end();
  expect(run.deltas).toEqual([
    { type: 'agent.delta', agent: MAIN, round: 1, kind: 'text', text: 'Three.' },
  ]);
  const { items } = run.facts;
  expect(ofType(items, 'agent.said')).toMatchObject([
    { text: 'Three.', reasoning: 'I count.', calls: [], round: 1 },
  ]);
  expect(ofType(items, 'model.used')).toMatchObject([
    { model: 'scripted-1', usage: { promptTokens: 10, completionTokens: 5 } },
  ]);
  expect(ofType(items, 'agent.ended')).toMatchObject([{ rounds: 1 }]);
});

test('a server that reports no tokens counts as none, and the journal keeps that it did not', async () => {
  const run = new AgentRun({ turns: [says('Three.', { usage: null })] }).start();
  await run.end();
  expect(ofType(run.facts.items, 'model.used')[0]?.usage.promptTokens).toBe(0);
  expect(run.journal.ofKind('model.outcome')[0]?.body).toMatchObject({ usage: null });
});

test('the limit of rounds ends the turn, with the last words there are', async () => {
  const run = new AgentRun({
    turns: [calls(['one']), says('So far one file.'), says('never asked')],
    setup: { maxRounds: 1 },
  }).start();
  expect(await run.end()).toEqual({ status: 'round-limit', limit: 1, text: '' });
  expect(run.model.requests.items).toHaveLength(1);
});

test('the limit counts the rounds of this run, not those of its past', async () => {
  const run = new AgentRun({
    turns: [calls(['one']), calls(['one']), calls(['one'])],
    setup: { maxRounds: 2, round: 40 },
  }).start();
  expect(await run.end()).toMatchObject({ status: 'round-limit', limit: 2 });
  expect(run.journal.ofKind('model.intent').map(({ round }) => round)).toEqual([41, 42]);
});

test('a turn whose last allowed round was its last is done, not limited', async () => {
  const run = new AgentRun({ turns: [says('done')], setup: { maxRounds: 1 } }).start();
  expect(await run.end()).toMatchObject({ status: 'done' });
});

test.each([
  ['done', { status: 'done', text: 'All counted.', denied: [] }],
  ['partial', { status: 'partial', text: 'All counted.' }],
  ['blocked', { status: 'blocked', text: 'All counted.', denied: false }],
])('work submitted as %s ends the turn so, without a further request', async (outcome, end) => {
  const submitted = ['submit', { summary: 'All counted.', outcome }] as const;
  const run = new AgentRun({ turns: [calls(submitted), says('never asked')] }).start();
  expect(await run.end()).toEqual(end);
  expect(run.model.requests.items).toHaveLength(1);
});

test('work blocked by a denied call says so', async () => {
  const run = new AgentRun({
    turns: [
      calls(['shell', { command: 'rm x' }]),
      calls(['submit', { summary: 'Not allowed.', outcome: 'blocked' }]),
    ],
    tools: { shell: { run: () => ({ status: 'denied', rule: 'default', text: 'denied' }) } },
  }).start();
  expect(await run.end()).toEqual({ status: 'blocked', text: 'Not allowed.', denied: true });
});

test('an answer cut off at the token limit is asked to go on', async () => {
  const run = new AgentRun({
    turns: [says('One, two', { finish: 'length' }), says(', three.')],
  }).start();
  await run.end();
  expect(run.conversation.messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'user',
    'assistant',
  ]);
  expect(run.conversation.messages[3]).toMatchObject({ role: 'user', origin: 'harness' });
});

test('an answer that is cut off again and again is asked to go on three times', async () => {
  const cut = says('more', { finish: 'length' });
  const run = new AgentRun({ turns: [cut, cut, cut, cut, cut, cut] }).start();
  expect(await run.end()).toMatchObject({ status: 'done' });
  expect(run.model.requests.items).toHaveLength(4);
});

test('calls that a cut answer still holds are answered, and the turn goes on', async () => {
  const answer = calls(['one']);
  if (answer.status !== 'ok') throw new Error('it is one');
  const cut = { ...answer, reply: { ...answer.reply, finish: 'length' as const } };
  const run = new AgentRun({ turns: [cut, says('done')] }).start();
  await run.end();
  expect(run.conversation.messages.map(({ role }) => role).slice(2)).toEqual([
    'assistant',
    'tool',
    'assistant',
  ]);
});
