import { expect, test } from 'vitest';
import { said, streamOf } from './chunks.js';
import { clientFor, EVENT_STREAM, REQUEST, serve } from './server.js';

const TOOLS = ['shell', 'think'].map((name) => ({
  name,
  description: name,
  parameters: { type: 'object' },
}));

async function ask(text: string, textCalls = true, finish = 'stop') {
  const server = await serve((response) => {
    response.writeHead(200, EVENT_STREAM);
    response.end(streamOf(said(text), said('', finish)));
  });
  const client = clientFor(server.url, { settings: { textCalls } });
  const request = { ...REQUEST, tools: TOOLS };
  const outcome = await client.ask(request, () => {}, new AbortController().signal);
  if (outcome.status !== 'ok') throw new Error(outcome.status);
  const { text: left, calls, finish: ended, notices } = outcome.reply;
  return {
    ...(notices === undefined ? {} : { notices }),
    left,
    ended,
    calls: calls.map(({ name, argumentsText }) => `${name} ${argumentsText}`),
  };
}

const LS = '{"name":"shell","arguments":{"command":"ls"}}';

test.each([
  ['tags', `Look:\n<tool_call>\n${LS}\n</tool_call>`, 'Look:'],
  ['a fence', `Look:\n\`\`\`json\n${LS}\n\`\`\``, 'Look:'],
  ['nothing around it', ` ${LS}\n`, ''],
  ['parameters instead of arguments', LS.replace('arguments', 'parameters'), ''],
])('a call in %s counts where the endpoint is known to write so', async (_, text, left) => {
  expect(await ask(text)).toEqual({ left, ended: 'calls', calls: ['shell {"command":"ls"}'] });
});

test('several calls keep their order', async () => {
  const tagged = (call: string) => `<tool_call>${call}</tool_call>`;
  const think = '{"name":"think","arguments":"{\'thought\':\'x\'}"}';
  const { calls } = await ask(tagged(LS) + tagged(think));
  expect(calls).toEqual(['shell {"command":"ls"}', 'think {"thought":"x"}']);
});

test.each([
  ['the name of no tool', LS.replace('shell', 'rm')],
  ['no arguments', '{"name":"shell"}'],
  ['a call that was cut off', `<tool_call>${LS.slice(0, -4)}`],
  ['other JSON', '```json\n{"name":"ouro","version":"1"}\n```'],
])('%s stays text', async (_, text) => {
  expect(await ask(text)).toMatchObject({ left: text, calls: [] });
});

test('without the setting all of it is text, and a person is told of the setting', async () => {
  const { notices, ...rest } = await ask(LS, false);
  expect(rest).toEqual({ left: LS, ended: 'stop', calls: [] });
  expect(notices).toEqual([expect.stringContaining('text_calls = true')]);
});

test('a limit that was reached is not forgotten', async () => {
  expect(await ask(LS, true, 'length')).toMatchObject({ ended: 'length' });
});

test('openings without end cost no more than their length', async () => {
  const text = '<tool_call>'.repeat(90_000) + '```'.repeat(90_001);
  expect((await ask(text)).calls).toEqual([]);
});
