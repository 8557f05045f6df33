/** What servers report of themselves, in the forms that they report it. */
import { expect, test } from 'vitest';
import { askFacts } from '../../src/model/server-facts.js';
import { jsonServer, sendJson } from '../support/http-server.js';

/** A server with an answer for each of these paths, and none for others. */
const serving = (answers: Readonly<Record<string, unknown>>) =>
  jsonServer(({ path }, response) => {
    const answer = answers[path];
    sendJson(response, answer === undefined ? 404 : 200, answer ?? { error: 'no such path' });
  });

const list = (fields: object) => ({
  data: [
    { id: 'other', max_model_len: 1 },
    { id: 'm', ...fields },
  ],
});
const PROPS = { default_generation_settings: { n_ctx: 4_096 }, total_slots: 2 };

const cases: readonly [string, Readonly<Record<string, unknown>>, object][] = [
  ['vLLM', { '/v1/models': list({ max_model_len: 32_000 }) }, { window: 32_000, slots: null }],
  [
    'OpenRouter',
    { '/v1/models': list({ context_length: 200_000, top_provider: { context_length: 64_000 } }) },
    { window: 64_000, slots: null },
  ],
  ['llama-server', { '/v1/models': list({}), '/props': PROPS }, { window: 4_096, slots: 2 }],
  [
    'llama-server without /props',
    { '/v1/models': list({}), '/slots': [{ id: 0 }, { id: 1 }, { id: 2 }] },
    { window: null, slots: 3 },
  ],
  [
    'LM Studio',
    {
      '/v1/models': list({}),
      '/api/v0/models': list({ max_context_length: 131_072, loaded_context_length: 8_192 }),
    },
    { window: 8_192, slots: null },
  ],
  [
    "Ollama's compatible route",
    {
      '/v1/models': list({}),
      '/api/ps': { models: [{ name: 'm:latest', context_length: 4_096 }] },
    },
    { window: 4_096, slots: null },
  ],
  [
    'a server that reports nonsense',
    { '/v1/models': list({ max_model_len: -5 }), '/props': [], '/slots': ['x'] },
    { window: null, slots: null },
  ],
  ['a server that says nothing', {}, { window: null, slots: null }],
];

test.each(cases)('%s', async (_, answers, facts) => {
  const { root } = await serving(answers);
  const question = {
    baseUrl: `${root}/v1`,
    apiKey: 'k',
    model: 'm',
    local: true,
    timeoutMs: 5_000,
  };
  expect(await askFacts(question)).toEqual(facts);
});

test("Ollama's own protocol asks for the model", async () => {
  const server = await serving({ '/api/show': { model_info: { 'qwen3.context_length': 40_960 } } });
  const facts = await askFacts({
    baseUrl: server.root,
    apiKey: null,
    model: 'm',
    settings: { protocol: 'ollama' },
    local: true,
    timeoutMs: 5_000,
  });
  expect(facts).toEqual({ window: 40_960, slots: null });
  expect(server.asked.map(({ path, body }) => [path, body])).toEqual([
    ['/api/show', { model: 'm' }],
  ]);
});

test('a remote server is asked for its list alone', async () => {
  const server = await serving({ '/v1/models': list({}), '/props': PROPS });
  const question = {
    baseUrl: `${server.root}/v1`,
    apiKey: 'k',
    model: 'm',
    local: false,
    timeoutMs: 5_000,
  };
  expect(await askFacts(question)).toEqual({ window: null, slots: null });
  expect(server.asked.map(({ path }) => path)).toEqual(['/v1/models']);
});

test('a server that cannot be reached says nothing', async () => {
  const question = {
    baseUrl: 'http://127.0.0.1:2/v1',
    apiKey: null,
    model: 'm',
    local: true,
    timeoutMs: 500,
  };
  expect(await askFacts(question)).toEqual({ window: null, slots: null });
});
