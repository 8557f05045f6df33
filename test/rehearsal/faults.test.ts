import { expect, test } from 'vitest';
import OpenAI from 'openai';
import { loadScenario } from '../../src/rehearsal/load-scenario.js';
import type { RehearsalServer } from '../../src/rehearsal/server.js';
import { Conversation, post, serverFor, turns, user } from './scripted-conversation.js';
import type { WireCall, WireReply } from './scripted-conversation.js';

const CALL = 'calls = [{ name = "read_file", args = { path = "naïve 🐍.txt", limit = 3 } }]';
const ARGS = { path: 'naïve 🐍.txt', limit: 3 };
const OK = '[[turn]]\ntext = "fine"\n';
const faulty = (fault: string, more = CALL) =>
  turns(`[[turn]]\ntext = "some words first"\n${more}\nfault = ${fault}\n${OK}`);

const client = (server: RehearsalServer, apiKey = 'none'): OpenAI =>
  new OpenAI({ baseURL: server.baseUrl, apiKey, maxRetries: 0 });

const ask = (server: RehearsalServer): OpenAI.ChatCompletionCreateParamsStreaming => ({
  model: server.model,
  messages: [{ role: 'user', content: 'hi' }],
  stream: true,
});

interface Delta {
  index?: number;
  id?: string;
  function?: { name?: string; arguments?: string };
}

/** Every delta of a call in the stream, as it was sent. */
async function deltasOf(server: RehearsalServer): Promise<Delta[]> {
  const text = await (await post(server, [user('hi')], { stream: true })).text();
  return text
    .split('\n\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as { choices: { delta: { tool_calls?: Delta[] } }[] })
    .flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
}

const argumentsIn = (deltas: readonly Delta[]): unknown =>
  JSON.parse(deltas.map((delta) => delta.function?.arguments ?? '').join(''));

test('a status is sent with its headers, then the next turn answers', async () => {
  const scenario = faulty('{ kind = "status", status = 429, retry_after = 7 }', 'times = 2');
  const server = await serverFor(scenario);
  const chat = new Conversation(server);
  for (const attempt of [1, 2]) {
    const response = await post(server, chat.messages);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await response.json()).toMatchObject({ error: { type: 'rate_limit_exceeded' } });
    expect(server.requests.at(-1)).toMatchObject({ attempt, turn: 1, status: 429 });
  }
  expect(await chat.round()).toBe('fine');
  expect(server.requests.at(-1)).toMatchObject({ attempt: 3, turn: 2, status: 200 });
  await expect(chat.ask()).rejects.toThrow(/400: .*All 2 turns are used up/);
});

test('the SDK sees a status as its typed error', async () => {
  const server = await serverFor(faulty('{ kind = "status", status = 500, body = "oops" }'));
  await expect(client(server).chat.completions.create(ask(server))).rejects.toThrow(
    OpenAI.InternalServerError,
  );
});

test.each(['hang', 'hang_before_headers'])('%s lasts until the client leaves', async (kind) => {
  const server = await serverFor(faulty(`{ kind = "${kind}" }`));
  const leaving = new AbortController();
  const events: string[] = [];
  const noticed = new Promise<void>((resolve) => {
    server.on(({ type }) => {
      events.push(type);
      // By now the request is in the server's hands; nothing but leaving ends it.
      if (type === 'received') setImmediate(() => leaving.abort());
      if (type === 'broken-off') resolve();
    });
  });
  const answer = post(server, [user('hi')], { stream: true, signal: leaving.signal });
  await expect(answer.then((response) => response.text())).rejects.toThrow();
  await noticed;
  expect(events).toEqual(['received', 'broken-off']);
  expect(server.requests[0]).toMatchObject({
    answeredAt: null,
    status: kind === 'hang' ? 200 : null,
  });
  expect(await new Conversation(server, 'hi').round()).toBe('fine');
});

