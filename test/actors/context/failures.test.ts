import { expect, test } from 'vitest';
import { endingOf } from '../../../actors/context/failures.js';
import { candidates, placeholder } from '../../../actors/context/masking.js';
import { partsToCondense } from '../../../actors/context/parts.js';
import { recordOf, EMPTY_RECORD } from '../../../actors/context/record.js';
import { conversationOf } from '../../support/histories.js';
import { callIdOf, MAIN_AGENT } from '../../../messages/ids.js';
import { framedGuide } from '../../../messages/tool-guides.js';

const callId = callIdOf(MAIN_AGENT, 3, 1);
const masked = (text: string): string =>
  placeholder({ role: 'tool', callId, name: 'shell', text }, undefined);

test.each([
  ['[exit: 0]\nall well', { exit: '0', failed: false, error: null }],
  [
    '[exit: 1]\n-rw- 1 dev expected-error.ts\nTypeError: x is not a function\nat y',
    { exit: '1', failed: true, error: 'TypeError: x is not a function' },
  ],
  ['[exit: 2]\n3 tests failed', { exit: '2', failed: true, error: '3 tests failed' }],
  ['[exit: 2]', { exit: '2', failed: true, error: null }],
  ['Error: no such file', { exit: null, failed: true, error: 'Error: no such file' }],
])('the end of %j is the same once it is masked', (text, ending) => {
  expect(endingOf(text)).toEqual(ending);
  expect(endingOf(masked(text))).toEqual(ending);
});

test.each(['L1: export const a = 1;', '', 'exit 1: a file that says so'])(
  'what went well is no failure once it is masked: %j',
  (text) => {
    expect(endingOf(masked(text))).toEqual({ exit: null, failed: false, error: null });
  },
);

test('the record of what was masked before still tells exit codes and errors', () => {
  const filler = 'a line of output\n'.repeat(40);
  const run = (result: string) => ({
    heard: null,
    text: '',
    calls: [{ name: 'shell', args: { command: 'npm test' }, result }],
  });
  const conversation = conversationOf([
    run(`[exit: 1]\n${filler}Error: the parser stopped`),
    run(`[exit: 0]\n${filler}`),
  ]);
  const rule = { round: 20, before: Infinity, minAge: 3, keepResults: 0 };
  const before = recordOf(conversation.messages, EMPTY_RECORD);
  conversation.mask(candidates(conversation.messages, rule));
  expect(recordOf(conversation.messages, EMPTY_RECORD)).toEqual(before);
  expect(before.errors).toEqual(['main_1_1: Error: the parser stopped']);
});

test('a guide below a result tells neither an error nor anything else of the call', () => {
  const guide = framedGuide('shell', 'With a pipe the tests fail unseen. Error: never meant.');
  expect(endingOf(`[exit: 1]\n${guide}`)).toEqual({ exit: '1', failed: true, error: null });
  expect(masked(`[exit: 1]\n${guide}`)).toMatch(/exit 1; read_output id=main_3_1\]$/);
  expect(masked(guide)).toContain('lines, blank;');
  const { messages } = conversationOf([
    { heard: null, text: '', calls: [{ name: 'shell', args: {}, result: `fine\n${guide}` }] },
  ]);
  const { texts } = partsToCondense(messages, { maxChars: 10_000, byPiece: false });
  expect(texts.join('')).toContain('fine\n</result>');
});
