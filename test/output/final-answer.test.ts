import { expect, test } from 'vitest';
import { userMessage } from '../../actors/conversation.js';
import type { Message } from '../../messages/conversation.js';
import { finalAnswer, objectionTo } from '../../src/output/final-answer.js';
import { compileSchema, type Validator } from '../../src/output/schema.js';
import { AgentRun } from '../support/agent-run.js';
import { calls, says, type Turn } from '../support/scripted-model.js';

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { $ref: '#/$defs/age' } },
  required: ['name'],
  additionalProperties: false,
  $defs: { age: { type: 'integer', minimum: 0 } },
};

function validatorOf(schema: object): Validator {
  const compiled = compileSchema({ ...schema });
  if (!compiled.ok) throw new Error(compiled.reason);
  return compiled.validate;
}
const validate = validatorOf(SCHEMA);

test.each([
  ['bare', '{"name":"Bob"}'],
  ['with space around it', '\n {"name":"Bob"} \n'],
  ['in a fence', 'Here:\n```json\n{"name":"Bob"}\n```\nThat is it.'],
])('JSON %s is the answer', (_, text) => {
  expect(finalAnswer(text, validate)).toEqual({ ok: true, value: { name: 'Bob' } });
});

test.each([
  ['words', 'Bob', 'It is not JSON.'],
  ['nothing', '', 'It is not JSON.'],
  ['two fences', '```\n1\n```\n```\n2\n```', 'It is not JSON.'],
  ['a missing key', '{}', "- the value must have required property 'name'"],
  ['another key', '{"name":"x","b":1}', 'must NOT have additional properties'],
  ['a value deep inside', '{"name":"x","age":-1}', '- /age must be >= 0'],
])('what does not fit is told with its place: %s', (_, text, reason) => {
  const answer = finalAnswer(text, validate);
  expect(answer.ok ? '' : answer.reason).toContain(reason);
});

test.each([
  ['an unknown type', { type: 'objekt' }],
  ['a reference to nowhere', { $ref: '#/$defs/none' }],
  ['a draft of long ago', { $schema: 'http://json-schema.org/draft-04/schema#' }],
])('a schema with %s cannot be used, and says why', (_, schema) => {
  const compiled = compileSchema({ ...schema });
  expect(compiled.ok ? '' : compiled.reason).not.toBe('');
});

test('draft 7 is judged as draft 7', () => {
  const pair = { type: 'array', items: [{ type: 'string' }, { type: 'number' }] };
  const judge = validatorOf({ $schema: 'http://json-schema.org/draft-07/schema#', ...pair });
  expect(judge(['a', 1])).toEqual([]);
  expect(judge([1, 'a'])).toHaveLength(2);
});

const objection = (
  end: Parameters<typeof objectionTo>[0],
  messages: readonly Message[],
): string | null => objectionTo(end, messages, validate);

const run = (...turns: readonly Turn[]): AgentRun =>
  new AgentRun({ turns, setup: { objection, outputSchema: SCHEMA } }).start();

test('an answer that does not fit is sent back with the errors, twice', async () => {
  const mended = run(says('Bob'), says('{"name":1}'), says('{"name":"Bob"}'));
  expect(await mended.end()).toMatchObject({ status: 'done', text: '{"name":"Bob"}' });
  const stubborn = run(says('a'), says('b'), says('c'), says('d'));
  expect(await stubborn.end()).toMatchObject({ status: 'done', text: 'c' });
  expect(stubborn.model.requests.items).toHaveLength(3);
  expect(stubborn.model.requests.items[0]?.outputSchema).toEqual(SCHEMA);
  const told = stubborn.journal
    .ofKind('message.added')
    .filter(({ body }) => body.message.role === 'user');
  expect(told).toHaveLength(2);
});

test('what `submit` says is judged like an answer', async () => {
  const submitted = run(
    calls(['submit', { summary: 'done', outcome: 'done' }]),
    calls(['submit', { summary: '{"name":"Bob"}', outcome: 'done' }]),
  );
  expect(await submitted.end()).toMatchObject({ status: 'done', text: '{"name":"Bob"}' });
});

test('each goal of a person has its own two repairs, also after a restart', () => {
  const end = { status: 'done', text: 'no', denied: [] } as const;
  const first = objection(end, []) ?? '';
  const messages = [userMessage(first, 'harness'), userMessage(first, 'harness')];
  expect(objection(end, messages)).toBeNull();
  expect(objection(end, [...messages, userMessage('once more', 'steer')])).not.toBeNull();
});
