import { expect, test } from 'vitest';
import { EVENT_STREAM, REQUEST, askOnce, clientFor, fixture, serve } from './server.js';
import type { TestServer } from './server.js';

const serveReply = (): Promise<TestServer> =>
  serve((response) => {
    response.writeHead(200, EVENT_STREAM);
    response.end(fixture('finished-without-done'));
  });

const bodyOf = (server: TestServer): unknown => JSON.parse(server.received[0]?.body ?? 'null');

test('a request asks for a stream with usage, and says who asks', async () => {
  const server = await serveReply();
  await askOnce(`${server.url}/`, { apiKey: 'secret-key\n' });
  expect(bodyOf(server)).toEqual({
    model: 'test-model',
    messages: [{ role: 'user', content: 'hello' }],
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(server.received[0]).toMatchObject({
    url: '/v1/chat/completions',
    headers: {
      authorization: 'Bearer secret-key',
      'x-ouro-agent': 'main',
      'user-agent': 'ouro/1.2.3',
    },
  });
  expect(server.received[0]?.headers).not.toHaveProperty('http-referer');
});

test('without a key none is sent, whatever the environment holds', async () => {
  const server = await serveReply();
  await askOnce(server.url);
  expect(server.received[0]?.headers).not.toHaveProperty('authorization');
  expect(server.received[0]?.headers).not.toHaveProperty('openai-organization');
});

test('tools, temperature and the limit of a reply are sent when they are set', async () => {
  const server = await serveReply();
  const tools = [{ name: 'think', description: 'Think.', parameters: { type: 'object' } }];
  const client = clientFor(server.url, { temperature: 0, maxTokens: 100 });
  await client.ask({ ...REQUEST, tools }, () => {}, new AbortController().signal);
  expect(bodyOf(server)).toMatchObject({
    tools: [{ type: 'function', function: { name: 'think' } }],
    temperature: 0,
    max_tokens: 100,
  });
});

test.each([
  [{}, 30, 30],
  [{ maxTokens: 100 }, 30, 30],
  [{ maxTokens: 20 }, 30, 20],
])('with %j configured, a request for at most %i tokens asks for %i', async (set, own, sent) => {
  const server = await serveReply();
  const client = clientFor(server.url, set);
  await client.ask({ ...REQUEST, maxTokens: own }, () => {}, new AbortController().signal);
  expect(bodyOf(server)).toMatchObject({ max_tokens: sent });
});

test('the same request has the same bytes', async () => {
  const server = await serveReply();
  const client = clientFor(server.url);
  const signal = new AbortController().signal;
  await client.ask(REQUEST, () => {}, signal);
  await client.ask(structuredClone(REQUEST), () => {}, signal);
  expect(server.received).toHaveLength(2);
  expect(server.received[1]?.body).toBe(server.received[0]?.body);
});

test('a redirect to another server does not take the key with it', async () => {
  const other = await serveReply();
  const server = await serve((response) => {
    response.writeHead(307, { location: `${other.url}/chat/completions` });
    response.end();
  });
  const { outcome } = await askOnce(server.url, { apiKey: 'secret-key' });
  expect(outcome.status).toBe('ok');
  expect(other.received[0]?.headers).not.toHaveProperty('authorization');
});

test('one client answers several at once', async () => {
  const server = await serveReply();
  const client = clientFor(server.url);
  await client.warm();
  const { signal } = new AbortController();
  const asks = [1, 2, 3].map(() => client.ask(REQUEST, () => {}, signal));
  const outcomes = await Promise.all(asks);
  expect(outcomes.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
});
