import { expect, test } from 'vitest';
import { openRouterProtocol } from '../../src/model/openrouter-protocol.js';
import { askServer, CONVERSATION, QUESTION } from '../support/model-conversation.js';
import { jsonServer, sendJson, sendText } from '../support/http-server.js';
import { delta, DONE, pieces, streamOf } from './chunks.js';
import { assemble } from './reading.js';

const OPENROUTER = { apiKey: 'test-key-123', settings: { protocol: 'openrouter' as const } };

const serveStream = (...chunks: readonly unknown[]) =>
  jsonServer((_, response) =>
    sendText(
      response,
      'text/event-stream',
      streamOf(': OPENROUTER PROCESSING\n\n', ...chunks, DONE),
    ),
  );

const detail = (fields: object) => delta({ reasoning_details: [fields] });

test('a request says who asks, and carries plugins and reasoning as configured', async () => {
  const server = await serveStream(delta({ content: 'yes' }, 'stop'));
  const settings = {
    ...OPENROUTER.settings,
    plugins: ['web', 'response-healing'],
    reasoningEffort: 'low',
    hideReasoning: true,
    headers: { 'X-Team': 'blue' },
  };
  await askServer(`${server.root}/api/v1`, { ...OPENROUTER, settings });
  expect(server.asked[0]).toMatchObject({
    path: '/api/v1/chat/completions',
    headers: {
      authorization: 'Bearer test-key-123',
      'http-referer': 'http://localhost',
      'x-title': 'ouro',
      'x-team': 'blue',
    },
    body: {
      plugins: [{ id: 'web' }, { id: 'response-healing' }],
      reasoning: { effort: 'low', exclude: true },
      usage: { include: true },
    },
  });
});

test('without settings nothing is asked for', async () => {
  const server = await serveStream(delta({ content: 'yes' }, 'stop'));
  await askServer(server.root, OPENROUTER);
  expect(server.asked[0]?.body).not.toHaveProperty('plugins');
  expect(server.asked[0]?.body).not.toHaveProperty('reasoning');
});

test('what it cost is what the server says', async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 1, cost: 0.0125 };
  const server = await serveStream(delta({ content: 'yes' }, 'stop'), { choices: [], usage });
  const { outcome } = await askServer(server.root, OPENROUTER);
  expect(outcome).toMatchObject({ reply: { usage: { costUsd: 0.0125 } } });
});

test('the sources of a search stand below the answer, each once', async () => {
  const cite = (url: string, title: string) =>
    delta({ annotations: [{ type: 'url_citation', url_citation: { url, title } }] });
  const server = await serveStream(
    delta({ content: 'It rains.' }),
    cite('https://example.com/a', 'Weather'),
    cite('https://example.com/a', 'Weather'),
    cite('https://example.com/b', ''),
    delta({}, 'stop'),
  );
  const { outcome } = await askServer(server.root, OPENROUTER);
  const text = 'It rains.\n\nSources:\n- Weather: https://example.com/a\n- https://example.com/b';
  expect(outcome).toMatchObject({ reply: { text } });
});

test('reasoning in pieces is put together, and goes back with the calls it led to', async () => {
  const server = await serveStream(
    detail({ type: 'reasoning.text', index: 0, text: 'Look ', signature: null }),
    detail({ type: 'reasoning.text', index: 0, text: 'first.', signature: 'sig' }),
    detail({ type: 'reasoning.encrypted', index: 1, data: 'abc' }),
    pieces({ id: 'a', index: 0, name: 'shell', args: '{}' }),
    delta({}, 'tool_calls'),
  );
  const { outcome } = await askServer(server.root, OPENROUTER);
  const blocks = [
    { type: 'reasoning.text', index: 0, text: 'Look first.', signature: 'sig' },
    { type: 'reasoning.encrypted', index: 1, data: 'abc' },
  ];
  const carried = { protocol: 'openrouter', model: 'small', blocks };
  expect(outcome).toMatchObject({ reply: { reasoning: 'Look first.', carried } });
  const messages = CONVERSATION.map((message) =>
    message.role === 'assistant' ? { ...message, carried } : message,
  );
  for (const model of ['small', 'other'])
    await askServer(server.root, OPENROUTER, { ...QUESTION, model, messages });
  const [, same, other] = server.asked.map(({ body }) => body['messages']);
  expect(same).toMatchObject({ 2: { role: 'assistant', reasoning_details: blocks } });
  expect(JSON.stringify(other)).not.toContain('reasoning_details');
});

test('a chunk that holds nothing but details is not said twice', async () => {
  const stream = streamOf(
    delta({ content: 'One' }),
    detail({ type: 'reasoning.encrypted', data: 'x' }),
    delta({ content: ' two' }, 'stop'),
  );
  const server = await serveStream(stream);
  const { deltas } = await askServer(server.root, OPENROUTER);
  expect(deltas.map(({ text }) => text)).toEqual(['One', ' two']);
  expect((await assemble([Buffer.from(stream)], openRouterProtocol)).text).toBe('One two');
});

test('an error says what the provider behind it said', async () => {
  const metadata = { provider_name: 'Somebody', raw: 'the model is busy' };
  const server = await jsonServer((_, response) =>
    sendJson(response, 429, { error: { code: 429, message: 'Provider returned error', metadata } }),
  );
  const { outcome } = await askServer(server.root, OPENROUTER);
  expect(outcome).toMatchObject({ error: { kind: 'rate-limit', httpStatus: 429 } });
  expect(JSON.stringify(outcome)).toContain('Provider returned error: the model is busy');
});
