import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ModelOutcome, ModelReply } from '../../messages/model.js';
import { assemble, cutAt } from './reading.js';
import { EVENT_STREAM, askOnce, cutInto, fixture, sendPieces, serve } from './server.js';

const USAGE = { promptTokens: 120, completionTokens: 30, cachedTokens: 0 };

const reply = (parts: Partial<ModelReply>): ModelReply => ({
  text: '',
  reasoning: '',
  calls: [],
  usage: null,
  finish: 'calls',
  model: 'test-model',
  ...parts,
});

const call = (id: string, name: string, args: string) => ({ id, name, argumentsText: args });

const REPLIES: Readonly<Record<string, ModelReply>> = {
  'openai-two-calls': reply({
    calls: [
      call('call_a', 'read_file', '{"path":"src/a.ts"}'),
      call('call_b', 'grep', '{"pattern":"naïve ✓"}'),
    ],
    usage: { ...USAGE, cachedTokens: 64 },
  }),
  'openrouter-reasoning-call': reply({
    reasoning: 'Look first.',
    calls: [call('call_x', 'list_dir', '{"path":"."}')],
    usage: { ...USAGE, cachedTokens: 100, costUsd: 0.0025 },
    model: 'vendor/model-1',
  }),
  'ollama-one-index': reply({
    calls: [
      call('call_1', 'shell', '{"command":"ls"}'),
      call('call_2', 'shell', '{"command":"pwd"}'),
    ],
  }),
  'vllm-no-arguments': reply({ calls: [call('chatcmpl-tool-1', 'git_status', '{}')] }),
  'kimi-changing-ids': reply({
    calls: [call('functions.read_file:0', 'read_file', '{"path":"a b.md"}')],
    usage: USAGE,
  }),
  'no-index': reply({
    calls: [
      call('call_1', 'shell', '{"command":"ls"}'),
      call('call_2', 'think', '{"thought":"x"}'),
    ],
  }),
  'index-without-id': reply({
    calls: [call('', 'shell', '{"command":"ls"}'), call('', 'shell', '{"command":"pwd"}')],
  }),
  'late-id': reply({ calls: [call('call_late', 'shell', '{"command":"ls"}')] }),
  'llama-reasoning-text': reply({
    text: '你好 👋🏽',
    reasoning: 'Say 你好.',
    usage: USAGE,
    finish: 'stop',
  }),
  'length-cuts-arguments': reply({
    text: 'Writing.',
    calls: [
      call('call_1', 'shell', '{"command":"ls"}'),
      { ...call('call_2', 'write_file', '{"path":"a","content":"half'), cut: true },
    ],
    finish: 'length',
  }),
  'length-before-arguments': reply({
    calls: [{ ...call('call_1', 'submit', '{'), cut: true }],
    finish: 'length',
  }),
  'finished-without-done': reply({ text: 'Done.', finish: 'stop' }),
  'done-without-finish': reply({ text: 'Done.', finish: 'unstated' }),
};

const ok = (expected: ModelReply): ModelOutcome => ({ status: 'ok', reply: expected });

const replyUrl = async (name: string, size: number): Promise<string> => {
  const server = await serve((response) => sendPieces(response, cutInto(fixture(name), size)));
  return server.url;
};

describe.each(Object.keys(REPLIES))('the stream %s', (name) => {
  test.each([1, 7, 64, 100_000])('is the same reply in pieces of %i bytes', async (size) => {
    const { outcome, deltas } = await askOnce(await replyUrl(name, size));
    expect(outcome).toEqual(ok(REPLIES[name] ?? reply({})));
    const said = (kind: string) =>
      deltas.map((delta) => (delta.kind === kind ? delta.text : '')).join('');
    expect([said('text'), said('reasoning')]).toEqual([
      REPLIES[name]?.text,
      REPLIES[name]?.reasoning,
    ]);
  });
});

test('however the bytes of a stream are cut, the reply is the same', async () => {
  const names = fc.constantFrom(...Object.keys(REPLIES));
  const cuts = fc.array(fc.nat({ max: 5_000 }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(names, cuts, async (name, at) => {
      const assembled = await assemble(cutAt(fixture(name), at));
      const { model, calls, ...said } = REPLIES[name] ?? reply({});
      expect(assembled).toMatchObject(said);
      // Whether arguments are cut off is told from the whole of them.
      const asWritten = calls.map(({ cut: _, ...rest }) => rest);
      expect(assembled.calls).toEqual(asWritten);
      expect(['', model]).toContain(assembled.model);
    }),
    { numRuns: 150 },
  );
});

test('a stream may end its lines with a carriage return alone', async () => {
  const text = fixture('openai-two-calls').toString('utf8').replaceAll('\n', '\r');
  const server = await serve((response) => sendPieces(response, cutInto(Buffer.from(text), 9)));
  const { outcome } = await askOnce(server.url);
  expect(outcome).toEqual(ok(REPLIES['openai-two-calls'] ?? reply({})));
});

test('the last event counts even when no line ending follows it', async () => {
  const bytes = Buffer.from(fixture('finished-without-done').toString('utf8').trimEnd());
  const server = await serve((response) => sendPieces(response, cutInto(bytes, 50)));
  const { outcome } = await askOnce(server.url);
  expect(outcome).toEqual(ok(reply({ text: 'Done.', finish: 'stop' })));
});

test('an answer that says it is done counts although its connection stays open', async () => {
  const server = await serve((response) => {
    response.writeHead(200, EVENT_STREAM);
    response.write(fixture('done-without-finish'));
  });
  const { outcome } = await askOnce(server.url);
  expect(outcome).toMatchObject({ status: 'ok', reply: { text: 'Done.' } });
});

test('an event stream that calls itself JSON is read as what it is', async () => {
  const server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(fixture('ollama-one-index'));
  });
  const { outcome } = await askOnce(server.url);
  expect(outcome).toEqual(ok(REPLIES['ollama-one-index'] ?? reply({})));
});

test('a server that does not stream is understood, whatever it calls its answer', async () => {
  const message = {
    content: null,
    tool_calls: [{ id: 'c1', function: { name: 'shell', arguments: { command: 'ls' } } }],
  };
  const body = { model: 'plain', choices: [{ message, finish_reason: 'tool_calls' }] };
  const server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.end(JSON.stringify(body, null, 2));
  });
  const { outcome } = await askOnce(server.url);
  const calls = [call('c1', 'shell', '{"command":"ls"}')];
  expect(outcome).toEqual(ok(reply({ calls, model: 'plain' })));
});

test('an event of several megabytes in small pieces is read without trouble', async () => {
  const content = 'é'.repeat(1_500_000);
  const chunk = { choices: [{ delta: { content }, finish_reason: 'stop' }] };
  const bytes = Buffer.from(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  const assembled = await assemble(cutInto(bytes, 16_384));
  expect(assembled.text).toBe(content);
});
