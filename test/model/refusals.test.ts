import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ModelError, ModelOutcome } from '../../messages/model.js';
import { EVENT_STREAM, askOnce, event, fixture, sendPieces, serve, textEvent } from './server.js';

const KEY = 'sk-test-0123456789';
const WITH_KEY = { apiKey: KEY, apiKeyVariable: 'TEST_API_KEY' };

function errorIn(outcome: ModelOutcome): ModelError {
  if (outcome.status !== 'failed') throw new Error(`expected a failure, got ${outcome.status}`);
  return outcome.error;
}

async function refusal(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const server = await serve((response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(text);
  });
  const { outcome } = await askOnce(server.url, WITH_KEY);
  expect(server.received).toHaveLength(1);
  return errorIn(outcome);
}

const said = (message: string, more: object = {}) => ({ error: { message, ...more } });

const OVERFLOW = {
  code: 400,
  type: 'exceed_context_size_error',
  n_prompt_tokens: 9_000,
  n_ctx: 4_096,
};

test.each([
  [401, said('Incorrect API key'), 'auth'],
  [402, said('Insufficient credits', { code: 402 }), 'auth'],
  [403, said('No access'), 'auth'],
  [403, said('Your input was flagged', { code: 403 }), 'bad-request'],
  [404, said("model 'x' not found, try pulling it first"), 'not-found'],
  [400, said('foo/bar is not a valid model ID', { code: 400 }), 'not-found'],
  [400, said('Unsupported parameter'), 'bad-request'],
  [400, said('x does not support tools'), 'bad-request'],
  [422, { detail: [{ loc: ['body'], msg: 'field required' }] }, 'bad-request'],
  [400, said('the request exceeds the available context size', OVERFLOW), 'context-overflow'],
  [400, said('too long', { code: 'context_length_exceeded' }), 'context-overflow'],
  [400, said("This model's maximum context length is 8192 tokens."), 'context-overflow'],
  [413, 'Payload Too Large', 'context-overflow'],
  [400, said('Tool call validation failed', { code: 'tool_use_failed' }), 'server'],
  [429, said('Slow down'), 'rate-limit'],
  [429, said('You exceeded your quota', { code: 'insufficient_quota' }), 'auth'],
  [503, said('Loading model'), 'overloaded'],
  [
    529,
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    'overloaded',
  ],
  [408, '', 'server'],
  [409, '', 'server'],
  [500, said('Failed to parse tool call arguments'), 'server'],
  [502, '<html><head><title>Bad Gateway</title></head></html>', 'server'],
  [504, 'upstream timed out', 'server'],
])('a %i with %j is of the right kind', async (status, body, kind) => {
  const error = await refusal(status, body);
  expect(error).toMatchObject({ kind, httpStatus: status });
  expect(error.message).toContain('http://127.0.0.1:');
  expect(error.message).toContain(String(status));
});

test('a refused key names the variable to look at, and never the key', async () => {
  const error = await refusal(401, said(`Incorrect API key provided: ${KEY}`));
  expect(error.message).toContain('TEST_API_KEY');
  expect(error.message).toContain('Incorrect API key provided: [redacted:TEST_API_KEY]');
  expect(error.message).not.toContain(KEY);
});

test('a missing key is told apart from a wrong one', async () => {
  const server = await serve((response) => {
    response.writeHead(401).end();
  });
  const { outcome } = await askOnce(server.url, { apiKeyVariable: 'TEST_API_KEY' });
  expect(errorIn(outcome).message).toMatch(/wants an API key .*Set TEST_API_KEY/);
});

test('a key that no header can hold is refused without quoting it', async () => {
  const { outcome } = await askOnce('http://127.0.0.1:1/v1', { apiKey: 'sk-a\nsecret' });
  expect(errorIn(outcome)).toMatchObject({ kind: 'auth' });
  expect(errorIn(outcome).message).not.toContain('secret');
});

test.each([
  [400, [said('Request contains an invalid argument')], 'invalid argument'],
  [400, { error: 'plain words' }, 'plain words'],
  [400, { message: 'at the top' }, 'at the top'],
  [422, { detail: [{ msg: 'field required' }, { msg: 'too short' }] }, 'field required; too short'],
  [400, said('too long', OVERFLOW), '(9000 tokens in a window of 4096)'],
  [
    429,
    said('Provider returned error', { metadata: { raw: '{"error":{"message":"at capacity"}}' } }),
    'Provider returned error: at capacity',
  ],
  [502, '<html><title>Bad Gateway</title>', 'a web page titled "Bad Gateway"'],
])('the words of the server are found: %i %j', async (status, body, words) => {
  expect((await refusal(status, body)).message).toContain(words);
});

test('an error of endless length is cut to what a person will read', async () => {
  const error = await refusal(500, 'no '.repeat(1_000_000));
  expect(error.message.length).toBeLessThan(1_000);
});

