import { expect, test } from 'vitest';
import type { ModelOutcome } from '../../messages/model.js';
import { DEFAULT_MAX_TOKENS } from '../../src/model/anthropic-protocol.js';
import { checkEndpoint } from '../../src/model/preflight.js';
import { anthropicServer, type AnthropicTurn } from '../support/anthropic-server.js';
import { jsonServer } from '../support/http-server.js';
import { askServer, CONVERSATION, QUESTION } from '../support/model-conversation.js';

const ANTHROPIC = {
  apiKey: 'test-key-123',
  apiKeyVariable: 'ANTHROPIC_API_KEY',
  settings: { protocol: 'anthropic' as const },
};

async function ask(turn: AnthropicTurn, more: object = {}) {
  const server = await anthropicServer([turn]);
  const { outcome, deltas } = await askServer(server.root, { ...ANTHROPIC, ...more });
  return { server, outcome, deltas, body: server.asked[0]?.body ?? {} };
}

const replyOf = (outcome: ModelOutcome) => {
  if (outcome.status !== 'ok') throw new Error(JSON.stringify(outcome));
  return outcome.reply;
};

const TURN: AnthropicTurn = {
  thinking: 'Hm.',
  text: 'Zwölf ✓',
  calls: [
    ['shell', { command: 'ls' }],
    ['git_status', {}],
  ],
  usage: { input_tokens: 20, cache_read_input_tokens: 100, cache_creation_input_tokens: 30 },
};

test('blocks of all kinds are put together, and usage counts what the cache held', async () => {
  const { outcome, deltas } = await ask(TURN);
  const block = { type: 'thinking', thinking: 'Hm.', signature: 'sig(Hm.)' };
  expect(replyOf(outcome)).toEqual({
    text: 'Zwölf ✓',
    reasoning: 'Hm.',
    calls: [
      { id: 'toolu_0', name: 'shell', argumentsText: '{"command":"ls"}' },
      { id: 'toolu_1', name: 'git_status', argumentsText: '{}' },
    ],
    usage: { promptTokens: 150, completionTokens: 9, cachedTokens: 100, cacheWriteTokens: 30 },
    finish: 'calls',
    model: 'claude-test-1',
    carried: { protocol: 'anthropic', model: 'small', blocks: [block] },
  });
  expect(deltas.map(({ text }) => text).join('')).toBe('Hm.Zwölf ✓');
});

test('an answer that was not streamed is the same answer', async () => {
  const { outcome } = await ask({ ...TURN, whole: true });
  const streamed = await ask(TURN);
  const usage = { promptTokens: 150, completionTokens: 1, cachedTokens: 100, cacheWriteTokens: 30 };
  expect(replyOf(outcome)).toEqual({ ...replyOf(streamed.outcome), usage });
});

test('the conversation alternates, results are in one turn, and its start is marked for the cache', async () => {
  const { body, server } = await ask({ text: 'yes' });
  const mark = { cache_control: { type: 'ephemeral' } };
  expect(server.asked[0]).toMatchObject({
    path: '/v1/messages',
    headers: { 'anthropic-version': '2023-06-01', 'x-api-key': 'test-key-123' },
  });
  expect(server.asked[0]?.headers).not.toHaveProperty('authorization');
  expect(body).toMatchObject({ max_tokens: DEFAULT_MAX_TOKENS, stream: true });
  expect(body['system']).toEqual([{ type: 'text', text: 'You work.', ...mark }]);
  expect(body['tools']).toMatchObject([{ name: 'shell', input_schema: { type: 'object' } }]);
  expect(body['messages']).toMatchObject([
    { role: 'user', content: [{ type: 'text', text: 'Count the files.', ...mark }] },
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'main_1_1', name: 'shell', input: { command: 'ls' } },
        { type: 'tool_use', id: 'main_1_2', input: { invalid_arguments: '{"command": "l' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'main_1_1' },
        { type: 'tool_result', tool_use_id: 'main_1_2' },
        { type: 'text', text: 'Faster.', ...mark },
      ],
    },
  ]);
});

