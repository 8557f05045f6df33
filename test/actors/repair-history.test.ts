import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repairHistory } from '../../actors/repair-history.js';
import type { AssistantMessage, Message, ToolMessage } from '../../messages/conversation.js';
import { callId, callOf } from '../support/session-samples.js';

const system: Message = { role: 'system', text: 'You work.' };
const user = (text: string): Message => ({ role: 'user', text, origin: 'goal' });
const answer = (text: string, ...ids: string[]): AssistantMessage => ({
  role: 'assistant',
  text,
  calls: ids.map((id) => callOf(id)),
});
const result = (id: string, text = 'fine'): ToolMessage => ({
  role: 'tool',
  callId: callId(id),
  name: 'read_file',
  text,
});

test('a sound history comes back as the very same array', () => {
  const sound = [
    system,
    user('go'),
    answer('', 'a', 'b'),
    result('a'),
    result('b'),
    answer('done'),
  ];
  expect(repairHistory(sound)).toBe(sound);
});

describe('what a server could refuse', () => {
  const start = [system, user('go')];
  test.each<[name: string, broken: Message[], fixed: Message[]]>([
    [
      'a call without a result gets one',
      [answer('', 'a')],
      [answer('', 'a'), result('a', '[no result of this call was kept]')],
    ],
    ['a result without a call goes', [result('x'), answer('done')], [answer('done')]],
    [
      'a second result of a call goes',
      [answer('', 'a'), result('a'), result('a', 'again')],
      [answer('', 'a'), result('a')],
    ],
    [
      'results come in the order of the calls',
      [answer('', 'a', 'b'), result('b'), result('a')],
      [answer('', 'a', 'b'), result('a'), result('b')],
    ],
    [
      'words between a call and its result come behind it',
      [answer('', 'a'), user('wait'), result('a')],
      [answer('', 'a'), result('a'), user('wait')],
    ],
    ['an empty answer goes', [answer(''), answer('done')], [answer('done')]],
    [
      'an empty result says so',
      [answer('', 'a'), result('a', ' ')],
      [answer('', 'a'), result('a', '(empty)')],
    ],
    ['two answers in a row become one', [answer('one'), answer('two')], [answer('one\n\ntwo')]],
    [
      'words before an answer with calls join it',
      [answer('first'), answer('', 'a'), result('a')],
      [answer('first', 'a'), result('a')],
    ],
  ])('%s', (_, broken, fixed) => {
    expect(repairHistory([...start, ...broken])).toEqual([...start, ...fixed]);
  });

  test('two messages of a person in a row become one', () => {
    expect(repairHistory([user('one'), user('two')])).toEqual([user('one\n\ntwo')]);
  });

  test('arguments that are no object become an empty one', () => {
    const broken = { ...answer('', 'a'), calls: [{ ...callOf('a'), invalid: '{"path": ' }] };
    const [fixed] = repairHistory([broken, result('a')]);
    expect(fixed).toEqual({ ...broken, calls: [{ id: 'a', name: 'read_file', args: {} }] });
  });
});

const text = fc.constantFrom('', ' ', 'words');
const anyMessage = fc.oneof(
  text.map(user),
  fc
    .tuple(text, fc.uniqueArray(fc.constantFrom('a', 'b', 'c')))
    .map(([said, calls]) => answer(said, ...calls)),
  fc.tuple(fc.constantFrom('a', 'b', 'x'), text).map(([id, said]) => result(id, said)),
);

/** Every call is followed by its one result, in order, and roles of speakers alternate. */
function isSound(messages: readonly Message[]): boolean {
  return messages.every((message, at) => {
    const before = messages[at - 1];
    if (message.role === 'user') return message.text.trim() !== '' && before?.role !== 'user';
    if (message.role !== 'assistant') return message.role === 'tool' && message.text.trim() !== '';
    const behind = messages
      .slice(at + 1)
      .map((next) => (next.role === 'tool' ? next.callId : null));
    const results = behind.slice(0, behind.includes(null) ? behind.indexOf(null) : undefined);
    return results.join() === message.calls.map(({ id }) => id).join();
  });
}

test('whatever it was, what is sent is sound, and is not repaired a second time', () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 12 }), (messages) => {
      const fixed = repairHistory(messages);
      expect(isSound(fixed)).toBe(true);
      expect(repairHistory(fixed)).toBe(fixed);
    }),
  );
});
