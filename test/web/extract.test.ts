import { execFile } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { ExtractLimits } from '../../src/web/extract-bench.js';
import { createExtractor, type Extracted, type Extractor } from '../../src/web/extract.js';
import { NEVER } from './support.js';

function extractor(limits: Partial<ExtractLimits> = {}): Extractor {
  const made = createExtractor(limits);
  onTestFinished(() => made.close());
  return made;
}

/** For the tests that do it no harm: starting one takes its time. */
const shared = createExtractor();
afterAll(() => shared.close());

const URL_OF_PAGE = 'https://example.com/docs/page';

const extract = async (html: string, pages = shared): Promise<Extracted> =>
  (await pages.extract(html, URL_OF_PAGE, NEVER)) ?? expect.unreachable();

const PARAGRAPH =
  '<p>These are words that go on for a while, with commas, and with a <a href="../x">link</a>.</p>';

test('the main text of an article becomes Markdown, without what stands around it', async () => {
  const page = await extract(`<html><head><title>A &amp; B</title></head><body>
    <nav><a href="/">Home</a></nav><article><h2>Head</h2>${PARAGRAPH.repeat(10)}
    <pre><code>let x = 1;\n  y();</code></pre></article><footer>imprint</footer></body></html>`);
  expect(page).toMatchObject({ title: 'A & B', note: null });
  expect(page.markdown).toContain('## Head');
  expect(page.markdown).toContain('[link](https://example.com/x)');
  expect(page.markdown).toContain('```\nlet x = 1;\n  y();\n```');
  expect(page.markdown).not.toMatch(/imprint|Home/);
});

test('a page that is no article comes as a whole', async () => {
  const page = await extract(`<title>Index</title><ul><li><a href="a.html">A</a><li>B</ul>
    <ol start=3><li>three<li>four</ol>
    <table><thead><tr><th>k<th>v</thead><tbody><tr><td>1<td>a|b<tr><td>2<td>c</tbody></table>
    <img src="x.png" alt="a cat"><img src="y.png"><a href="#top">top</a>
    <a href="javascript:alert(1)">run</a><a href="/nothing"></a><script>bad()</script>`);
  expect(page.title).toBe('Index');
  expect(page.markdown).toContain('- [A](https://example.com/docs/a.html)\n- B');
  expect(page.markdown).toContain('3. three\n4. four');
  expect(page.markdown).toContain('| k | v |\n| --- | --- |\n| 1 | a\\|b |\n| 2 | c |');
  expect(page.markdown).toContain('[image: a cat]');
  expect(page.markdown).not.toMatch(/javascript|bad\(|y\.png|nothing|#top/);
});

test('links are relative to the base the page states', async () => {
  const page = await extract(
    '<head><base href="https://other.example/z/"></head><a href="q">Q</a>',
  );
  expect(page.markdown).toBe('[Q](https://other.example/z/q)');
});

test.each([
  '',
  ' ',
  'just words',
  '<html></html>',
  '<body>',
  '</body></html>',
  '<!-- -->',
  '\0<p>x',
])('something that is hardly HTML is no error: "%s"', async (html) => {
  expect((await extract(html)).note).toBeNull();
});

test('a page that is too long is cut, and says so', async () => {
  const page = await extract(`<!--${' '.repeat(1_999_980)}--><p>kept</p><p>lost</p>`);
  expect(page.note).toBe('only its first 2000000 characters were read');
  expect(page.markdown).not.toContain('lost');
});

test.each([
  ['nested 200,000 deep', `<p>start</p>${'<div>'.repeat(200_000)}`],
  ['of a million links', `<p>start</p>${'<a href=/x>y</a>'.repeat(1_000_000)}`],
  ['of tables in tables', `<p>start</p>${'<table><tr><td>'.repeat(60_000)}`],
])('a page %s leaves the main thread free, and ends as plain text', async (_, html) => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), 10);
  delay.enable();
  const page = await extract(html, extractor({ timeMs: 1500 }));
  delay.disable();
  clearInterval(ticking);
  expect(page.markdown).toMatch(/^start/);
  expect(page.note).toContain('it could not be parsed (');
  // Parsing it here would have been one tick of many seconds.
  expect(ticks).toBeGreaterThan(20);
  expect(delay.max / 1e6).toBeLessThan(1000);
});

test('a page that needs too much memory costs its worker, and the next page gets another', async () => {
  const pages = extractor({ memoryMb: 40 });
  const hungry = await pages.extract('<p>x</p>'.repeat(200_000), URL_OF_PAGE, NEVER);
  expect(hungry?.note).toContain('too much memory');
  expect(await pages.extract('<p>next</p>', URL_OF_PAGE, NEVER)).toEqual({
    title: '',
    markdown: 'next',
    note: null,
  });
});

test('pages that come at once are read one after the other', async () => {
  const read = (word: string) => shared.extract(`<p>${word}</p>`, URL_OF_PAGE, NEVER);
  const all = await Promise.all(['a', 'b', 'c'].map(read));
  expect(all.map((page) => page?.markdown)).toEqual(['a', 'b', 'c']);
});

test('a cancelled page is given up, while it is read and while it waits', async () => {
  const pages = extractor();
  const abort = new AbortController();
  const reading = pages.extract('<div>'.repeat(200_000), URL_OF_PAGE, abort.signal);
  const waiting = pages.extract('<p>x', URL_OF_PAGE, abort.signal);
  const next = pages.extract('<p>next', URL_OF_PAGE, NEVER);
  setTimeout(() => abort.abort(), 100);
  expect(await Promise.all([reading, waiting])).toEqual([null, null]);
  expect((await next)?.markdown).toBe('next');
});

test('an idle worker ends, and another one begins when it is needed', async () => {
  const pages = extractor({ idleMs: 1 });
  for (const word of ['a', 'b']) {
    expect((await pages.extract(`<p>${word}`, URL_OF_PAGE, NEVER))?.markdown).toBe(word);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

test('an idle worker does not keep the process alive', async () => {
  const program = fileURLToPath(new URL('fixtures/extract-once.ts', import.meta.url));
  // Shorter than the time after which it would end by itself.
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', program], {
    timeout: 25_000,
  });
  expect((await run).stdout).toBe('once');
});

test('after closing, a page still has its text', async () => {
  const pages = extractor();
  await pages.close();
  expect((await pages.extract('<p>x</p>', URL_OF_PAGE, NEVER))?.markdown).toBe('x');
});
