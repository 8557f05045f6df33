import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LinePage, type PageRequest } from '../../src/tools/line-page.js';

const ALL: PageRequest = { offset: 1, limit: 2000, maxBytes: 30_000, redact: (text) => text };

function pageOf(chunks: readonly Buffer[], request: Partial<PageRequest> = {}): LinePage {
  const page = new LinePage({ ...ALL, ...request });
  for (const chunk of chunks) page.feed(chunk);
  page.end();
  return page;
}

const text = fc.string({
  unit: fc.constantFrom('a', 'ä', '€', '😀', '\n', '\r', ' '),
  maxLength: 60,
});

test('however the bytes are cut into chunks, the page is the same', () => {
  fc.assert(
    fc.property(
      text,
      fc.array(fc.nat(80), { maxLength: 6 }),
      fc.integer({ min: 1, max: 9 }),
      (all, cuts, offset) => {
        const bytes = Buffer.from(all);
        const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b)];
        const chunks = at.map((start, index) =>
          bytes.subarray(start, at[index + 1] ?? bytes.length),
        );
        const [whole, cut] = [pageOf([bytes], { offset }), pageOf(chunks, { offset })];
        expect([cut.lines, cut.total]).toEqual([whole.lines, whole.total]);
      },
    ),
  );
});

test('a page holds the lines that splitting the text would give', () => {
  fc.assert(
    fc.property(text, (all) => {
      const lines = all.split('\n').map((line) => line.replace(/\r$/, ''));
      if (all === '' || all.endsWith('\n')) lines.pop();
      expect(pageOf([Buffer.from(all)]).lines).toEqual(
        lines.map((line, n) => `L${n + 1}: ${line}`),
      );
    }),
  );
});

test('a byte order mark is not part of the first line', () => {
  expect(pageOf([Buffer.from('\uFEFFone\n\uFEFFtwo')]).lines).toEqual(['L1: one', 'L2: \uFEFFtwo']);
});

test('lines that came before are counted', () => {
  const page = pageOf([Buffer.from('x\ny\nz\n')], { before: 10, offset: 12, limit: 1 });
  expect([page.lines, page.total]).toEqual([['L12: y'], 13]);
});

test('a secret that a long line is cut in is taken out before', () => {
  const redact = (line: string): string => line.replaceAll('secret', '[redacted]');
  const line = `${'x'.repeat(497)}secret${'y'.repeat(100)}`;
  const [shown = ''] = pageOf([Buffer.from(line)], { redact }).lines;
  expect(shown).toBe(`L1: ${'x'.repeat(497)}[re... [line truncated at 500 chars]`);
});

test('lines of any length need no more memory than the page', () => {
  const page = new LinePage(ALL);
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 400; n += 1) page.feed(Buffer.alloc(256 * 1024, 'x'));
  page.feed(Buffer.from('\nlast'));
  page.end();
  expect(page.lines).toEqual([
    `L1: ${'x'.repeat(500)}... [line truncated at 500 chars]`,
    'L2: last',
  ]);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(32 * 1024 * 1024);
});