test.each([
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': '3600' }, 3_600_000],
  [{ 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' }, 0],
  [{ 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' }, 86_400_000],
  [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': ' ' }, undefined],
])('a 429 with %j', async (headers, expected) => {
  const error = await refusal(429, said('Slow down'), headers);
  expect(error.retryAfterMs).toBe(expected);
});

test('an error inside a stream that began well is reported as what it is', async () => {
  const server = await serve((response) => {
    response.writeHead(200, EVENT_STREAM);
    response.end(fixture('error-in-stream'));
  });
  const { outcome, deltas } = await askOnce(server.url);
  expect(deltas).toEqual([{ kind: 'text', text: 'Let me' }]);
  expect(errorIn(outcome)).toMatchObject({ kind: 'server' });
  expect(errorIn(outcome).message).toContain('Provider disconnected');
});

test.each([
  [event({ error: { code: 429, message: 'Slow down' } }), 'rate-limit'],
  [event({ error: { type: 'overloaded_error', message: 'Overloaded' } }), 'overloaded'],
  [
    event({ object: 'error', message: 'too long', code: 400, type: 'BadRequestError' }),
    'bad-request',
  ],
  [event({ error: 'something broke' }), 'server'],
  [JSON.stringify({ error: { message: 'No such key', code: 401 } }), 'auth'],
  [JSON.stringify([said('Bad key', { code: 403 })]), 'auth'],
  [textEvent('half', 'error'), 'cut'],
])('a 200 whose body is %j', async (body, kind) => {
  const server = await serve((response) => {
    response.writeHead(200, EVENT_STREAM);
    response.end(body);
  });
  expect(errorIn((await askOnce(server.url)).outcome).kind).toBe(kind);
});

test.each([
  ['<html><title>Welcome</title></html>', 'something else than an answer: "<html>'],
  ['{"hello": "world"}', '"hello": "world"'],
  ['{"choices": [', 'something else than an answer'],
  ['OK', '"OK"'],
  ['data: {"choices": [\n\n', 'a broken stream'],
])('an answer that is none of the protocol is quoted: %j', async (body, words) => {
  const server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(body);
  });
  const error = errorIn((await askOnce(server.url)).outcome);
  expect(error.kind).toBe('server');
  expect(error.message).toContain(words);
});

test('nothing that a server sends is written to the terminal', async () => {
  const written = vi.spyOn(console, 'error');
  onTestFinished(() => written.mockRestore());
  const server = await serve((response) => {
    response.writeHead(200, EVENT_STREAM);
    response.end('event: thread.run\ndata: broken\n\n');
  });
  const error = errorIn((await askOnce(server.url)).outcome);
  expect(error.message).toContain('a broken stream');
  expect(written).not.toHaveBeenCalled();
});

test('a line that does not end is given up before it fills the memory', async () => {
  const line = Buffer.alloc(1024 * 1024, 'x');
  const server = await serve((response) =>
    sendPieces(response, [Buffer.from('data: '), ...Array.from({ length: 10 }, () => line)]),
  );
  const error = errorIn((await askOnce(server.url)).outcome);
  expect(error).toMatchObject({ kind: 'server' });
  expect(error.message).toContain('8 MB');
});

test('a port where nothing listens is named, with what to check', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  listener.close();
  await once(listener, 'close');
  const url = `http://127.0.0.1:${port}/v1`;
  const error = errorIn((await askOnce(url)).outcome);
  expect(error.kind).toBe('network');
  expect(error.message).toMatch(/nothing is listening there \(ECONNREFUSED\)\. .*--base-url/);
  expect(error.message).toContain(url);
});

test('a host without a name is a network error', async () => {
  const error = errorIn((await askOnce('http://no-such-host.invalid/v1')).outcome);
  expect(error.kind).toBe('network');
  expect(error.message).toContain('no-such-host.invalid');
});

test('a connection that is closed without a word is a network error', async () => {
  const listener = createServer((socket) => socket.once('data', () => socket.destroy()));
  listener.listen(0, '127.0.0.1');
  onTestFinished(() => void listener.close());
  await once(listener, 'listening');
  const address = listener.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const error = errorIn((await askOnce(`http://127.0.0.1:${port}/v1`)).outcome);
  expect(error.kind).toBe('network');
});

test('TLS where there is none is explained', async () => {
  const server = await serve((response) => void response.end());
  const error = errorIn((await askOnce(server.url.replace('http:', 'https:'))).outcome);
  expect(error.kind).toBe('network');
  expect(error.message).toContain('http:// in --base-url');
});

test.each(['localhost:8080/v1', 'not a url', 'ftp://host/v1', 'http://user:pass@host/v1'])(
  'the address %s is refused before anything is sent',
  async (url) => {
    const error = errorIn((await askOnce(url)).outcome);
    expect(error.kind).toBe('bad-request');
    expect(error.message).not.toContain('pass@');
  },
);
