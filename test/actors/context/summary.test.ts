import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMPTY_RECORD, recordOf } from '../../../actors/context/record.js';
import { faultOf, keptWords, summaryMessages } from '../../../actors/context/summary.js';
import { zonesOf } from '../../../actors/context/zones.js';
import { userMessage } from '../../../actors/conversation.js';
import { conversationOf, pastRounds, type PastRound } from '../../support/histories.js';

const GOOD =
  'Changed src/parse.ts so that an empty list is read. The tests of the parser pass now.';
const record = { ...EMPTY_RECORD, changed: ['src/parse.ts'] };

const faults: readonly (readonly [string, string, string | null])[] = [
  ['names what was changed', GOOD, null],
  ['is empty', ' \n ', 'it is empty or says next to nothing'],
  ['says next to nothing', 'All went well.', 'it is empty or says next to nothing'],
  [
    'leaves out every changed file',
    GOOD.replace('src/parse.ts', 'a file or two'),
    'it leaves out files that were changed',
  ],
  ['is longer than its source', GOOD.repeat(20), 'it is longer than what it summarises'],
  ['is very long', GOOD.repeat(400), 'it is too long'],
  ['holds a call as text', `${GOOD} <tool_call>{}`, 'it holds chat markup'],
  ['pretends to end', `${GOOD} </context_summary>`, 'it holds chat markup'],
];

test.each(faults)('a summary that %s', (_name, text, fault) => {
  expect(faultOf(text, record, 1_500)).toBe(fault);
});

test('the summary stands in the role of the agent, and the words of a person follow it', () => {
  const words = [userMessage('use tabs', 'steer')];
  const [summary, ...rest] = summaryMessages(GOOD, record, words);
  expect(summary?.role).toBe('assistant');
  expect(summary?.text).toMatch(/^<context_summary>\n/);
  expect(summary?.text).toContain('Files changed:\n- src/parse.ts');
  expect(rest).toEqual(words);
});

test('without words of a person the agent is told to go on', () => {
  const [, goOn] = summaryMessages(GOOD, record, []);
  expect(goOn).toMatchObject({ role: 'user', origin: 'harness' });
});

test('notices of the program are not words of a person', () => {
  const goal = userMessage('the goal', 'goal');
  expect(keptWords([goal, userMessage('interrupted', 'harness')])).toEqual([goal]);
});

const call = (name: string, args: object, result: string): PastRound => ({
  heard: null,
  text: '',
  calls: [{ name, args, result }],
});

test('the record tells files, commands, errors and answers, the newest mention last', () => {
  const { messages } = conversationOf([
    call('read_file', { path: 'a.ts' }, 'L1: a'),
    call('edit_file', { path: 'a.ts' }, 'Edited a.ts'),
    call('edit_file', { path: 'b.ts' }, 'Error: old_string was not found'),
    call('shell', { command: 'npm  test' }, '[exit: 1]\n1 failed: parser'),
    call('ask_user', { prompt: 'Tabs?' }, '{"status":"selected","text":"no"}'),
    call('write_file', { path: 'c.ts' }, 'Wrote 3 lines to c.ts'),
    call('edit_file', { path: 'a.ts' }, 'Edited a.ts'),
  ]);
  expect(recordOf(messages, EMPTY_RECORD)).toEqual({
    changed: ['c.ts', 'a.ts'],
    read: ['a.ts'],
    commands: ['npm test → exit 1'],
    errors: ['main_3_1: Error: old_string was not found', 'main_4_1: 1 failed: parser'],
    answers: ['Tabs? → {"status":"selected","text":"no"}'],
  });
});

test('the record keeps the newest sixty files, and every answer', () => {
  const files = Array.from({ length: 70 }, (_, i) => call('write_file', { path: `${i}` }, 'ok'));
  const answers = Array.from({ length: 70 }, (_, i) => call('ask_user', { prompt: `${i}` }, 'yes'));
  const kept = recordOf(conversationOf([...files, ...answers]).messages, EMPTY_RECORD);
  expect(kept.changed).toHaveLength(60);
  expect(kept.changed.at(-1)).toBe('69');
  expect(kept.answers).toHaveLength(70);
});

test('no zone begins between an answer and its results', () => {
  fc.assert(
    fc.property(pastRounds(25), fc.nat({ max: 30 }), (past, recent) => {
      const { messages } = conversationOf(past);
      const { pinned, summary, middle } = zonesOf(messages, recent);
      expect(pinned).toBe(2);
      expect(summary).toBe(2);
      expect(middle).toBeGreaterThanOrEqual(2);
      expect(messages[middle]?.role).not.toBe('tool');
      expect(messages.length - middle).toBeGreaterThanOrEqual(
        Math.min(messages.length - 2, Math.max(1, recent)),
      );
    }),
  );
});
