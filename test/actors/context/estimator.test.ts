import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bulkOf, Estimator, FIRST_WEIGHTS } from '../../../actors/context/estimator.js';
import { measure, sum } from '../../../actors/context/text-measure.js';
import { userMessage } from '../../../actors/conversation.js';

/** Text, and its tokens in the encoding o200k, counted once with a tokenizer. */
const COUNTED: readonly (readonly [string, string, number])[] = [
  [
    'English',
    'The harness never starts the same side-effecting call twice, and what was acknowledged survives a crash.',
    20,
  ],
  ['code', 'export const shortId = (session: SessionId): string => session.slice(0, 8);\n', 21],
  ['JSON', '{"name":"read_file","arguments":{"path":"src/a.ts","offset":1,"limit":2000}}', 23],
  ['a listing', '-rw-r--r-- 1 root root  5493 Nov 22 01:44 agent-loop.ts\n', 25],
  ['Japanese', '今日は天気がいいので、散歩に行きました。', 14],
  ['hex', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', 43],
];

test.each(COUNTED)('a first estimate of %s is within a half', (_kind, text, tokens) => {
  const estimate = new Estimator().tokens({ text: measure(text), fixed: 0 });
  expect(Math.abs(estimate / tokens - 1)).toBeLessThan(0.5);
});

test.each(COUNTED)(
  'after twenty reports the estimate of %s is within a tenth',
  (_kind, text, tokens) => {
    const estimator = new Estimator();
    const bulk = { text: measure(text.repeat(50)), fixed: 0 };
    for (let i = 0; i < 20; i += 1) estimator.learn(bulk, 50 * tokens);
    expect(Math.abs(estimator.tokens(bulk) / (50 * tokens) - 1)).toBeLessThan(0.1);
  },
);

test.each([0, -5, NaN, Infinity, 1, 1e12])('a report of %d tokens teaches nothing', (reported) => {
  const estimator = new Estimator();
  estimator.learn(bulkOf(userMessage('a b c '.repeat(100), 'goal')), reported);
  expect(estimator.weights).toEqual(FIRST_WEIGHTS);
});

test('whatever servers report, an estimate stays within a factor of three of the first one', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.double())), text, (reports, asked) => {
      const estimator = new Estimator();
      for (const [said, reported] of reports)
        estimator.learn({ text: measure(said), fixed: 4 }, reported);
      const bulk = { text: measure(asked), fixed: 0 };
      const first = new Estimator().tokens(bulk);
      expect(estimator.tokens(bulk)).toBeGreaterThanOrEqual(Math.floor(first / 3));
      expect(estimator.tokens(bulk)).toBeLessThanOrEqual(Math.ceil(first * 3));
    }),
  );
});

test('what a text consists of adds up over its lines', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z0-9 .é漢]*$/u)), (lines) => {
      const whole = measure(lines.map((line) => `${line}\n`).join(''));
      const parts = sum(lines.map((line) => measure(line)));
      expect(whole.words).toBe(parts.words);
      expect(whole.digits).toBe(parts.digits);
      expect(whole.wide).toBe(parts.wide);
    }),
  );
});
