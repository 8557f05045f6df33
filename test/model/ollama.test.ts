import { expect, test } from 'vitest';
import { checkEndpoint } from '../../src/model/preflight.js';
import { DEFAULT_NUM_CTX } from '../../src/model/ollama-protocol.js';
import { jsonServer, sendJson } from '../support/http-server.js';
import { askServer, CONVERSATION, QUESTION } from '../support/model-conversation.js';
import { ollamaServer, type OllamaTurn } from '../support/ollama-server.js';

const OLLAMA = { settings: { protocol: 'ollama' as const } };

async function ask(...turns: OllamaTurn[]) {
  const server = await ollamaServer(turns);
  return { server, ...(await askServer(server.root, OLLAMA)) };
}

test('text and reasoning are streamed, and the answer has its counts', async () => {
  const { outcome, deltas } = await ask({ thinking: 'Hm.', text: 'Zwölf\u2028✓' });
  expect(outcome).toEqual({
    status: 'ok',
    reply: {
      text: 'Zwölf\u2028✓',
      reasoning: 'Hm.',
      calls: [],
      usage: { promptTokens: 40, completionTokens: 7, cachedTokens: 0 },
      finish: 'stop',
      model: 'small',
    },
  });
  expect(deltas.map(({ text }) => text).join('')).toBe('Hm.Zwölf\u2028✓');
});

test('calls come whole and without ids, also two of the same', async () => {
  const call = ['shell', { command: 'ls' }] as const;
  const { outcome } = await ask({ calls: [call, call] });
  const asked = { id: '', name: 'shell', argumentsText: '{"command":"ls"}' };
  expect(outcome).toMatchObject({ reply: { finish: 'calls', calls: [asked, asked] } });
});

test('the window, the limit of a reply and the time to stay loaded are said', async () => {
  const server = await ollamaServer([{ text: 'yes' }]);
  const settings = { ...OLLAMA.settings, numCtx: 65_536, keepAlive: '30m', think: false };
  await askServer(`${server.root}/v1`, { settings, temperature: 0.5, maxTokens: 9 });
  expect(server.asked[0]).toMatchObject({
    path: '/api/chat',
    body: {
      stream: true,
      keep_alive: '30m',
      think: false,
      options: { num_ctx: 65_536, temperature: 0.5, num_predict: 9 },
    },
  });
  const plain = await ask({ text: 'yes' });
  expect(plain.server.asked[0]?.body['options']).toEqual({ num_ctx: DEFAULT_NUM_CTX });
});

test('the conversation is sent in its words, broken arguments as an object that says so', async () => {
  const { server } = await ask({ text: 'yes' });
  expect(server.asked[0]?.body['messages']).toMatchObject([
    { role: 'system', content: 'You work.' },
    { role: 'user', content: 'Count the files.' },
    {
      role: 'assistant',
      thinking: 'Look first.',
      tool_calls: [
        { function: { name: 'shell', arguments: { command: 'ls' } } },
        { function: { name: 'shell', arguments: { invalid_arguments: '{"command": "l' } } },
      ],
    },
    { role: 'tool', tool_name: 'shell', content: 'a\nb' },
    { role: 'tool', tool_name: 'shell', content: '' },
    { role: 'user', content: 'Faster.' },
  ]);
});

test('a reply that reached its limit says so', async () => {
  const { outcome } = await ask({ text: 'One, two', doneReason: 'length' });
  expect(outcome).toMatchObject({ reply: { finish: 'length' } });
});

test.each([
  [{ error: { status: 404, message: "model 'small' not found" } }, 'not-found'],
  [{ error: { status: 400, message: 'small does not support tools' } }, 'bad-request'],
  [{ error: { status: 503, message: 'server busy, please try again' } }, 'overloaded'],
  [{ text: 'One', fault: 'an error was encountered while running the model' }, 'server'],
  [{}, 'empty'],
])('%j is an error of the kind %s', async (turn, kind) => {
  const { outcome } = await ask(turn);
  expect(outcome).toMatchObject({ status: 'failed', error: { kind } });
});

test('an answer that ends without its last line is cut', async () => {
  const server = await jsonServer((_, response) => {
    response.end(`${JSON.stringify({ message: { content: 'One' }, done: false })}\n`);
  });
  const { outcome } = await askServer(server.root, OLLAMA);
  expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'cut' } });
});

test('an answer that says it is done counts although its connection stays open', async () => {
  const server = await jsonServer((_, response) => {
    response.write(`${JSON.stringify({ message: { content: 'One' }, done: true })}\n`);
  });
  const { outcome } = await askServer(server.root, OLLAMA);
  expect(outcome).toMatchObject({ status: 'ok', reply: { text: 'One', finish: 'stop' } });
});

test('silence has limits of its own here too', async () => {
  const server = await jsonServer((_, response) => {
    response.write(`${JSON.stringify({ message: { content: 'One' }, done: false })}\n`);
  });
  const { outcome } = await askServer(server.root, { ...OLLAMA, silenceTimeoutMs: 100 });
  expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'stalled' } });
});

const LONG = {
  ...QUESTION,
  messages: [...CONVERSATION, { role: 'user', text: 'word '.repeat(20_000), origin: 'steer' }],
} as const;

test.each([
  ['far fewer tokens than the text has', 4_096, 1],
  ['as many tokens as the text has', 20_500, 0],
  ['no number of tokens', 0, 0],
])('when the server says that it read %s, a person is told or not', async (_, tokens, times) => {
  const server = await ollamaServer([{ text: 'yes', promptTokens: tokens }]);
  const { outcome } = await askServer(server.root, OLLAMA, LONG);
  const notices = outcome.status === 'ok' ? (outcome.reply.notices ?? []) : [];
  expect(notices).toHaveLength(times);
  if (times > 0) expect(notices[0]).toContain('Raise num_ctx');
});

test('before a session its own list of models is asked for', async () => {
  const server = await ollamaServer([]);
  const check = { baseUrl: server.root, apiKey: null, timeoutMs: 20_000, ...OLLAMA };
  expect(await checkEndpoint({ ...check, model: 'small' })).toEqual({
    ok: true,
    models: ['small:latest', 'large:70b'],
  });
  const missing = await checkEndpoint({ ...check, model: 'tiny' });
  expect(missing).toMatchObject({ warning: expect.stringContaining('small:latest') as string });
  expect(server.asked[0]?.path).toBe('/api/tags');
});

test('a server of another kind is told apart', async () => {
  const server = await jsonServer((_, response) => sendJson(response, 200, { hello: 'there' }));
  const { outcome } = await askServer(server.root, OLLAMA);
  expect(outcome).toMatchObject({ status: 'failed' });
});
