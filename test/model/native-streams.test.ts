/** The streams of the protocols that are read without a library, cut anywhere. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anthropicProtocol } from '../../src/model/anthropic-protocol.js';
import { EMPTY_REPLY, finish } from '../../src/model/assemble.js';
import { ollamaProtocol } from '../../src/model/ollama-protocol.js';
import type { Protocol } from '../../src/model/protocol.js';
import { assemble, cutAt } from './reading.js';

const line = (message: object, more: object = {}) => ({
  model: 'm',
  message,
  done: false,
  ...more,
});

const LINES = [
  line({ role: 'assistant', content: '', thinking: 'Hm\u2028 👋🏽' }),
  line({ content: 'Zwölf\u2029 "✓"\u0085' }),
  line({ content: '', tool_calls: [{ function: { name: 'shell', arguments: { a: '\n' } } }] }),
  line({ tool_calls: [{ id: 'c9', function: { name: 'shell', arguments: { a: '\n' } } }] }),
  line({ content: '' }, { done: true, done_reason: 'stop', prompt_eval_count: 4, eval_count: 2 }),
];

const start = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
});
const more = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta });

const EVENTS = [
  { type: 'message_start', message: { model: 'm', usage: { input_tokens: 4, output_tokens: 1 } } },
  start(0, { type: 'thinking', thinking: '', signature: '' }),
  more(0, { type: 'thinking_delta', thinking: 'Hm\u2028 👋🏽' }),
  more(0, { type: 'signature_delta', signature: 's' }),
  { type: 'content_block_stop', index: 0 },
  start(1, { type: 'redacted_thinking', data: 'x' }),
  start(2, { type: 'text', text: '' }),
  more(2, { type: 'text_delta', text: 'Zwölf\u2029 ' }),
  { type: 'ping' },
  more(2, { type: 'text_delta', text: '"✓"\u0085' }),
  start(3, { type: 'tool_use', id: 't1', name: 'shell', input: {} }),
  more(3, { type: 'input_json_delta', partial_json: '' }),
  more(3, { type: 'input_json_delta', partial_json: '{"a":' }),
  more(3, { type: 'input_json_delta', partial_json: '"\\n"}' }),
  start(4, { type: 'tool_use', id: 't2', name: 'shell', input: { a: '\n' } }),
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
  start(5, { type: 'text', text: 'what comes after the end does not count' }),
];

const eventText = (lineEnd: string) =>
  EVENTS.map((event) =>
    [`event: ${event.type}`, `data: ${JSON.stringify(event)}`, '', ''].join(lineEnd),
  ).join('');
const lineText = (lineEnd: string) => LINES.map((each) => JSON.stringify(each) + lineEnd).join('');

const SAID = {
  text: 'Zwölf\u2029 "✓"\u0085',
  reasoning: 'Hm\u2028 👋🏽',
  usage: { promptTokens: 4, completionTokens: 2, cachedTokens: 0 },
  finish: 'calls',
  model: 'm',
};

const call = (id: string) => ({ id, name: 'shell', argumentsText: '{"a":"\\n"}' });

const CASES: readonly (readonly [Protocol, string, readonly object[]])[] = [
  [ollamaProtocol, lineText('\n'), [call(''), call('c9')]],
  [ollamaProtocol, lineText('\r\n'), [call(''), call('c9')]],
  [ollamaProtocol, lineText('\n').trimEnd(), [call(''), call('c9')]],
  [anthropicProtocol, eventText('\n'), [call('t1'), call('t2')]],
  [anthropicProtocol, eventText('\r\n'), [call('t1'), call('t2')]],
  [anthropicProtocol, eventText('\r'), [call('t1'), call('t2')]],
];

test('however the bytes are cut, the reply is the same', async () => {
  const cuts = fc.array(fc.nat({ max: 5_000 }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...CASES), cuts, async ([protocol, text, calls], at) => {
      const reply = await assemble(cutAt(Buffer.from(text), at), protocol);
      expect(reply).toEqual({ ...SAID, calls });
    }),
    { numRuns: 200 },
  );
});

test.each(CASES)('one byte at a time as well', async (protocol, text, calls) => {
  const bytes = [...Buffer.from(text)].map((byte) => Uint8Array.of(byte));
  expect(await assemble(bytes, protocol)).toEqual({ ...SAID, calls });
});

test.each([ollamaProtocol, anthropicProtocol])('events of any shape are survived', (protocol) => {
  const names = fc.constantFrom(
    'message',
    'content_block',
    'delta',
    'usage',
    'tool_calls',
    'function',
    'thinking',
    'input',
  );
  const types = fc.constantFrom(...EVENTS.map(({ type }) => type), 'text_delta', 'tool_use');
  const fields = fc.dictionary(names, fc.oneof(fc.jsonValue(), fc.record({ type: types })));
  const event = fc.tuple(fields, types).map(([all, type]) => ({ ...all, type }));
  fc.assert(
    fc.property(fc.array(fc.oneof(event, fc.jsonValue())), (events) => {
      const reply = finish(events.reduce(protocol.parseStreamEvent, EMPTY_REPLY));
      expect(reply.calls.every(({ argumentsText }) => argumentsText !== '')).toBe(true);
    }),
  );
});
