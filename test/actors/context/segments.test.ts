import fc from 'fast-check';
import { expect, test } from 'vitest';
import { candidates } from '../../../actors/context/masking.js';
import { segmentsOf, turnsOf, type Segment } from '../../../actors/context/segments.js';
import type { Message } from '../../../messages/conversation.js';
import { conversationOf, pairFaults, pastRounds, type PastRound } from '../../support/histories.js';

const BY_MESSAGES = { of: (turn: readonly Message[]) => turn.length, max: Infinity };

/** What stands behind the goal. */
const middleOf = (rounds: readonly PastRound[]): readonly Message[] =>
  conversationOf(rounds).messages.slice(2);

const segmentsIn = (rounds: readonly PastRound[], max = Infinity): Segment[] =>
  segmentsOf(middleOf(rounds), { ...BY_MESSAGES, max });

/** How each begins and how many turns it has. */
const shape = (segments: readonly Segment[]): string[] =>
  segments.map(({ begins, turns }) => `${begins} ${turns.length}`);

const round = (path: string, heard: string | null = null): PastRound => ({
  heard,
  text: '',
  calls: [{ name: 'read_file', args: { path }, result: 'L1: a' }],
});
const command = (text: string): PastRound => ({
  heard: null,
  text: '',
  calls: [{ name: 'shell', args: { command: text }, result: '[exit: 0]' }],
});
const on = (paths: readonly string[], rounds: number): PastRound[] =>
  Array.from({ length: rounds }, (_, i) => round(paths[i % paths.length] ?? ''));

const PARSER = ['src/parse.ts', 'test/parse.test.ts'];
const SERVER = ['src/server.ts', 'test/server.test.ts'];

test('pieces hold all messages, in order, and no call is apart from its results', () => {
  fc.assert(
    fc.property(pastRounds(40), fc.integer({ min: 1, max: 30 }), (past, max) => {
      const messages = middleOf(past);
      const segments = segmentsOf(messages, { ...BY_MESSAGES, max });
      expect(segments.flatMap(({ turns }) => turns.flat())).toEqual(messages);
      for (const { turns } of segments) expect(pairFaults(turns.flat())).toEqual([]);
      for (const { turns } of segments)
        expect(turns.length === 1 || turns.flat().length <= max).toBe(true);
      expect(segmentsOf(messages, { ...BY_MESSAGES, max })).toEqual(segments);
    }),
  );
});

test('a person who speaks always begins a piece, and every cause is a true one', () => {
  fc.assert(
    fc.property(pastRounds(40), (past) => {
      const segments = segmentsIn(past);
      for (const [i, { begins, turns }] of segments.entries()) {
        const speaks = turns.map(([first]) => first?.role === 'user' && first.origin === 'steer');
        const firstWork = speaks.indexOf(false);
        // Words in a row stand at the beginning, and nowhere else.
        expect(speaks.slice(Math.max(0, firstWork)).includes(true)).toBe(firstWork === -1);
        expect(begins === 'start').toBe(i === 0);
        if (i > 0) expect(begins).toBe(speaks[0] === true ? 'turn' : 'files');
      }
    }),
  );
});

test('masking results moves no piece that ends for its files or for what a person said', () => {
  fc.assert(
    fc.property(pastRounds(40), (past) => {
      const conversation = conversationOf(past);
      const before = shape(segmentsOf(conversation.messages, BY_MESSAGES));
      const rule = { round: 1_000, before: Infinity, minAge: 1, keepResults: 0 };
      conversation.mask(candidates(conversation.messages, rule));
      expect(shape(segmentsOf(conversation.messages, BY_MESSAGES))).toEqual(before);
    }),
  );
});

test('work on some files and then on others is divided where the others begin', () => {
  const segments = segmentsIn([...on(PARSER, 9), ...on(SERVER, 7)]);
  expect(shape(segments)).toEqual(['start 9', 'files 7']);
  expect(segments.map(({ files }) => files)).toEqual([PARSER, SERVER]);
});

test('three pieces of work are three, in one folder too', () => {
  const [a, b, c] = [on(['src/a.ts'], 8), on(['src/b.ts'], 8), on(['src/c.ts'], 8)];
  expect(shape(segmentsIn([...a, ...b, ...c]))).toEqual(['start 8', 'files 8', 'files 8']);
});

test('rounds that name no file belong to the work before them', () => {
  const tests = [command('npm test'), command('npm test')];
  const segments = segmentsIn([...on(PARSER, 6), ...tests, ...on(SERVER, 6)]);
  expect(shape(segments)).toEqual(['start 8', 'files 6']);
});

test('the files of commands count, and so do those written another way', () => {
  const tests = command('cd . && npx vitest run "test/parse.test.ts" > /dev/null');
  const parser = [round('./src/parse.ts'), tests, round('src/parse.ts'), tests, tests];
  const segments = segmentsIn([...parser, ...on(SERVER, 6)]);
  expect(shape(segments)).toEqual(['start 5', 'files 6']);
  expect(segments[0]?.files).toEqual(['test/parse.test.ts', 'src/parse.ts']);
});

test.each([
  ['one look at another file', 1],
  ['two', 2],
  ['three', 3],
])('%s in the middle of work divides nothing', (_name, visits) => {
  const elsewhere = on(['docs/x.md', 'etc/y.toml', 'lib/z.js'], visits);
  const segments = segmentsIn([...on(PARSER, 8), ...elsewhere, ...on(PARSER, 8)]);
  expect(shape(segments)).toEqual([`start ${16 + visits}`]);
});

test('going through a folder file by file is one piece of work', () => {
  const files = Array.from({ length: 40 }, (_, i) => `src/part-${i}.ts`);
  expect(shape(segmentsIn(on(files, 40)))).toEqual(['start 40']);
});

test('a search that never settles is one change at most', () => {
  const files = Array.from({ length: 40 }, (_, i) => `folder-${i}/file.ts`);
  expect(segmentsIn(on(files, 40)).length).toBeLessThanOrEqual(2);
});

test('no change of files is closer to another than three rounds', () => {
  const paths = fc.constantFrom('a/1.ts', 'a/2.ts', 'b/1.ts', 'c/1.ts', 'd/1.ts');
  fc.assert(
    fc.property(fc.array(paths, { maxLength: 80 }), (files) => {
      for (const { turns } of segmentsIn(files.map((path) => round(path))))
        expect(turns.length).toBeGreaterThanOrEqual(Math.min(3, files.length));
    }),
  );
});

test('long work on the same files is divided for its length only', () => {
  const segments = segmentsIn(on(PARSER, 20), 12);
  expect(shape(segments)).toEqual(['start 6', 'size 6', 'size 6', 'size 2']);
});

test('a person divides work on the same files', () => {
  const segments = segmentsIn([...on(PARSER, 4), round('src/parse.ts', 'And use tabs.')]);
  expect(shape(segments)).toEqual(['start 4', 'turn 2']);
});

test('a turn is an answer with its results, or a message by itself', () => {
  const turns = turnsOf(middleOf([round('a.ts', 'Go.'), command('true')]));
  expect(turns.map((turn) => turn.map(({ role }) => role))).toEqual([
    ['user'],
    ['assistant', 'tool'],
    ['assistant', 'tool'],
  ]);
});
