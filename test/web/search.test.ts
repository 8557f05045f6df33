import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createWebSearch, type WebSearch, type WebSearchOptions } from '../../src/web/search.js';
import { secretGuard } from '../../src/web/secret-guard.js';
import { NEVER, redirectsTo, says, serve, type Site } from './support.js';

const KEY = 'key-0123456789abcdef';

const search = (site: Site, options: Partial<WebSearchOptions> = {}): WebSearch =>
  createWebSearch({
    environment: { BRAVE_SEARCH_KEY: KEY },
    allowPrivate: [site.host],
    userAgent: 'ouro/1.0',
    holdsSecret: secretGuard(['a-secret-value']),
    now: Date.now,
    origins: { brave: site.url(), serp: site.url() },
    spacingMs: 0,
    ...options,
  }) ?? expect.unreachable('no search');

const hit = (n: number) => ({
  title: `T${n}`,
  url: `https://e.example/${n}`,
  description: `D${n}`,
});
const braveAnswer = (results: readonly unknown[]): string => JSON.stringify({ web: { results } });
const someHits = (count: number) => Array.from({ length: count }, (_, at) => hit(at + 1));

test('without a key or an address there is no search', () => {
  const environment = { BRAVE_SEARCH_KEY: '', SERP_API_KEY: ' ' };
  const options = { allowPrivate: [], userAgent: 'x', holdsSecret: () => false, now: Date.now };
  expect(createWebSearch({ ...options, environment })).toBeNull();
});

test('Brave is asked with its key in a header', async () => {
  const requests: IncomingMessage[] = [];
  const site = await serve((request, response) => {
    requests.push(request);
    says(braveAnswer(someHits(2)))(request, response);
  });
  expect(await search(site)('what is it?', 5, NEVER)).toEqual({
    status: 'ok',
    text: '[1] "T1" — https://e.example/1\n    D1\n[2] "T2" — https://e.example/2\n    D2',
    truncated: false,
  });
  expect(site.asked).toEqual(['/res/v1/web/search?q=what+is+it%3F&count=5']);
  expect(requests[0]?.headers['x-subscription-token']).toBe(KEY);
});

test('SerpApi is asked with its key where it wants it', async () => {
  const found = [{ title: 'T', link: 'https://e.example/', snippet: 'S' }];
  const site = await serve(says(JSON.stringify({ organic_results: found })));
  const outcome = await search(site, { environment: { SERP_API_KEY: KEY } })('q', 3, NEVER);
  expect(outcome).toMatchObject({ status: 'ok', text: '[1] "T" — https://e.example/\n    S' });
  expect(site.asked).toEqual([`/search.json?engine=google&q=q&num=3&api_key=${KEY}`]);
});

test('a SearXNG of the operator may be private, and live in a folder', async () => {
  const found = [{ title: 'T', url: 'https://e.example/', content: 'S' }];
  const site = await serve(says(JSON.stringify({ results: found })));
  const environment = { SEARXNG_URL: site.url('/searx') };
  const ask = search(site, { environment, allowPrivate: [] });
  expect(await ask('q', 5, NEVER)).toMatchObject({ status: 'ok' });
  expect(site.asked).toEqual(['/searx/search?q=q&format=json']);
});

test.each(['nonsense', 'file:///etc/passwd', 'http://me:word@127.0.0.1/'])(
  'a wrong address of SearXNG is said when it is used: %s',
  async (address) => {
    const site = await serve(says(''));
    const ask = search(site, { environment: { SEARXNG_URL: address } });
    const outcome = await ask('q', 5, NEVER);
    expect(outcome).toMatchObject({ status: 'failed', reason: 'refused' });
    expect(outcome.text).toContain('SEARXNG_URL must be');
  },
);

test.each([
  [3, 6],
  [5, 10],
  [8, 10],
  [10, 10],
  [50, 10],
])('for %d results there are %d lines, and no result without its address', async (limit, lines) => {
  const site = await serve(says(braveAnswer(someHits(20))));
  const { text } = await search(site)('q', limit, NEVER);
  expect(text.split('\n')).toHaveLength(lines);
  expect(text.match(/^\[\d+\]/gm)).toHaveLength(Math.min(limit, 10));
});

test('titles and snippets are plain text on one line, and strange addresses are left out', async () => {
  const site = await serve(
    says(
      braveAnswer([
        { title: 'js', url: 'javascript:alert(1)', description: 'x' },
        {
          title: 'a\n[9] "fake"',
          url: 'https://e.example/a b',
          description: '<strong>x</strong> &amp; y',
        },
        { title: 7, url: 'https://e.example/2' },
        null,
      ]),
    ),
  );
  expect((await search(site)('q', 5, NEVER)).text).toBe(
    '[1] "a [9] "fake"" — https://e.example/a%20b\n    x & y\n[2] "" — https://e.example/2',
  );
});

test('nothing found is an answer', async () => {
  const site = await serve(says(JSON.stringify({ type: 'search' })));
  expect(await search(site)('xyzzy', 5, NEVER)).toMatchObject({
    status: 'ok',
    text: "No results for 'xyzzy'",
  });
});

test.each([
  [401, 'check the key in SERP_API_KEY'],
  [429, 'asks for fewer requests'],
  [500, 'answers with status 500'],
  [200, 'in a way that is not understood'],
])('an answer with status %d is a failure without the key in it', async (status, words) => {
  const site = await serve((_, response) => response.writeHead(status).end(`"your key ${KEY}"`));
  const outcome = await search(site, { environment: { SERP_API_KEY: KEY } })('q', 5, NEVER);
  expect(outcome.status).toBe('failed');
  expect(outcome.text).toContain(words);
  expect(outcome.text).not.toContain(KEY);
});

test('a key is not sent to where a service redirects', async () => {
  const other = await serve(says('x'));
  const site = await serve(redirectsTo(other.url()));
  expect(await search(site)('q', 5, NEVER)).toMatchObject({ status: 'failed' });
  expect(other.asked).toEqual([]);
});

test.each(['', '   ', 'x'.repeat(401), 'tell me about a-secret-value', 'YS1zZWNyZXQtdmFsdWU='])(
  'the query "%s" is not sent',
  async (query) => {
    const site = await serve(says(braveAnswer([])));
    expect(await search(site)(query, 5, NEVER)).toMatchObject({
      status: 'failed',
      reason: 'refused',
    });
    expect(site.asked).toEqual([]);
  },
);

test('one question is asked at a time, and a cancelled one lets the next through', async () => {
  let open = 0;
  let most = 0;
  const site = await serve((request, response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      says(braveAnswer([]))(request, response);
    }, 20);
  });
  const ask = search(site);
  const abort = new AbortController();
  const asking = [ask('a', 5, NEVER), ask('b', 5, abort.signal), ask('c', 5, NEVER)];
  abort.abort();
  const ends = await Promise.all(asking);
  expect(ends.map(({ status }) => status)).toEqual(['ok', 'cancelled', 'ok']);
  expect(most).toBe(1);
  expect(site.asked).toHaveLength(2);
});

test('questions are asked a time apart', async () => {
  const site = await serve(says(braveAnswer([])));
  const ask = search(site, { spacingMs: 150 });
  const began = performance.now();
  await Promise.all([ask('a', 5, NEVER), ask('b', 5, NEVER)]);
  // Timers may fire a little early by the other clock.
  expect(performance.now() - began).toBeGreaterThan(130);
});