test('closing the server ends what hangs', async () => {
  const server = await serverFor(faulty('{ kind = "hang" }'));
  const response = await post(server, [user('hi')], { stream: true });
  const outcome = expect(response.text()).rejects.toThrow();
  await server.close();
  await outcome;
  await server.close();
});

test.each([true, false])('a cut breaks the connection (streaming: %s)', async (stream) => {
  const server = await serverFor(faulty('{ kind = "cut", after = 40 }'));
  const response = await post(server, [user('hi')], { stream });
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
  expect(server.requests[0]).toMatchObject({ status: 200, answeredAt: null, turn: 1 });
});

test('a cut without a place comes in the middle', async () => {
  const server = await serverFor(faulty('{ kind = "cut" }'));
  const stream = await client(server).chat.completions.create(ask(server));
  const seen: string[] = [];
  const read = async (): Promise<void> => {
    for await (const chunk of stream) seen.push(chunk.choices[0]?.delta.content ?? '');
  };
  await expect(read()).rejects.toThrow();
  expect(seen.join('')).toContain('some words');
});

test('broken arguments are broken; a strict history refuses to hear them again', async () => {
  const server = await serverFor(faulty('{ kind = "bad_json" }'));
  const chat = new Conversation(server);
  const call = (await chat.ask()).tool_calls?.[0];
  if (call === undefined) throw new Error('a call expected');
  expect(() => JSON.parse(call.function.arguments) as unknown).toThrow();
  chat.answer(call, 'not JSON');
  const refused = await post(server, chat.messages);
  expect(refused.status).toBe(500);
  call.function.arguments = '{}';
  expect(await chat.round()).toBe('fine');
});

test('broken arguments can be given word for word', async () => {
  const server = await serverFor(faulty(`{ kind = "bad_json", arguments = "{'a': 1,}" }`));
  const call = (await new Conversation(server).ask()).tool_calls?.[0];
  expect(call?.function.arguments).toBe("{'a': 1,}");
});

test('late ids come after the first delta, once', async () => {
  const deltas = await deltasOf(await serverFor(faulty('{ kind = "late_ids" }')));
  expect(deltas[0]).toEqual({ index: 0, type: 'function', function: { arguments: '' } });
  expect(deltas.filter((delta) => delta.id !== undefined)).toHaveLength(1);
  expect(deltas.filter((delta) => delta.function?.name !== undefined)).toHaveLength(1);
  expect(argumentsIn(deltas)).toEqual(ARGS);
});

test('ids can be repeated, change with every delta, or never come', async () => {
  const idsOf = async (ids: string): Promise<(string | undefined)[]> => {
    const server = await serverFor(faulty(`{ kind = "late_ids", ids = "${ids}" }`));
    const deltas = await deltasOf(server);
    expect(argumentsIn(deltas)).toEqual(ARGS);
    return deltas.map((delta) => delta.id);
  };
  expect(new Set(await idsOf('repeated')).size).toBe(1);
  const changing = await idsOf('changing');
  expect(new Set(changing).size).toBe(changing.length);
  expect(new Set(await idsOf('absent'))).toEqual(new Set([undefined]));
});

test('an index can be left out, or be the same for every call', async () => {
  const two = 'calls = [{ name = "a", args = { x = 1 } }, { name = "b", args = { y = 2 } }]';
  const without = await deltasOf(await serverFor(faulty('{ kind = "no_index" }', two)));
  expect(without.map((delta) => delta.index)).toEqual(without.map(() => undefined));
  const same = await deltasOf(await serverFor(faulty('{ kind = "same_index" }', two)));
  expect(new Set(same.map((delta) => delta.index))).toEqual(new Set([0]));
  expect(same.flatMap((delta) => delta.function?.name ?? [])).toEqual(['a', 'b']);
});

