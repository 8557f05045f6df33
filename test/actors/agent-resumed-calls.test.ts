import { expect, test } from 'vitest';
import { AgentRun, startOf } from '../support/agent-run.js';
import { says } from '../support/scripted-model.js';
import { callOf, holdOf } from '../support/session-samples.js';
import { settled } from '../support/settled.js';

/** As it is after a crash: asked for, and not begun. */
function resumed(holds: readonly ReturnType<typeof holdOf>[]): AgentRun {
  const conversation = startOf('count the files');
  conversation.add({ role: 'assistant', text: '', calls: [callOf('main_1_1', 'shell')] });
  const tools = { shell: { effect: 'execute' } } as const;
  return new AgentRun({
    turns: [says('There are 3.')],
    tools,
    holds,
    setup: { conversation, round: 1 },
  }).start();
}

test('a call that a crash kept from beginning begins when the session goes on', async () => {
  const run = resumed([]);
  expect(await run.end()).toMatchObject({ status: 'done', text: 'There are 3.' });
  expect(run.tools.began.map(({ id }) => id)).toEqual(['main_1_1']);
});

test('a session that comes back held begins nothing, until its hold is lifted', async () => {
  const run = resumed([holdOf()]);
  await run.phase('gated');
  await settled();
  expect(run.tools.began).toEqual([]);
  run.holds.publish([]);
  expect(await run.end()).toMatchObject({ status: 'done' });
  expect(run.tools.began).toHaveLength(1);
});

test('stopped while it is held, it keeps its calls for another resume', async () => {
  const run = resumed([holdOf()]);
  await run.phase('gated');
  run.send({ type: 'agent.stop', reason: 'stopped by a person' });
  expect(await run.end()).toMatchObject({ status: 'stopped' });
  expect(run.tools.began).toEqual([]);
  expect(run.conversation.openCalls).toHaveLength(1);
});
