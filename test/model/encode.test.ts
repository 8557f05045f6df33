import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message, ToolCall } from '../../messages/conversation.js';
import { MAIN_AGENT, callIdOf } from '../../messages/ids.js';
import { encodeMessages, encodeTools } from '../../src/model/encode.js';

const ID = callIdOf(MAIN_AGENT, 1, 1);
const encoded = (...messages: Message[]): unknown =>
  JSON.parse(JSON.stringify(encodeMessages(messages)));
const calling = (call: Partial<ToolCall>, text = ''): Message => ({
  role: 'assistant',
  text,
  calls: [{ id: ID, name: 'shell', args: {}, ...call }],
});

const argumentsIn = (message: Message): string => {
  const [first] = encodeMessages([message]);
  const call = first?.role === 'assistant' ? first.tool_calls?.[0] : undefined;
  return call?.type === 'function' ? call.function.arguments : '';
};

test('every kind of message is written as chat completions have it', () => {
  const conversation: Message[] = [
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'list', origin: 'goal' },
    calling({ args: { command: 'ls' } }),
    { role: 'tool', callId: ID, name: 'shell', text: 'a.ts' },
    { role: 'assistant', text: 'Done.', reasoning: 'kept here', calls: [] },
  ];
  const call = {
    id: ID,
    type: 'function',
    function: { name: 'shell', arguments: '{"command":"ls"}' },
  };
  expect(encoded(...conversation)).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'list' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: ID, content: 'a.ts' },
    { role: 'assistant', content: 'Done.' },
  ]);
});

test('arguments that were no JSON go back as a valid object that quotes their beginning', () => {
  const quoted: unknown = JSON.parse(
    argumentsIn(calling({ invalid: `{"a": ${'x'.repeat(9_000)}` })),
  );
  expect(quoted).toEqual({
    invalid_arguments: expect.stringMatching(/^\{"a": x{400,500}$/) as unknown,
  });
});

test('arguments are a JSON object whatever a call holds', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.option(fc.string(), { nil: undefined }), (args, invalid) => {
      const text = argumentsIn(calling(invalid === undefined ? { args } : { args, invalid }));
      expect(JSON.parse(text)).toBeTypeOf('object');
      expect(text.startsWith('{')).toBe(true);
    }),
  );
});

test('arguments nested too deeply to be written do not end the conversation', () => {
  const args: unknown = JSON.parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  expect(argumentsIn(calling({ args }))).toBe('{"invalid_arguments":"nested too deeply"}');
});

test('names that servers refuse are made acceptable', () => {
  const name = (given: string) => JSON.stringify(encoded(calling({ name: given })));
  expect(name('functions.read file')).toContain('"functions_read_file"');
  expect(name('')).toContain('"unnamed"');
});

test('half a character is replaced, in text and in arguments', () => {
  const half = '👋'.slice(0, 1);
  expect(encoded({ role: 'user', text: `a${half}`, origin: 'goal' })).toEqual([
    { role: 'user', content: 'a\uFFFD' },
  ]);
  expect(argumentsIn(calling({ args: { text: `👋${half}` } }))).toBe('{"text":"👋\uFFFD"}');
});

test('the same conversation gives the same bytes, also after a detour through JSON', () => {
  const conversation: Message[] = [
    { role: 'user', text: 'list', origin: 'goal' },
    calling({ args: { b: 1, a: [1, { z: null }] } }, 'Listing.'),
  ];
  const first = JSON.stringify(encodeMessages(conversation));
  const copy = JSON.parse(JSON.stringify(conversation)) as Message[];
  expect(JSON.stringify(encodeMessages(conversation))).toBe(first);
  expect(JSON.stringify(encodeMessages(copy))).toBe(first);
});

test('tools keep their order and their schema', () => {
  const parameters = { type: 'object', properties: { b: {}, a: {} } };
  const tools = ['think', 'grep'].map((name) => ({ name, description: `to ${name}`, parameters }));
  const text = JSON.stringify(encodeTools(tools));
  expect(text.indexOf('think')).toBeLessThan(text.indexOf('grep'));
  expect(text).toContain(JSON.stringify(parameters));
});
