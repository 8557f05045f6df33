import { expect, test } from 'vitest';
import { request } from 'node:http';
import OpenAI from 'openai';
import { loadScenario } from '../../src/rehearsal/load-scenario.js';
import { startRehearsal } from '../../src/rehearsal/server.js';
import type { RehearsalServer } from '../../src/rehearsal/server.js';
import { Conversation, post, serverFor, turns, user } from './scripted-conversation.js';
import type { WireError, WireMessage, WireReply } from './scripted-conversation.js';

const client = (server: RehearsalServer, apiKey = 'none'): OpenAI =>
  new OpenAI({ baseURL: server.baseUrl, apiKey, maxRetries: 0 });

const RICH = turns(`[[turn]]
reasoning = "Let me think 🤔 a while."
text = "naïve café, 日本語, 🐍 — done"
calls = [
  { name = "read_file", args = { path = "日本語 🐍.txt", limit = 3 } },
  { name = "shell", args = { command = "ls", list = [1, "{{round}}", true] } },
]
usage = { prompt_tokens = 11, completion_tokens = 7 }
times = -1
`);

test('the SDK reads a whole answer', async () => {
  const server = await serverFor(RICH);
  const { data, response } = await client(server)
    .chat.completions.create({ model: server.model, messages: [{ role: 'user', content: 'hi' }] })
    .withResponse();
  expect(response.headers.get('x-ouro-scripted')).toBe('1');
  expect(data.model).toBe('scripted/test');
  expect(data.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 });
  expect(data.choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: {
      content: 'naïve café, 日本語, 🐍 — done',
      reasoning_content: 'Let me think 🤔 a while.',
      tool_calls: [
        { function: { name: 'read_file', arguments: '{"path":"日本語 🐍.txt","limit":3}' } },
        { function: { name: 'shell', arguments: '{"command":"ls","list":[1,"1",true]}' } },
      ],
    },
  });
});

test.each([0, 1, 7])('the SDK reads the same answer from a stream (chunk %s)', async (chunk) => {
  const turn = RICH.turns[0];
  if (turn === undefined) throw new Error('a turn expected');
  const paced = { ...turn, pace: { chunk, delayMs: 0, chunkDelayMs: 0 } };
  const server = await serverFor({ ...RICH, turns: [paced] });
  const stream = client(server).chat.completions.stream({
    model: server.model,
    messages: [{ role: 'user', content: 'hi' }],
    stream_options: { include_usage: true },
  });
  const { choices, usage, model } = await stream.finalChatCompletion();
  expect([model, usage?.total_tokens]).toEqual(['scripted/test', 18]);
  expect(choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: {
      content: 'naïve café, 日本語, 🐍 — done',
      tool_calls: [
        { function: { name: 'read_file', arguments: '{"path":"日本語 🐍.txt","limit":3}' } },
        { function: { name: 'shell', arguments: '{"command":"ls","list":[1,"1",true]}' } },
      ],
    },
  });
});

test('without being asked for it a stream carries no usage', async () => {
  const text = await (await post(await serverFor(RICH), [user('hi')], { stream: true })).text();
  expect(text).not.toContain('"usage"');
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
});

test('tokens are estimated where the scenario does not say them', async () => {
  const server = await serverFor(turns('[[turn]]\ntext = "12345678"\n'));
  const reply = (await (await post(server, [user('x'.repeat(400))])).json()) as WireReply;
  expect(reply.usage).toMatchObject({ prompt_tokens: 100, completion_tokens: 2 });
});

test('the models are listed; anything else is a 404 that says what there is', async () => {
  const server = await serverFor(RICH);
  expect((await client(server).models.list()).data.map(({ id }) => id)).toEqual(['scripted/test']);
  const missing = await fetch(`${server.baseUrl}/embeddings`, { method: 'POST', body: '{}' });
  expect([missing.status, missing.headers.get('x-ouro-scripted')]).toEqual([404, '1']);
  expect(((await missing.json()) as WireError).error.message).toContain('/v1/chat/completions');
});

test('a wrong key is refused with 401 everywhere, and not repeated', async () => {
  const server = await serverFor(RICH, { apiKey: 'right' });
  await expect(client(server, 'wrong').models.list()).rejects.toThrow(OpenAI.AuthenticationError);
  const response = await post(server, [user('hi')], { key: 'wrong' });
  expect(response.status).toBe(401);
  expect(await response.text()).not.toContain('wrong');
  expect((await post(server, [user('hi')], { key: 'right' })).status).toBe(200);
});

