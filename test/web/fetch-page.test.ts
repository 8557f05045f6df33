import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fetcher, fetcherFor, NEVER, redirectsTo, says, serve } from './support.js';

test('a page is fetched with nothing but what a request needs', async () => {
  const sent: Record<string, unknown>[] = [];
  const site = await serve((request, response) => {
    sent.push(request.headers);
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=b' }).end('<p>hi');
  });
  const fetch = fetcherFor([site]);
  const page = { url: site.url('/x'), html: true, text: '<p>hi', truncated: false };
  expect(await fetch.fetch(site.url('/x#part'), NEVER)).toEqual({ ok: true, page });
  await fetch.fetch(site.url('/x'), NEVER);
  for (const headers of sent) {
    expect(headers).toEqual({
      host: site.host,
      'user-agent': 'ouro/1.0',
      accept: expect.any(String) as string,
      'accept-encoding': 'gzip, deflate, br',
      connection: 'close',
    });
  }
});

test('proxies of the environment are not used', async () => {
  const proxy = await serve(says('the proxy'));
  const site = await serve(says('the site'));
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'all_proxy', 'NODE_USE_ENV_PROXY'])
    vi.stubEnv(name, proxy.url());
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await fetcherFor([site]).fetch(site.url(), NEVER)).toMatchObject({
    page: { text: 'the site' },
  });
  expect(proxy.asked).toEqual([]);
});

test('five redirects are followed, and not six', async () => {
  const site = await serve((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) says('there')(request, response);
    else redirectsTo(`/${left - 1}`)(request, response);
  });
  const fetch = fetcherFor([site]);
  expect(await fetch.fetch(site.url('/5'), NEVER)).toMatchObject({
    page: { text: 'there', url: site.url('/0') },
  });
  expect(await fetch.fetch(site.url('/6'), NEVER)).toMatchObject({
    why: { kind: 'failed', message: `${site.host} redirects more than 5 times.` },
  });
});

test('every hop is asked about before it is taken', async () => {
  const site = await serve(redirectsTo('/forbidden'));
  const refusal = (url: URL): string | null =>
    url.pathname === '/forbidden' ? 'not there.' : null;
  const end = await fetcherFor([site], { refusal }).fetch(site.url(), NEVER);
  expect(end).toEqual({ ok: false, why: { kind: 'refused', message: 'not there.' } });
  expect(site.asked).toEqual(['/']);
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
] as const)('a page packed with %s is unpacked', async (coding, pack) => {
  const site = await serve(says(pack('hello'.repeat(1000)), { 'content-encoding': coding }));
  expect(await fetcherFor([site]).fetch(site.url(), NEVER)).toMatchObject({
    page: { text: 'hello'.repeat(1000), truncated: false },
  });
});

/** As small as it gets takes seconds. */
const quickBrotli = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

test.each([
  ['gzip', gzipSync],
  ['br', quickBrotli],
] as const)('a bomb packed with %s is unpacked only as far as it is read', async (coding, pack) => {
  const bomb = pack(Buffer.alloc(50_000_000, 0x61));
  const site = await serve(says(bomb, { 'content-encoding': coding }));
  const end = await fetcherFor([site]).fetch(site.url(), NEVER);
  expect(end).toMatchObject({ ok: true, page: { truncated: true } });
  expect(end.ok && end.page.text.length).toBe(5_000_000);
});

test.each(['gzip, gzip', 'zstd', 'compress'])(
  'a page packed with %s is not read',
  async (coding) => {
    const site = await serve(says('x', { 'content-encoding': coding }));
    expect(await fetcherFor([site]).fetch(site.url(), NEVER)).toMatchObject({
      why: { kind: 'failed', message: expect.stringContaining(`"${coding}"`) as string },
    });
  },
);

test('a damaged packed page is a failure in words', async () => {
  const site = await serve(says('not gzip', { 'content-encoding': 'gzip' }));
  expect(await fetcherFor([site]).fetch(site.url(), NEVER)).toMatchObject({
    why: { kind: 'failed', message: '127.0.0.1: its compressed answer is damaged.' },
  });
});

test('an endless body ends at the limit', async () => {
  const site = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const more = (): void => {
      while (response.write('x'.repeat(65_536)));
      response.once('drain', more);
    };
    more();
  });
  const end = await fetcherFor([site], { limits: { bytes: 300_000 } }).fetch(site.url(), NEVER);
  expect(end.ok && end.page.text.length).toBe(300_000);
  expect(end).toMatchObject({ page: { truncated: true } });
});

test('a body that drips is given up when the time is over', async () => {
  const site = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const drip = setInterval(() => response.write('x'), 10);
    response.once('close', () => clearInterval(drip));
  });
  const end = await fetcherFor([site], { limits: { totalMs: 200 } }).fetch(site.url(), NEVER);
  expect(end).toMatchObject({ ok: false, why: { kind: 'timeout', afterMs: 200 } });
});

test('a server that accepts and says nothing is given up', async () => {
  const site = await serve(() => undefined);
  const end = await fetcherFor([site], { limits: { firstByteMs: 100 } }).fetch(site.url(), NEVER);
  expect(end).toMatchObject({ ok: false, why: { kind: 'timeout', afterMs: 100 } });
});