test('arguments can come whole, or a character at a time', async () => {
  const whole = await deltasOf(await serverFor(faulty('{ kind = "whole_arguments" }')));
  expect(whole).toHaveLength(1);
  expect(argumentsIn(whole)).toEqual(ARGS);
  const split = await deltasOf(await serverFor(faulty('{ kind = "split_arguments" }')));
  const lengths = split.slice(1).map((delta) => Array.from(delta.function?.arguments ?? '').length);
  expect(new Set(lengths)).toEqual(new Set([1]));
  expect(argumentsIn(split)).toEqual(ARGS);
});

test('an error inside a 200 reaches the SDK as an error', async () => {
  const server = await serverFor(faulty('{ kind = "error_in_200", message = "out of slots" }'));
  const stream = await client(server).chat.completions.create(ask(server));
  const seen: string[] = [];
  const read = async (): Promise<void> => {
    for await (const chunk of stream) seen.push(chunk.id);
  };
  await expect(read()).rejects.toThrow(/out of slots/);
  expect(await new Conversation(server, 'hi').round()).toBe('fine');
});

test('an empty answer has neither text nor calls', async () => {
  const server = await serverFor(faulty('{ kind = "empty" }'));
  const reply = (await (await post(server, [user('hi')])).json()) as WireReply;
  expect(reply.choices[0]).toMatchObject({ message: { content: null }, finish_reason: 'stop' });
  expect(reply.choices[0]?.message.tool_calls).toBeUndefined();
});

test('a stream can end without its last line', async () => {
  const server = await serverFor(faulty('{ kind = "no_done" }'));
  const text = await (await post(server, [user('hi')], { stream: true })).text();
  expect(text).toContain('"finish_reason":"tool_calls"');
  expect(text).not.toContain('[DONE]');
});

test('after a restart the failures before a kept answer are not served again', async () => {
  const scenario = turns(
    '[[turn]]\nfault = { kind = "status", status = 503 }\n' +
      '[[turn]]\nfault = { kind = "empty" }\n' +
      `[[turn]]\n${CALL}\n${OK}`,
  );
  const chat = new Conversation(await serverFor(scenario));
  expect((await post(chat.server, chat.messages)).status).toBe(503);
  await post(chat.server, chat.messages);
  await chat.round();
  await chat.server.close();
  chat.server = await serverFor(scenario);
  expect(await chat.round()).toBe('fine');
});

test('words that change at the end of a message do not bring a failure back', async () => {
  const server = await serverFor(faulty('{ kind = "status", status = 500 }', ''));
  const said = 'goal '.repeat(100);
  expect((await post(server, [user(`${said}at 10:01`)])).status).toBe(500);
  expect((await post(server, [user(`${said}at 10:02`)])).status).toBe(200);
});

test('the bundled faults can be got over by a client that asks again', async () => {
  const loaded = loadScenario('faults');
  if (!loaded.ok) throw new Error(loaded.message);
  const server = await serverFor(loaded.scenario);
  const chat = new Conversation(server, loaded.scenario.goal);
  const failures: number[] = [];
  for (let done = false; !done;) {
    const tries = await askUntilHeard(server, chat);
    failures.push(tries.failures);
    done = tries.calls.length === 0;
  }
  expect(failures).toEqual([2, 2, 2, 0, 0, 0, 0]);
});

/** Not streaming, so that faults of streams show as plain answers. */
async function askUntilHeard(
  server: RehearsalServer,
  chat: Conversation,
): Promise<{ failures: number; calls: WireCall[] }> {
  for (let failures = 0; ; failures += 1) {
    const response = await post(server, chat.messages);
    const reply = await response.json().then(
      (body) => body as Partial<WireReply>,
      () => null,
    );
    const message = reply?.choices?.[0]?.message;
    if (message === undefined || (message.content ?? message.tool_calls ?? null) === null) continue;
    const calls = message.tool_calls ?? [];
    for (const call of calls) {
      if (!call.function.arguments.endsWith('}')) call.function.arguments = '{}';
    }
    chat.messages.push(message);
    for (const call of calls) chat.answer(call, 'ok');
    return { failures, calls };
  }
}
