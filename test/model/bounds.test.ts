/** What a hostile or broken server may send without end, and what is kept of it. */
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { MAX_ARGUMENTS } from '../../src/model/call-deltas.js';
import type { ModelOutcome } from '../../messages/model.js';
import { FINISHED, pieces, streamOf } from './chunks.js';
import { askOnce, EVENT_STREAM, serve, type TestServer } from './server.js';

const MB = 1024 * 1024;

const room = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const goOn = (): void => {
      response.off('drain', goOn).off('close', goOn);
      resolve();
    };
    response.once('drain', goOn).once('close', goOn);
  });

/** Sends the same piece until the other side has had enough, or `times` times. */
const endless = (piece: string, times = Infinity): Promise<TestServer> =>
  serve(async (response) => {
    response.writeHead(200, EVENT_STREAM);
    for (let sent = 0; sent < times && !response.destroyed; sent += 1) {
      const more = response.write(piece);
      if (!more) await room(response);
    }
    response.end();
  });

const messageOf = (outcome: ModelOutcome): string =>
  outcome.status === 'failed' ? outcome.error.message : outcome.status;

test('an event of 300 MB without an end is given up early', async () => {
  const server = await endless('x'.repeat(MB), 300);
  const first = await askOnce(server.url);
  expect(messageOf(first.outcome)).toContain('more than 8 MB');
});

test('comments without end are given up, although each has an end', async () => {
  const server = await endless(`: ${'x'.repeat(MB)}\n\n`);
  const { outcome } = await askOnce(server.url);
  expect(messageOf(outcome)).toMatch(/more than 64 MB/);
});

test('20 MB of arguments are cut off, and the call says so', async () => {
  const part = streamOf(pieces({ index: 0, args: 'x'.repeat(MB) }));
  const server = await serve((response) => {
    response.writeHead(200, EVENT_STREAM);
    response.write(streamOf(pieces({ id: 'a', index: 0, name: 'shell', args: '{"command":"' })));
    for (let sent = 0; sent < 20; sent += 1) response.write(part);
    response.end(streamOf(pieces({ index: 0, args: '"}' }), FINISHED));
  });
  const { outcome } = await askOnce(server.url);
  expect(outcome).toMatchObject({ status: 'ok', reply: { finish: 'calls' } });
  const [call] = outcome.status === 'ok' ? outcome.reply.calls : [];
  expect(call?.argumentsText.length).toBe(MAX_ARGUMENTS);
  expect(call?.argumentsText.endsWith('x')).toBe(true);
});

test('100,000 nested lists are passed on as they are, to be refused', async () => {
  const args = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const server = await serve((response) => {
    response.writeHead(200, EVENT_STREAM);
    response.end(streamOf(pieces({ id: 'a', index: 0, name: 'shell', args }), FINISHED));
  });
  const { outcome } = await askOnce(server.url);
  expect(outcome).toMatchObject({ reply: { calls: [{ name: 'shell', argumentsText: args }] } });
});

test('names that mean something to JavaScript mean nothing here', async () => {
  const args = '{"__proto__":{"polluted":true},"constructor":1}';
  const server = await serve((response) => {
    response.writeHead(200, EVENT_STREAM);
    response.end(
      streamOf(pieces({ id: '__proto__', index: 0, name: '__proto__', args }), FINISHED),
    );
  });
  const { outcome } = await askOnce(server.url);
  expect(outcome).toMatchObject({ reply: { calls: [{ argumentsText: args }] } });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
