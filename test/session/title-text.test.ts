/** What is taken for a title in what a model answers. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TITLE_CHARS, titleIn } from '../../src/session/title-text.js';

test.each([
  ['Repair the parser', 'Repair the parser'],
  ['**Title:** "Repair the parser."\n', 'Repair the parser'],
  ['\n\n# Repair the parser\n\nIt fails on commas.', 'Repair the parser'],
  ['<think>short, hm\n</think>\nRepair the parser', 'Repair the parser'],
  ['Titel: Den Parser reparieren', 'Den Parser reparieren'],
  ['Fix C.I. for v1.2', 'Fix C.I. for v1.2'],
  ['\u001b]0;gone\u0007Repair \u202ethe parser', 'Repair the parser'],
  ['', null],
  ['  \n""\n', null],
])('%j is %j', (answer, title) => {
  expect(titleIn(answer)).toBe(title);
});

test('a title is one line of 60 characters at most, cut between words', () => {
  const long =
    'Repair the parser of the configuration so that commas in strings are kept as they are';
  expect(titleIn(long)).toBe('Repair the parser of the configuration so that commas in…');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (answer) => {
      const title = titleIn(answer);
      if (title === null) return;
      expect(title.length).toBeLessThanOrEqual(TITLE_CHARS);
      expect(title).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect(title.trim()).toBe(title);
      expect(title).not.toBe('');
    }),
  );
});
