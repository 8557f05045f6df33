import { expect, test } from 'vitest';
import { AgentRun } from '../support/agent-run.js';
import { calls, says, type Turn } from '../support/scripted-model.js';

const BROKEN = calls(['shell', 'rm -rf build']);
const FINE = calls(['shell', { command: 'ls' }]);

async function run(...turns: Turn[]) {
  const agent = new AgentRun({ turns: [...turns, says('done')] }).start();
  return { agent, end: await agent.end() };
}

test('two corrections are allowed, and what is right after them counts', async () => {
  const { agent, end } = await run(BROKEN, BROKEN, FINE);
  expect(end.status).toBe('done');
  expect(agent.tools.began).toMatchObject([{ args: { command: 'ls' } }]);
});

test('a third failure in a row ends the turn, and says which tool', async () => {
  const { agent, end } = await run(BROKEN, BROKEN, BROKEN, FINE);
  expect(end).toMatchObject({ status: 'model-failed', error: { kind: 'bad-arguments' } });
  expect(JSON.stringify(end)).toContain('for the tool shell');
  expect(agent.tools.began).toEqual([]);
  // Each call has its answer all the same.
  expect(agent.conversation.messages.filter(({ role }) => role === 'tool')).toHaveLength(3);
});

test('rows of different tools do not add up, and a good call ends its row', async () => {
  const other = calls(['think', 'hm']);
  expect((await run(BROKEN, other, BROKEN, other)).end.status).toBe('done');
  expect((await run(BROKEN, BROKEN, FINE, BROKEN, BROKEN)).end.status).toBe('done');
});

test('several broken calls in one answer are one failure', async () => {
  const many = calls(['shell', 'a'], ['shell', 'b'], ['shell', 'c']);
  expect((await run(many, many)).end.status).toBe('done');
});

test('a person who speaks gives the model another chance', async () => {
  const agent: AgentRun = new AgentRun({
    turns: [
      BROKEN,
      BROKEN,
      () => {
        agent.send({ type: 'agent.say', text: 'Use JSON.', mode: 'steer', source: 1 });
        return BROKEN;
      },
      FINE,
      says('done'),
    ],
  });
  agent.start();
  expect((await agent.end()).status).toBe('done');
});

test('repaired arguments run, and what the model wrote is kept beside them', async () => {
  const repairedFrom = "{'command':'ls'}";
  const asked = { id: 'a', name: 'shell', argumentsText: '{"command":"ls"}', repairedFrom };
  const { agent } = await run(says('', { calls: [asked], finish: 'calls' }));
  expect(agent.tools.began).toMatchObject([{ args: { command: 'ls' }, repairedFrom }]);
});

test('arguments that were cut off are never run', async () => {
  const asked = { id: 'a', name: 'shell', argumentsText: '{"command":"ls', cut: true } as const;
  const { agent } = await run(says('', { calls: [asked], finish: 'calls' }));
  expect(agent.tools.began).toEqual([]);
  const assistant = agent.conversation.messages.find(({ role }) => role === 'assistant');
  expect(assistant).toMatchObject({ calls: [{ args: {}, invalid: '{"command":"ls', cut: true }] });
});

test('what the server wants back, and what a person should know, travel with the answer', async () => {
  const carried = { protocol: 'p', model: 'm', blocks: [{ type: 'thinking' }] };
  const { agent } = await run(says('done', { carried, notices: ['It was cut.'] }));
  expect(agent.conversation.messages.at(-1)).toMatchObject({ carried });
  expect(agent.facts.items).toContainEqual(
    expect.objectContaining({ type: 'agent.said', notices: ['It was cut.'] }),
  );
});
