import { expect, test } from 'vitest';
import type { ToolOutcome } from '../../messages/tools.js';
import { workbench } from './workbench.js';

const found = (text: string): ToolOutcome => ({ status: 'ok', text, truncated: false });

function onTheWeb(text = 'found') {
  const asked: unknown[][] = [];
  const bench = workbench({
    web: {
      fetch: (...args) => {
        asked.push(args.slice(0, -1));
        return Promise.resolve(found(text));
      },
      search: (...args) => {
        asked.push(args.slice(0, -1));
        return Promise.resolve(found(text));
      },
    },
  });
  return { bench, asked };
}

const PAGE = { url: 'https://a.test/', prompt: 'what?' };

test.each([
  ['web_fetch', PAGE, ['https://a.test/', 'what?', 2000]],
  ['web_fetch', { ...PAGE, max_tokens: 500 }, ['https://a.test/', 'what?', 500]],
  ['web_search', { query: 'cats' }, ['cats', 5]],
  ['web_search', { query: 'cats', limit: 50 }, ['cats', 10]],
])('%s %j is passed on', async (name, args, expected) => {
  const { bench, asked } = onTheWeb();
  expect(await bench.run(name, args)).toEqual(found('found'));
  expect(asked).toEqual([expected]);
});

test('rules judge the address or the words searched for', async () => {
  const { bench } = onTheWeb();
  await bench.run('web_fetch', PAGE);
  await bench.run('web_search', { query: 'cats' });
  expect(bench.judged.map(({ tool, effect, subject }) => [tool, effect, subject])).toEqual([
    ['web_fetch', 'read', 'https://a.test/'],
    ['web_search', 'read', 'cats'],
  ]);
});

test.each([
  ['web_fetch', { url: 'https://a.test/' }],
  ['web_fetch', { ...PAGE, max_tokens: 8001 }],
  ['web_fetch', { url: '', prompt: 'x' }],
  ['web_search', {}],
  ['web_search', { query: 'x'.repeat(501) }],
])('%s %j does not fit', async (name, args) => {
  const { bench, asked } = onTheWeb();
  expect(await bench.run(name, args)).toMatchObject({ reason: 'bad-args' });
  expect(asked).toEqual([]);
});

test('a long answer is cut to 8000 bytes, ten results to their lines, and both can be read back', async () => {
  const { bench } = onTheWeb('some words\n'.repeat(2000));
  const page = await bench.run('web_fetch', PAGE);
  expect(Buffer.byteLength(page.text)).toBeLessThan(8_100);
  expect(page.text).toMatch(/\[all of it: read_output id=main_1_1\]$/);
  const results = await bench.run('web_search', { query: 'x' });
  expect(results.text.split('\n').filter((line) => line === 'some words')).toHaveLength(20);
});

test('a fetch has the time that fetching and reading take', async () => {
  const stuck = (...args: readonly unknown[]): Promise<ToolOutcome> =>
    new Promise((resolve) => {
      const signal = args.at(-1) as AbortSignal;
      signal.addEventListener('abort', () => resolve({ status: 'cancelled', text: '' }));
    });
  const web = { fetch: stuck, fetchLimitMs: 20, search: null };
  expect(await workbench({ web }).run('web_fetch', PAGE)).toMatchObject({ status: 'cancelled' });
});

test('without the web there are no tools for it', async () => {
  const bench = workbench({ web: null });
  expect(await bench.run('web_fetch', PAGE)).toMatchObject({ reason: 'unknown-tool' });
});
