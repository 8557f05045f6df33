import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  EVENT_STREAM,
  REQUEST,
  askOnce,
  clientFor,
  event,
  fixture,
  serve,
  textEvent,
} from './server.js';

/** Short, for limits that a test waits for. */
const SOON_MS = 80;

const begin = (response: ServerResponse, body = ''): void => {
  response.writeHead(200, EVENT_STREAM);
  response.flushHeaders();
  if (body !== '') response.write(body);
};

/** The SDK takes longer to load than the limits here. */
async function askWithLimits(url: string, limits: object) {
  await clientFor(url).warm();
  return askOnce(url, limits);
}

test('a server that never answers is given up at the limit for the first token', async () => {
  const server = await serve(() => {});
  const { outcome } = await askWithLimits(server.url, { firstTokenTimeoutMs: SOON_MS });
  expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'stalled' } });
  expect(JSON.stringify(outcome)).toContain('limit for the first token');
});

test('headers alone, comments and empty chunks are no first token', async () => {
  const server = await serve(async (response) => {
    begin(response);
    while (!response.destroyed) {
      response.write(': keep-alive\n\n');
      response.write(event({ choices: [{ delta: { role: 'assistant', content: '' } }] }));
      await delay(10);
    }
  });
  const { outcome } = await askWithLimits(server.url, { firstTokenTimeoutMs: SOON_MS });
  expect(outcome).toMatchObject({ error: { kind: 'stalled' } });
});

test('silence in the middle is given up, although comments keep coming', async () => {
  const server = await serve(async (response) => {
    begin(response, textEvent('Let me'));
    while (!response.destroyed) {
      response.write(': keep-alive\n\n');
      await delay(10);
    }
  });
  const { outcome, deltas } = await askWithLimits(server.url, { silenceTimeoutMs: SOON_MS });
  expect(deltas).toEqual([{ kind: 'text', text: 'Let me' }]);
  expect(outcome).toMatchObject({ error: { kind: 'stalled' } });
  expect(JSON.stringify(outcome)).toContain('limit for silence');
});

test('a reply that says it is finished counts even if nothing ends it', async () => {
  const server = await serve((response) => begin(response, textEvent('Done.', 'stop')));
  const { outcome } = await askWithLimits(server.url, { silenceTimeoutMs: SOON_MS });
  expect(outcome).toMatchObject({ status: 'ok', reply: { text: 'Done.', finish: 'stop' } });
});

test('no limit is a limit that is never reached', async () => {
  const server = await serve((response) => {
    begin(response, textEvent('Done.', 'stop'));
    response.end();
  });
  const limits = { firstTokenTimeoutMs: Infinity, silenceTimeoutMs: Infinity };
  expect((await askWithLimits(server.url, limits)).outcome).toMatchObject({ status: 'ok' });
});

test('a stream that ends in the middle is cut', async () => {
  const server = await serve((response) => {
    begin(response, textEvent('Let me'));
    response.end();
  });
  const { outcome } = await askOnce(server.url);
  expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'cut' } });
});

test('a connection that breaks in the middle of a call is cut', async () => {
  const server = await serve(async (response) => {
    const half = fixture('openai-two-calls').toString('utf8').slice(0, 900);
    begin(response, half);
    await delay(20);
    response.destroy();
  });
  const { outcome } = await askOnce(server.url);
  expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'cut' } });
});

test('a connection that breaks after the reply was finished does not lose the reply', async () => {
  const server = await serve(async (response) => {
    begin(response, textEvent('Done.', 'stop'));
    await delay(20);
    response.destroy();
  });
  const { outcome } = await askOnce(server.url);
  expect(outcome).toMatchObject({ status: 'ok', reply: { text: 'Done.' } });
});

test.each([
  ['no body at all', ''],
  ['only a comment', ': hello\n\n'],
  ['only the end', 'data: [DONE]\n\n'],
  ['an empty message', textEvent('', 'stop')],
  ['a message of blanks', textEvent(' \n', 'stop')],
  [
    'reasoning and nothing else',
    event({ choices: [{ delta: { reasoning: 'hm' }, finish_reason: 'stop' }] }),
  ],
  ['a limit reached too early', textEvent('', 'length')],
  ['a filtered message', textEvent('', 'content_filter')],
])('an answer of %s is empty', async (_, body) => {
  const server = await serve((response) => {
    begin(response);
    response.end(body);
  });
  const { outcome } = await askOnce(server.url);
  expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'empty' } });
});

test('a request that is cancelled before it begins is never sent', async () => {
  const server = await serve((response) => begin(response));
  const { outcome } = await askOnce(server.url, {}, AbortSignal.abort());
  expect(outcome).toEqual({ status: 'cancelled' });
  expect(server.received).toHaveLength(0);
});

test('cancelling ends a request whose server has not even sent headers', async () => {
  const controller = new AbortController();
  const server = await serve(() => controller.abort());
  const { outcome } = await askOnce(server.url, {}, controller.signal);
  expect(outcome).toEqual({ status: 'cancelled' });
});

test('cancelling in the middle closes the connection, and no delta follows', async () => {
  const controller = new AbortController();
  const closed: Promise<unknown>[] = [];
  const server = await serve((response) => {
    closed.push(once(response, 'close'));
    begin(response, textEvent('one'));
  });
  const deltas: string[] = [];
  const hear = (text: string): void => {
    deltas.push(text);
    controller.abort();
  };
  const client = clientFor(server.url);
  const outcome = await client.ask(REQUEST, ({ text }) => hear(text), controller.signal);
  expect(outcome).toEqual({ status: 'cancelled' });
  await Promise.all(closed);
  expect(deltas).toEqual(['one']);
});

test('cancelling while an error is being read is still a cancellation', async () => {
  const controller = new AbortController();
  const server = await serve((response) => {
    response.writeHead(500);
    response.write('half an er');
    controller.abort();
  });
  const { outcome } = await askOnce(server.url, {}, controller.signal);
  expect(outcome).toEqual({ status: 'cancelled' });
});