test('reasoning goes back as it came, to the same model alone', async () => {
  const first = replyOf((await ask(TURN)).outcome);
  const messages = CONVERSATION.map((message) =>
    message.role === 'assistant' && first.carried !== undefined
      ? { ...message, carried: first.carried }
      : message,
  );
  const server = await anthropicServer([{ text: 'yes' }]);
  for (const model of ['small', 'other'])
    await askServer(server.root, ANTHROPIC, { ...QUESTION, model, messages });
  const [same, other] = server.asked.map(({ body }) => JSON.stringify(body['messages']));
  expect(same).toContain('"signature":"sig(Hm.)"');
  expect(other).not.toContain('signature');
});

test('reasoning gets its own share of the limit, and no temperature', async () => {
  const settings = { ...ANTHROPIC.settings, thinkingTokens: 2_000 };
  const { body } = await ask({ text: 'yes' }, { settings, temperature: 0.2, maxTokens: 1_000 });
  expect(body).toMatchObject({
    max_tokens: 3_000,
    thinking: { type: 'enabled', budget_tokens: 2_000 },
  });
  expect(body).not.toHaveProperty('temperature');
});

test.each([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'filtered'],
  ['end_turn', 'stop'],
])('the stop reason %s is %s', async (stopReason, finish) => {
  expect(replyOf((await ask({ text: 'One', stopReason })).outcome).finish).toBe(finish);
});

const error = (status: number, type: string, message = 'no') => ({
  error: { status, type, message },
});

test.each([
  [error(529, 'overloaded_error'), 'overloaded'],
  [error(429, 'rate_limit_error'), 'rate-limit'],
  [error(500, 'api_error'), 'server'],
  [error(400, 'invalid_request_error', 'prompt is too long: 9 tokens > 8'), 'context-overflow'],
  [error(404, 'not_found_error', 'model: small'), 'not-found'],
  [error(403, 'permission_error'), 'auth'],
  [{ text: 'One', fault: 'overloaded_error' }, 'overloaded'],
  [{}, 'empty'],
])('%j is an error of the kind %s', async (turn, kind) => {
  expect((await ask(turn)).outcome).toMatchObject({ status: 'failed', error: { kind } });
});

test('a wrong key is named by its variable and never shown', async () => {
  const { outcome } = await ask({}, { apiKey: 'wrong-key-456' });
  expect(outcome).toMatchObject({ error: { kind: 'auth', httpStatus: 401 } });
  expect(JSON.stringify(outcome)).toContain('ANTHROPIC_API_KEY');
  expect(JSON.stringify(outcome)).not.toContain('wrong-key-456');
});

test('signs of life are no first token', async () => {
  const server = await jsonServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (event: object) => response.write(`data: ${JSON.stringify(event)}\n\n`);
    send({ type: 'message_start', message: { usage: { input_tokens: 3 } } });
    const timer = setInterval(() => send({ type: 'ping' }), 10);
    response.on('close', () => clearInterval(timer));
  });
  const { outcome } = await askServer(server.root, { ...ANTHROPIC, firstTokenTimeoutMs: 150 });
  expect(outcome).toMatchObject({ error: { kind: 'stalled' } });
  expect(JSON.stringify(outcome)).toContain('limit for the first token');
});

test('the key does not follow the server to another address', async () => {
  const other = await anthropicServer([{ text: 'yes' }]);
  const server = await jsonServer((_, response) => {
    response.writeHead(307, { location: `${other.root}/v1/messages` });
    response.end();
  });
  const { outcome } = await askServer(server.root, ANTHROPIC);
  expect(outcome).toMatchObject({ status: 'failed' });
  expect(other.asked).toHaveLength(0);
});

test('before a session the list of models is asked for with the same key', async () => {
  const server = await anthropicServer([]);
  const check = { baseUrl: server.root, model: 'claude-test', timeoutMs: 20_000, ...ANTHROPIC };
  expect(await checkEndpoint(check)).toEqual({ ok: true, models: ['claude-test'] });
  const refused = await checkEndpoint({ ...check, apiKey: 'wrong-key-456' });
  expect(refused).toMatchObject({ ok: false, error: { kind: 'auth' } });
});
