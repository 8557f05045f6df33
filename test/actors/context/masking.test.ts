import { expect, test } from 'vitest';
import { candidates, isMasked, placeholder } from '../../../actors/context/masking.js';
import type { Message } from '../../../messages/conversation.js';
import { callIdOf, MAIN_AGENT, type CallId } from '../../../messages/ids.js';
import { conversationOf, type PastRound } from '../../support/histories.js';

const LONG = 'a line of text\n'.repeat(40);
const ran = (name: string, result = LONG, args: object = { path: 'a.ts' }): PastRound => ({
  heard: null,
  text: '',
  calls: [{ name, args, result }],
});
const rule = { round: 20, before: Infinity, minAge: 3, keepResults: 0 };
const roundsOf = (messages: readonly Message[], change: Partial<typeof rule> = {}): string[] =>
  candidates(messages, { ...rule, ...change }).map(({ callId }) => callId);

test('the line in place of a result names call, size, round, lines and the way back', () => {
  const callId = callIdOf(MAIN_AGENT, 3, 1);
  const call = { id: callId, name: 'shell', args: { command: 'npm test', timeout: 5 } };
  const text = '[exit: 1]\nfailed\nthree lines';
  expect(placeholder({ role: 'tool', callId, name: 'shell', text }, call)).toBe(
    '[Cleared: shell(command=npm test, timeout=5) — 28 chars, round 3] ' +
      '[completed; output masked -- 3 lines, exit 1: failed; read_output id=main_3_1]',
  );
});

test('long arguments are cut to three of 37 characters, 80 in all, on one line', () => {
  const callId = 'x' as CallId;
  const args = { a: 'é\n'.repeat(100), b: '🙂'.repeat(100), c: 'c'.repeat(100), d: 4 };
  const line = placeholder(
    { role: 'tool', callId, name: 'grep', text: 'one' },
    { id: callId, name: 'grep', args },
  );
  expect(line).not.toContain('\n');
  expect(line).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
  expect(/\((.*?)\) —/.exec(line)?.[1]?.length).toBeLessThanOrEqual(80);
  expect(line).toContain('round ?');
});

test('results younger than three rounds stay', () => {
  const { messages } = conversationOf([ran('grep'), ran('grep'), ran('grep')]);
  expect(roundsOf(messages, { round: 4 })).toEqual(['main_1_1']);
  expect(roundsOf(messages, { round: 6 })).toEqual(['main_1_1', 'main_2_1', 'main_3_1']);
});

test('the newest results stay, however old they are', () => {
  const { messages } = conversationOf([ran('grep'), ran('grep'), ran('grep')]);
  expect(roundsOf(messages, { keepResults: 2 })).toEqual(['main_1_1']);
});

test("a person's answers and the plan are never masked", () => {
  const protectedTools = ['ask_user', 'todo', 'submit_plan', 'submit'];
  const { messages } = conversationOf(protectedTools.map((name) => ran(name)));
  expect(roundsOf(messages)).toEqual([]);
});

test('an error stays until a later call of the same tool succeeds', () => {
  const error = `Error: no such file\n${LONG}`;
  const open = conversationOf([ran('grep', error), ran('read_file')]);
  expect(roundsOf(open.messages)).toEqual(['main_2_1']);
  const solved = conversationOf([ran('grep', error), ran('grep')]);
  expect(roundsOf(solved.messages)).toEqual(['main_1_1', 'main_2_1']);
  const exit = conversationOf([ran('shell', `[exit: 2]\n${LONG}`)]);
  expect(roundsOf(exit.messages)).toEqual([]);
});

test('a result that is hardly longer than its placeholder stays', () => {
  const { messages } = conversationOf([ran('grep', 'x'.repeat(150))]);
  expect(roundsOf(messages)).toEqual([]);
});

test('what is masked is no candidate again', () => {
  const conversation = conversationOf([ran('grep')]);
  conversation.mask(candidates(conversation.messages, rule));
  expect(roundsOf(conversation.messages)).toEqual([]);
  expect(conversation.messages.filter((m) => m.role === 'tool').every(isMasked)).toBe(true);
});
