import { expect, onTestFinished, test } from 'vitest';
import type { AskModel } from '../../src/web/answer-page.js';
import { createWeb, type Web, type WebOptions } from '../../src/web/web.js';
import { NEVER, redirectsTo, says, serve, type Site } from './support.js';

const SECRET = 'very-secret-value-1';

const use = { model: 'small', usage: null };

const echo: AskModel = ({ markdown: text }) => Promise.resolve({ ok: true, text, cut: false, use });

function web(sites: readonly Site[], options: Partial<WebOptions> = {}): Web {
  const made = createWeb({
    environment: {},
    allowPrivate: sites.map(({ host }) => host),
    allowPorts: [],
    userAgent: 'ouro/1.0',
    robots: false,
    secrets: [SECRET],
    ask: echo,
    now: Date.now,
    ...options,
  });
  onTestFinished(() => made.close());
  return made;
}

test('a page is read, turned into Markdown, and the question about it answered', async () => {
  const site = await serve(says('<h1>Hello</h1><p>World', { 'content-type': 'text/html' }));
  expect(await web([site]).fetch(site.url('/x'), 'what does it say?', 500, NEVER)).toEqual({
    status: 'ok',
    text: `[from ${site.url('/x')}]\n\n# Hello\n\nWorld`,
    truncated: false,
    modelUse: [use],
  });
});

test('a page that is no HTML is given as it is', async () => {
  const site = await serve(says('{"a": "<b>"}', { 'content-type': 'application/json' }));
  const { text } = await web([site]).fetch(site.url(), 'q', 500, NEVER);
  expect(text).toBe(`[from ${site.url()}]\n\n{"a": "<b>"}`);
});

test('a second question about a page is answered without fetching it again', async () => {
  const site = await serve(says('words'));
  let now = 0;
  const { fetch } = web([site], { now: () => now });
  await fetch(site.url('/x#a'), 'one', 500, NEVER);
  expect(await fetch(site.url('/x#b'), 'two', 500, NEVER)).toMatchObject({ cached: true });
  await fetch(site.url('/y'), 'one', 500, NEVER);
  expect(site.asked).toEqual(['/x', '/y']);
  now += 15 * 60_000;
  await fetch(site.url('/x'), 'one', 500, NEVER);
  expect(site.asked).toEqual(['/x', '/y', '/x']);
});

test('a page that could not be read is not remembered', async () => {
  let up = false;
  const site = await serve((request, response) => {
    if (up) says('words')(request, response);
    else response.writeHead(503).end();
  });
  const { fetch } = web([site]);
  expect(await fetch(site.url(), 'q', 500, NEVER)).toMatchObject({ status: 'failed' });
  up = true;
  expect(await fetch(site.url(), 'q', 500, NEVER)).toMatchObject({ status: 'ok' });
});

test.each([
  ['plain', SECRET],
  ['base64', Buffer.from(SECRET).toString('base64')],
  ['hex', Buffer.from(SECRET).toString('hex')],
  ['percent-encoded', SECRET.replace(/./g, (c) => `%${Buffer.from(c).toString('hex')}`)],
])('a URL that holds a secret (%s) is not asked for', async (_, text) => {
  const site = await serve(says('words'));
  const outcome = await web([site]).fetch(site.url(`/?x=${text}`), 'q', 500, NEVER);
  expect(outcome).toMatchObject({ status: 'failed', reason: 'refused' });
  expect(outcome.text).not.toContain(text);
  expect(site.asked).toEqual([]);
});

test('the keys of search services are secrets as well', async () => {
  const site = await serve(says('words'));
  const { fetch } = web([site], { environment: { BRAVE_SEARCH_KEY: 'brave-key-123' } });
  expect(await fetch(site.url('/brave-key-123'), 'q', 500, NEVER)).toMatchObject({
    reason: 'refused',
  });
  const redirecting = await serve(redirectsTo(site.url('/brave-key-123')));
  const both = web([site, redirecting], { environment: { BRAVE_SEARCH_KEY: 'brave-key-123' } });
  expect(await both.fetch(redirecting.url(), 'q', 500, NEVER)).toMatchObject({ reason: 'refused' });
  expect(site.asked).toEqual([]);
});

test('what goes wrong is an outcome in words', async () => {
  const silent = await serve(() => undefined);
  const { fetch } = web([silent], { pageLimits: { totalMs: 100 } });
  expect(await fetch(silent.url(), 'q', 500, NEVER)).toEqual({
    status: 'timeout',
    afterMs: 100,
    text: `Error: ${silent.host}: the page was not complete within 0.1 s.`,
  });
  expect(await fetch('http://10.0.0.1/', 'q', 500, NEVER)).toMatchObject({
    status: 'failed',
    reason: 'refused',
    text: expect.stringMatching(
      /^Error: 10\.0\.0\.1 is not public, but a private network/,
    ) as string,
  });
  expect(await fetch(silent.url(), 'q', 500, AbortSignal.abort())).toMatchObject({
    status: 'cancelled',
  });
});

test('a call that is cancelled while the model reads is cancelled', async () => {
  const site = await serve(says('words'));
  const abort = new AbortController();
  const ask: AskModel = () => {
    abort.abort();
    return Promise.resolve({ ok: false, message: 'cancelled' });
  };
  expect(await web([site], { ask }).fetch(site.url(), 'q', 500, abort.signal)).toMatchObject({
    status: 'cancelled',
  });
});

test('what a model was paid for a call that was cancelled meanwhile is counted', async () => {
  const site = await serve(says('words'));
  const abort = new AbortController();
  const ask: AskModel = () => {
    abort.abort();
    return Promise.resolve({ ok: true, text: 'answer', cut: false, use });
  };
  expect(await web([site], { ask }).fetch(site.url(), 'q', 500, abort.signal)).toMatchObject({
    status: 'cancelled',
    modelUse: [use],
  });
});

test('a page that goes on beyond the limit says so', async () => {
  const site = await serve(says('x'.repeat(1000)));
  const { fetch } = web([site], { pageLimits: { bytes: 100 } });
  const { text } = await fetch(site.url(), 'q', 500, NEVER);
  expect(text).toContain('it is longer than what is read of a page');
});

test('search is there when a service is configured', async () => {
  expect(web([]).search).toBeNull();
  const site = await serve(says(JSON.stringify({ results: [] })));
  const { search } = web([], { environment: { SEARXNG_URL: site.url() } });
  expect(await search?.('q', 5, NEVER)).toMatchObject({ text: "No results for 'q'" });
  expect(await search?.(SECRET, 5, NEVER)).toMatchObject({ reason: 'refused' });
});

test('the same search again is answered from memory for a while, one that failed is not', async () => {
  let up = false;
  const site = await serve((request, response) => {
    if (up) says(JSON.stringify({ results: [] }))(request, response);
    else response.writeHead(503).end();
  });
  let now = 0;
  const { search } = web([], {
    environment: { SEARXNG_URL: site.url() },
    searchSpacingMs: 0,
    now: () => now,
  });
  expect(await search?.('q', 5, NEVER)).toMatchObject({ status: 'failed' });
  up = true;
  const found = await search?.('q', 5, NEVER);
  expect(found).toMatchObject({ status: 'ok' });
  expect(found).not.toHaveProperty('cached');
  expect(await search?.(' q ', 5, NEVER)).toEqual({ ...found, cached: true });
  expect(await search?.('q', 6, NEVER)).toEqual(found);
  expect(site.asked).toHaveLength(3);
  now += 15 * 60_000;
  expect(await search?.('q', 5, NEVER)).toEqual(found);
});
