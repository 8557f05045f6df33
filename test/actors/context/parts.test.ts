import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partsToCondense } from '../../../actors/context/parts.js';
import { conversationOf, pastRounds, type PastRound } from '../../support/histories.js';

const on = (path: string, rounds: number, chars = 1_500): PastRound[] =>
  Array.from({ length: rounds }, () => ({
    heard: null,
    text: '',
    calls: [{ name: 'read_file', args: { path }, result: 'x'.repeat(chars) }],
  }));

const partsOf = (past: readonly PastRound[], maxChars: number, byPiece: boolean) =>
  partsToCondense(conversationOf(past).messages.slice(2), { maxChars, byPiece });

test('parts hold whole turns, each in a frame, and keep to their size', () => {
  fc.assert(
    fc.property(
      pastRounds(20),
      fc.integer({ min: 200, max: 5_000 }),
      fc.boolean(),
      (past, maxChars, byPiece) => {
        const { messages } = conversationOf(past);
        const { texts, segments } = partsToCondense(messages, { maxChars, byPiece });
        for (const text of texts) expect(text.length).toBeLessThanOrEqual(maxChars);
        for (const text of texts) expect(text).toMatch(/^<work[^\n]*>\n[^]*<\/work>\n$/);
        const turns = messages.filter(({ role }) => role === 'assistant' || role === 'user').length;
        const begun = texts.join('').match(/<(agent|said by="(person|program)")>\n/g)?.length ?? 0;
        expect(begun).toBeGreaterThanOrEqual(turns);
        const counted = segments.reduce((sum, segment) => sum + segment.messages, 0);
        expect(counted).toBe(messages.length);
      },
    ),
  );
});

test('where there is time, as many pieces as fit are condensed at once', () => {
  const { texts } = partsOf([...on('a/x.ts', 8), ...on('b/y.ts', 8)], 100_000, false);
  expect(texts).toHaveLength(1);
  expect(texts[0]?.match(/^<work on="[^"]*">$/gm)).toEqual([
    '<work on="a/x.ts">',
    '<work on="b/y.ts">',
  ]);
});

test('where there is none, each piece is condensed by itself', () => {
  const { texts, segments } = partsOf([...on('a/x.ts', 16), ...on('b/y.ts', 16)], 100_000, true);
  expect(texts.map((text) => text.split('\n', 1)[0])).toEqual([
    '<work on="a/x.ts">',
    '<work on="b/y.ts">',
  ]);
  expect(segments).toEqual([
    { begins: 'start', messages: 32, files: ['a/x.ts'] },
    { begins: 'files', messages: 32, files: ['b/y.ts'] },
  ]);
});

test('a piece that is not worth a request takes in the next one', () => {
  const past = ['a/x.ts', 'b/y.ts', 'c/z.ts'].flatMap((path) => on(path, 8));
  const { texts, segments } = partsOf(past, 100_000, true);
  expect(segments).toHaveLength(3);
  expect(texts.map((text) => text.match(/<work/g)?.length)).toEqual([2, 1]);
});

test('however many pieces there are, there are no more than nine parts', () => {
  const past = Array.from({ length: 30 }, (_, i) => on(`folder-${i}/x.ts`, 6)).flat();
  const { texts, segments } = partsOf(past, 1_000_000, true);
  expect(segments).toHaveLength(30);
  expect(texts.length).toBeLessThanOrEqual(9);
});

test('a name of a file cannot end the frame, and long names are cut', () => {
  const path = `a">\n</work>${'very-long/'.repeat(40)}x.ts`;
  const { texts, segments } = partsOf(on(path, 1), 100_000, false);
  const [frame = ''] = texts[0]?.split('\n', 1) ?? [];
  expect(frame).toMatch(/^<work on="a \/work [^"<>]*">$/);
  expect(frame.length).toBeLessThan(250);
  expect(segments[0]?.files[0]?.length).toBeLessThanOrEqual(200);
});