test('a name whose look-up never ends is given up', async () => {
  const resolve = (): Promise<never> => new Promise(() => undefined);
  const end = await fetcher({ resolve, limits: { connectMs: 100 } }).fetch(
    'http://a.example/',
    NEVER,
  );
  expect(end).toMatchObject({ ok: false, why: { kind: 'timeout', afterMs: 100 } });
});

test('a fetch is cancelled at once, before the answer and during it', async () => {
  const silent = await serve(() => undefined);
  const slow = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).write('x');
  });
  for (const site of [silent, slow]) {
    const abort = new AbortController();
    const end = fetcherFor([site]).fetch(site.url(), abort.signal);
    await vi.waitFor(() => expect(site.asked).toHaveLength(1));
    abort.abort();
    expect(await end).toEqual({ ok: false, why: { kind: 'cancelled' } });
  }
  const end = await fetcherFor([silent]).fetch(silent.url(), AbortSignal.abort());
  expect(end).toEqual({ ok: false, why: { kind: 'cancelled' } });
  expect(silent.asked).toHaveLength(1);
});

test.each([
  ['image/png', 'image/png'],
  ['application/pdf', 'application/pdf'],
  ['application/octet-stream', 'application/octet-stream'],
  ['video/mp4; x=y', 'video/mp4'],
])('content of type %s is named and not read', async (type, name) => {
  const site = await serve(says('x', { 'content-type': type }));
  expect(await fetcherFor([site]).fetch(site.url(), NEVER)).toMatchObject({
    why: { kind: 'failed', message: expect.stringContaining(`what is there is ${name}`) as string },
  });
});

test.each([
  ['text/html; charset=utf-8', true],
  ['application/xhtml+xml', true],
  ['text/markdown', false],
  ['text/csv', false],
  ['application/json', false],
  ['application/ld+json', false],
  ['application/atom+xml', false],
  ['application/xml', false],
])('content of type %s is read', async (type, html) => {
  const site = await serve(says('words', { 'content-type': type }));
  const end = await fetcherFor([site]).fetch(site.url(), NEVER);
  expect(end).toMatchObject({ page: { text: 'words', html } });
});

test('binary data that pretends to be text is not read', async () => {
  const site = await serve(says(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0])));
  expect(await fetcherFor([site]).fetch(site.url(), NEVER)).toMatchObject({
    why: { kind: 'failed', message: expect.stringContaining('binary data') as string },
  });
});

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

test.each([
  ['the header', 'text/html; charset=ISO-8859-1', latin('é')],
  ['a quoted header', 'text/html; charset="windows-1252"', latin('é')],
  ['the page', 'text/html', latin('<meta charset=latin1>é')],
  [
    'an old-style page',
    'text/html',
    latin('<META http-equiv=x content="text/html; charset=latin1">é'),
  ],
  ['XML', 'text/xml', latin('<?xml version="1.0" encoding="iso-8859-1"?>é')],
  ['nobody', 'text/html', latin('é')],
  ['nobody', 'text/html', Buffer.from('é')],
  ['a wrong name', 'text/html; charset=nonsense', Buffer.from('é')],
  ['a mark', 'text/plain', Buffer.from('\ufeffé', 'utf16le')],
  ['a mark, against the header', 'text/plain; charset=latin1', Buffer.from('\ufeffé')],
])('the character set is taken from %s (%s)', async (_, type, body) => {
  const site = await serve(says(body, { 'content-type': type }));
  const end = await fetcherFor([site]).fetch(site.url(), NEVER);
  expect(end.ok && end.page.text.endsWith('é')).toBe(true);
});

test.each([
  [404, '(Not Found)'],
  [500, '(Internal Server Error)'],
  [299 + 5, '(Not Modified)'],
])('status %d is a failure in words', async (status, words) => {
  const site = await serve((_, response) => response.writeHead(status).end());
  const end = await fetcherFor([site]).fetch(site.url(), NEVER);
  const message = `${site.host} answers with status ${status} ${words}.`;
  expect(end).toEqual({ ok: false, why: { kind: 'failed', message } });
});

test('where nothing listens, or no web server, the failure says so', async () => {
  const server = createServer((socket) => socket.resume().end('SSH-2.0-x\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const fetch = fetcher({ allowPorts: [port], limits: { connectMs: 5000 } });
  expect(await fetch.fetch(`http://127.0.0.1:${port}/`, NEVER)).toMatchObject({
    why: { message: '127.0.0.1: what answers there is not an HTTP server.' },
  });
  expect(await fetch.fetch(`https://127.0.0.1:${port}/`, NEVER)).toMatchObject({
    why: { message: expect.stringContaining('does not speak TLS') as string },
  });
  await new Promise((resolve) => server.close(resolve));
  expect(await fetch.fetch(`http://127.0.0.1:${port}/`, NEVER)).toMatchObject({
    why: { message: '127.0.0.1: nothing is listening there.' },
  });
});
