/** One answer, written in the manner of any server and cut anywhere, is always the same answer. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallPiece } from './chunks.js';
import { delta, DONE, FINISHED, pieces, said, streamOf } from './chunks.js';
import { assemble, cutAt } from './reading.js';

interface Intended {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** How a server tells its calls apart; each takes the calls' arguments in pieces. */
type Manner = (call: Intended, at: number, parts: readonly string[]) => readonly CallPiece[];

const first = (parts: readonly string[]): string => parts[0] ?? '';
const later = (parts: readonly string[]): readonly string[] => parts.slice(1);

const MANNERS: Readonly<Record<string, Manner>> = {
  'id first': ({ name }, at, parts) => [
    { id: `c${at}`, index: at, name, args: first(parts) },
    ...later(parts).map((args) => ({ index: at, args })),
  ],
  'no id': ({ name }, at, parts) => [
    { index: at, name, args: first(parts) },
    ...later(parts).map((args) => ({ index: at, args })),
  ],
  'no index': ({ name }, at, parts) => [
    { id: `c${at}`, name, args: first(parts) },
    ...later(parts).map((args) => ({ args })),
  ],
  'index 0 for all': ({ name }, at, parts) => [
    { id: `c${at}`, index: 0, name, args: first(parts) },
    ...later(parts).map((args) => ({ index: 0, args })),
  ],
  'index from 1': ({ name }, at, parts) => [
    { id: `c${at}`, index: at + 1, name, args: first(parts) },
    ...later(parts).map((args) => ({ id: '', index: at + 1, args })),
  ],
  'an id everywhere': ({ name }, at, parts) =>
    parts.map((args) => ({ id: `c${at}`, index: at, name, args })),
  'ids that change': ({ name }, at, parts) => [
    { id: `c${at}`, index: at, name, args: first(parts) },
    ...later(parts).map((args, n) => ({ id: `c${at}x${n}`, index: at, name: null, args })),
  ],
  'a late id': ({ name }, at, parts) => [
    { index: at, name, args: '' },
    ...parts.map((args) => ({ id: `c${at}`, index: at, args })),
  ],
  whole: ({ name }, at, parts) => [{ id: `c${at}`, index: at, name, args: parts.join('') }],
};

const call = fc.record({
  name: fc.constantFrom('shell', 'read_file', 'think'),
  args: fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
});

function cutText(text: string, sizes: readonly number[]): readonly string[] {
  const parts: string[] = [];
  let at = 0;
  for (const size of sizes) {
    parts.push(text.slice(at, at + size));
    at += size;
  }
  return [...parts, text.slice(at)];
}

test('whatever the manner and wherever the bytes are cut, calls and text are what was meant', async () => {
  const answer = fc.record({
    text: fc.string({ unit: 'grapheme', maxLength: 20 }),
    calls: fc.array(call, { maxLength: 4 }),
    manner: fc.constantFrom(...Object.keys(MANNERS)),
    sizes: fc.array(fc.nat({ max: 6 }), { maxLength: 5 }),
    cuts: fc.array(fc.nat({ max: 4_000 }), { maxLength: 40 }),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  });
  await fc.assert(
    fc.asyncProperty(answer, async ({ text, calls, manner, sizes, cuts, lineEnd }) => {
      const write = MANNERS[manner] ?? (() => []);
      const deltas = calls.flatMap((each, at) =>
        write(each, at, cutText(JSON.stringify(each.args), sizes)).map((piece) => pieces(piece)),
      );
      const stream = streamOf(delta({ role: 'assistant' }), said(text), ...deltas, FINISHED, DONE);
      const bytes = Buffer.from(stream.replaceAll('\n', lineEnd));
      const reply = await assemble(cutAt(bytes, cuts));
      expect(reply.text).toBe(text);
      expect(reply.calls.map(({ name }) => name)).toEqual(calls.map(({ name }) => name));
      const meant = calls.map(({ args }) => JSON.stringify(args));
      expect(reply.calls.map(({ argumentsText }) => argumentsText)).toEqual(meant);
    }),
    { numRuns: 300 },
  );
});
