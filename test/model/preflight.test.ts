import { expect, test } from 'vitest';
import { checkEndpoint } from '../../src/model/preflight.js';
import type { EndpointCheck } from '../../src/model/preflight.js';
import { serve } from './server.js';

const check = (baseUrl: string, more: Partial<EndpointCheck> = {}) =>
  checkEndpoint({ baseUrl, apiKey: null, model: 'small', timeoutMs: 20_000, ...more });

async function finding(status: number, body: unknown, more: Partial<EndpointCheck> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const server = await serve((response) => {
    response.writeHead(status).end(text);
  });
  return { server, found: await check(server.url, more) };
}

const list = (...names: string[]) => ({ object: 'list', data: names.map((id) => ({ id })) });

test('a server that lists the model is fine, and is asked with the key', async () => {
  const { server, found } = await finding(200, list('small', 'large'), { apiKey: 'secret-key' });
  expect(found).toEqual({ ok: true, models: ['small', 'large'] });
  expect(server.received[0]).toMatchObject({
    url: '/v1/models',
    headers: { authorization: 'Bearer secret-key' },
  });
});

test('a model that is not listed is a warning that names some that are', async () => {
  const { found } = await finding(200, list('a', 'b', 'c', 'd', 'e', 'f'));
  expect(found).toMatchObject({ ok: true });
  expect(JSON.stringify(found)).toContain('it lists a, b, c, d, e, and 1 more');
});

test('a name without its tag is the listed one', async () => {
  const { found } = await finding(200, list('small:latest'));
  expect(found).toEqual({ ok: true, models: ['small:latest'] });
});

test.each([
  [401, 'auth'],
  [403, 'auth'],
])('a %i refuses the key', async (status, kind) => {
  const body = { error: { message: 'bad key sk-secret' } };
  const { found } = await finding(status, body, { apiKey: 'sk-secret', apiKeyVariable: 'MY_KEY' });
  expect(found).toMatchObject({ ok: false, error: { kind, httpStatus: status } });
  expect(JSON.stringify(found)).toContain('MY_KEY');
  expect(JSON.stringify(found)).not.toContain('sk-secret');
});

test('a server without a list is fine', async () => {
  expect((await finding(404, 'not found')).found).toEqual({ ok: true });
  expect((await finding(200, list())).found).toEqual({ ok: true, models: [] });
});

test.each([
  [503, '{"error":{"message":"Loading model"}}', 'Loading model'],
  [500, '', 'failed'],
  [200, '<html>', 'did not answer with a list'],
])('a %i with %j is a warning', async (status, body, words) => {
  const { found } = await finding(status, body);
  expect(found).toMatchObject({ ok: true });
  expect(JSON.stringify(found)).toContain(words);
});

test('a server that is not there is a network error', async () => {
  const found = await check('http://127.0.0.1:1/v1');
  expect(found).toMatchObject({ ok: false, error: { kind: 'network' } });
});

test('a server that does not answer in time is a network error', async () => {
  const server = await serve(() => {});
  const found = await check(server.url, { timeoutMs: 50 });
  expect(found).toMatchObject({ ok: false, error: { kind: 'network' } });
  expect(JSON.stringify(found)).toContain('0.05 s');
});

test('an address that is none is refused', async () => {
  expect(await check('nowhere')).toMatchObject({ ok: false, error: { kind: 'bad-request' } });
});