const asked = (id: string, args = '{}'): WireMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 't', arguments: args } }],
});
const result = (id: string): WireMessage => ({ role: 'tool', tool_call_id: id, content: 'r' });

test.each<[string, number, RegExp, WireMessage[]]>([
  ['a call without a result', 400, /did not have response messages: a/, [user('x'), asked('a')]],
  [
    'a call answered only after other words',
    400,
    /did not have response messages: a/,
    [user('x'), asked('a'), user('y'), result('a')],
  ],
  ['a result without a call', 400, /"a" has no call/, [user('x'), result('a')]],
  ['two results', 400, /"a" has no call/, [user('x'), asked('a'), result('a'), result('a')]],
  [
    'broken arguments',
    500,
    /Failed to parse tool call arguments/,
    [user('x'), asked('a', '{"p":'), result('a')],
  ],
  ['empty arguments', 500, /Failed to parse/, [user('x'), asked('a', ''), result('a')]],
  ['no message', 400, /at least one message/, []],
])('%s in the history is refused with %s', async (_, status, message, messages) => {
  const response = await post(await serverFor(RICH), messages);
  expect(response.status).toBe(status);
  expect(((await response.json()) as WireError).error.message).toMatch(message);
});

test.each(['', '{', '[]', '{"model":"m"}', '{"model":"m","messages":[3]}', '{"messages":[{}]}'])(
  'the body %j is a 400',
  async (body) => {
    const server = await serverFor(RICH);
    const response = await fetch(`${server.baseUrl}/chat/completions`, { method: 'POST', body });
    expect(response.status).toBe(400);
    expect(server.requests[0]).toMatchObject({ status: 400, messages: 0, turn: null });
  },
);

test('a history of many megabytes is read; one beyond the limit is a 413', async () => {
  const server = await serverFor(RICH);
  expect((await post(server, [user('x'.repeat(10_000_000))])).status).toBe(200);
  expect(await uploadStatus(server, 65)).toBe(413);
});

/** Sends megabytes without holding them all. */
function uploadStatus(server: RehearsalServer, megabytes: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.baseUrl}/chat/completions`, { method: 'POST' }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    const piece = Buffer.alloc(1024 * 1024, 32);
    for (let count = 0; count < megabytes; count += 1) sent.write(piece);
    sent.end();
  });
}

test('requests are recorded with their times, and told to listeners', async () => {
  const server = await serverFor(RICH);
  const events: string[] = [];
  const stop = server.on(({ type, request: { number } }) => events.push(`${type} ${number}`));
  const before = Date.now();
  const chat = new Conversation(server, 'Try it.', 'sub-3');
  await chat.round();
  stop();
  await chat.round();
  expect(events).toEqual(['received 1', 'answered 1']);
  const [first, second] = server.requests;
  if (first === undefined || second === undefined) throw new Error('two records expected');
  expect(first.receivedAt).toBeGreaterThanOrEqual(before - 1);
  expect(first.answeredAt ?? 0).toBeGreaterThanOrEqual(first.receivedAt);
  expect(second.receivedAt).toBeGreaterThanOrEqual(first.receivedAt);
  const facts = { agent: 'sub-3', round: 2, messages: 5, attempt: 1, turn: 1, status: 200 };
  expect(second).toMatchObject(facts);
  expect(JSON.parse(second.body ?? '')).toMatchObject({ model: 'scripted/test' });
});

test('only the newest bodies are kept', async () => {
  const server = await serverFor(RICH);
  for (let count = 0; count < 3; count += 1) await post(server, [user('x'.repeat(1_500_000))]);
  expect(server.requests.map(({ body }) => body !== null)).toEqual([false, true, true]);
});

test('a port can be chosen; one that is taken is an error', async () => {
  const first = await serverFor(RICH);
  const port = Number(new URL(first.baseUrl).port);
  await expect(startRehearsal({ scenario: RICH, port })).rejects.toThrow(/EADDRINUSE/);
  await first.close();
  const second = await serverFor(RICH, { port });
  expect(second.baseUrl).toBe(`http://127.0.0.1:${port}/v1`);
});

test('the bundled ledger numbers its lines', async () => {
  const loaded = loadScenario('ledger');
  if (!loaded.ok) throw new Error(loaded.message);
  const chat = new Conversation(await serverFor(loaded.scenario), loaded.scenario.goal);
  for (let line = 1; line <= 20; line += 1) {
    expect(await chat.round()).toBe(`{"command":"echo line ${line} >> ledger.txt"}`);
  }
  expect(await chat.round()).toBe('ledger.txt has its 20 lines.');
});
