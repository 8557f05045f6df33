import fc from 'fast-check';
import { expect, test } from 'vitest';
import { framedGuide } from '../../messages/tool-guides.js';
import { PastSearch } from '../../src/tools/past-search.js';
import { pastCall } from './past-calls.js';

const search = (words: string, { offset = 1, limit = 20 } = {}): PastSearch =>
  new PastSearch({ words, offset, limit });

test('a call is found by its arguments, its result or both, whatever the case', () => {
  const found = search('Needle');
  pastCall(1, 'edit_file', { path: 'src/needle.ts' }, 'edited').forEach((row) => found.apply(row));
  pastCall(2, 'shell', { command: 'ls' }, 'hay\nA NEEDLE\nhay').forEach((row) => found.apply(row));
  pastCall(3, 'shell', { command: 'ls' }, 'hay').forEach((row) => found.apply(row));
  expect(found.page).toEqual({
    total: 2,
    found: [
      'main_2_1 shell({"command":"ls"})\n  L2: A NEEDLE',
      'main_1_1 edit_file({"path":"src/needle.ts"})',
    ],
  });
});

test('of one result five lines are shown, and how many more there are', () => {
  const found = search('row');
  const log = Array.from({ length: 9 }, (_, i) => `row ${i}`).join('\n');
  pastCall(1, 'shell', {}, log).forEach((row) => found.apply(row));
  const [text = ''] = found.page.found;
  expect(text.split('\n').slice(1)).toEqual([
    ...[0, 1, 2, 3, 4].map((i) => `  L${i + 1}: row ${i}`),
    '  … and 4 more lines',
  ]);
});

test('words far into a long line are shown with what stands around them', () => {
  const found = search('needle');
  pastCall(1, 'shell', {}, `${'x'.repeat(5_000)}needle${'y'.repeat(5_000)}`).forEach((row) =>
    found.apply(row),
  );
  const [text = ''] = found.page.found;
  expect(text).toMatch(/…x{100}needley{194}…$/);
});

test('what a result explains of its tool is not searched', () => {
  const found = search('needle');
  pastCall(1, 'shell', {}, `hay\n${framedGuide('shell', 'a needle')}`).forEach((row) =>
    found.apply(row),
  );
  expect(found.page.total).toBe(0);
});

test('what an earlier search showed is not found again', () => {
  const found = search('needle');
  pastCall(1, 'read_output', { search: 'needle' }, 'main_1_1 … needle').forEach((row) =>
    found.apply(row),
  );
  expect(found.page.total).toBe(0);
});

test('pages have each call that has the words once, newest first', () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { maxLength: 40 }),
      fc.integer({ min: 1, max: 7 }),
      (have, limit) => {
        const rows = have.flatMap((has, i) => pastCall(i + 1, 'grep', {}, has ? 'needle' : 'hay'));
        const wanted = have.flatMap((has, i) => (has ? [i + 1] : [])).reverse();
        const paged: string[] = [];
        for (let offset = 1; offset <= wanted.length; offset += limit) {
          const found = search('needle', { offset, limit });
          rows.forEach((row) => found.apply(row));
          expect(found.page.total).toBe(wanted.length);
          paged.push(...found.page.found);
        }
        expect(paged).toEqual(wanted.map((round) => `main_${round}_1 grep({})\n  L1: needle`));
      },
    ),
  );
});
