import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMPTY_REPLY, finish, step } from '../../src/model/assemble.js';
import { MAX_CALLS } from '../../src/model/call-deltas.js';

const assemble = (...chunks: unknown[]) => finish(chunks.reduce(step, EMPTY_REPLY));

const delta = (fields: object, finish_reason: string | null = null) => ({
  choices: [{ delta: fields, finish_reason }],
});

const piece = (fields: object) => delta({ tool_calls: [fields] });

const fn = (name: string | null, args?: string) => ({ function: { name, arguments: args } });

const calls = (...chunks: unknown[]) =>
  assemble(...chunks).calls.map(({ name, argumentsText }) => `${name}${argumentsText}`);

test('a known id continues its call although another came in between', () => {
  const chunks = [
    piece({ id: 'a', ...fn('shell', '{"x"') }),
    piece({ id: 'b', ...fn('think', '{') }),
    piece({ id: 'a', ...fn(null, ':1}') }),
    piece({ id: 'b', ...fn(null, '}') }),
  ];
  expect(calls(...chunks)).toEqual(['shell{"x":1}', 'think{}']);
});

test('a new id with a name on a used index is a new call', () => {
  const chunks = [
    piece({ id: 'a', index: 0, ...fn('shell', '{"x":1}') }),
    piece({ id: 'b', index: 0, ...fn('shell', '{"x":2}') }),
  ];
  expect(calls(...chunks)).toEqual(['shell{"x":1}', 'shell{"x":2}']);
});

test('one id for two numbered calls does not make them one', () => {
  const chunks = [
    piece({ id: 'same', index: 0, ...fn('shell', '{"x":1}') }),
    piece({ id: 'same', index: 1, ...fn('shell', '{"x":2}') }),
  ];
  expect(calls(...chunks)).toEqual(['shell{"x":1}', 'shell{"x":2}']);
});

test('a name that is repeated with every piece does not begin a new call', () => {
  const chunks = [
    piece({ index: 0, ...fn('shell', '{"x"') }),
    piece({ index: 0, ...fn('shell', ':1}') }),
    piece({ index: 0, ...fn('shell', '') }),
  ];
  expect(calls(...chunks)).toEqual(['shell{"x":1}']);
});

test('whole calls with neither id nor index are told apart by name or by whole arguments', () => {
  const chunks = [
    piece(fn('shell', '{"x":1}')),
    piece(fn('shell', '{"x":2}')),
    piece(fn('think', '{}')),
  ];
  expect(calls(...chunks)).toEqual(['shell{"x":1}', 'shell{"x":2}', 'think{}']);
});

test('several pieces in one chunk are several calls', () => {
  const both = delta({ tool_calls: [fn('shell', '{"x":1}'), fn('think')] });
  expect(calls(both)).toEqual(['shell{"x":1}', 'think{}']);
});

test('only the call that a limit cut short lacks its arguments', () => {
  const chunks = [
    piece({ index: 0, id: 'a', ...fn('git_status') }),
    piece({ index: 1, id: 'b', ...fn('submit') }),
    delta({}, 'length'),
  ];
  expect(calls(...chunks)).toEqual(['git_status{}', 'submit{']);
});

test('calls count whatever the server says it finished for, and none are made up', () => {
  const chunk = piece({ id: 'a', ...fn('shell', '{}') });
  expect(assemble(chunk, delta({}, 'stop')).finish).toBe('calls');
  expect(assemble(delta({ content: 'x' }, 'tool_calls')).finish).toBe('stop');
  expect(assemble(delta({ content: 'x' }, 'content_filter')).finish).toBe('filtered');
  expect(assemble(delta({ content: 'x' })).finish).toBe('unstated');
});

test('reasoning is taken from one field, also when it comes as a list of details', () => {
  const text = [{ type: 'reasoning.text', text: 'hm ' }];
  expect(assemble(delta({ reasoning: 'hm', reasoning_content: 'hm' })).reasoning).toBe('hm');
  expect(assemble(delta({ reasoning: 'hm', reasoning_details: text })).reasoning).toBe('hm');
  const details = [...text, { type: 'reasoning.encrypted', data: 'x' }];
  expect(assemble(delta({ reasoning_details: details })).reasoning).toBe('hm ');
});

test('content in parts is put together, and thinking in it is reasoning', () => {
  const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] };
  const said = assemble(delta({ content: [thinking, { type: 'text', text: 'yes' }] }));
  expect(said).toMatchObject({ text: 'yes', reasoning: 'hm' });
});

test('a refusal is what the model said', () => {
  expect(assemble(delta({ content: null, refusal: 'I cannot.' })).text).toBe('I cannot.');
});

test('the newest usage counts, and one that cannot be true does not', () => {
  const usage = { prompt_tokens: 5, completion_tokens: 2 };
  const broken = { prompt_tokens: -1, completion_tokens: null };
  const said = assemble({ usage: { ...usage, prompt_tokens: 4 } }, { usage }, { usage: broken });
  expect(said.usage).toEqual({ promptTokens: 5, completionTokens: 2, cachedTokens: 0 });
});

test('a chunk that adds nothing changes nothing', () => {
  for (const chunk of [null, 7, {}, { choices: [] }, delta({ role: 'assistant', content: '' })]) {
    expect(step(EMPTY_REPLY, chunk)).toBe(EMPTY_REPLY);
  }
});

test('a model that asks for calls without end gets a bounded number', () => {
  const endless = Array.from({ length: MAX_CALLS * 2 }, (_, at) =>
    piece({ id: `c${at}`, index: at, ...fn('shell', '{}') }),
  );
  expect(assemble(...endless).calls).toHaveLength(MAX_CALLS);
});

test('chunks of any shape are survived', () => {
  const fields = fc.dictionary(
    fc.constantFrom('id', 'index', 'function', 'name', 'arguments', 'content', 'reasoning_details'),
    fc.jsonValue(),
  );
  const shaped = fc.record({
    choices: fc.array(
      fc.record({ delta: fc.oneof(fields, fc.record({ tool_calls: fc.array(fields) })) }),
    ),
    usage: fc.jsonValue(),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(shaped, fc.jsonValue())), (chunks) => {
      const said = assemble(...chunks);
      expect(said.calls.every(({ argumentsText }) => argumentsText !== '')).toBe(true);
    }),
  );
});
