import { expect, test } from 'vitest';
import type { Resolver } from '../../src/web/guarded-lookup.js';
import { fetcher, fetcherFor, NEVER, redirectsTo, says, serve } from './support.js';

const resolvesTo =
  (...addresses: readonly string[]): Resolver =>
  () =>
    Promise.resolve(
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

const unasked: Resolver = (host) => Promise.reject(new Error(`${host} was looked up`));

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://017700000001/',
  'http://0177.0.0.1/',
  'http://0x7f.0.0.1/',
  'http://0x7f000001/',
  'http://0X7F.1/',
  'http://127.0.0.1./',
  'http://127.0.0.1../',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://%31%32%37.0.0.1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://10.0.0.1/',
  'http://167772161/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://0xc0a80001/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[64:ff9b::169.254.169.254]/',
  'http://[2002:7f00:1::]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[ff02::1]/',
])('%s is refused without looking anything up', async (url) => {
  const end = await fetcher({ allowPrivate: [], resolve: unasked }).fetch(url, NEVER);
  expect(end).toMatchObject({ ok: false, why: { kind: 'refused' } });
  expect(JSON.stringify(end)).toContain('is not public');
});

test.each([
  ['localhost', '127.0.0.1'],
  ['localhost.', '::1'],
  ['LOCALHOST', '127.0.0.1'],
  ['sub.localhost', '127.0.0.1'],
  ['metadata.google.internal', '169.254.169.254'],
  ['127.0.0.1.nip.io', '127.0.0.1'],
  ['wrapped.example', '::ffff:127.0.0.1'],
  ['zone.example', 'fe80::1%1'],
])('the name %s is refused when it is at %s', async (name, address) => {
  const end = await fetcher({ allowPrivate: [], resolve: resolvesTo(address) }).fetch(
    `http://${name}/`,
    NEVER,
  );
  expect(end).toMatchObject({ ok: false, why: { kind: 'refused' } });
});

test('one private address among public ones refuses the name', async () => {
  const site = await serve(says('hidden'));
  const resolve = resolvesTo('93.184.216.34', '127.0.0.1');
  const fetch = fetcher({ allowPrivate: [], allowPorts: [site.port], resolve });
  const end = await fetch.fetch(`http://mixed.example:${site.port}/`, NEVER);
  expect(end).toMatchObject({ ok: false, why: { kind: 'refused' } });
  expect(site.asked).toEqual([]);
});

test('the address that is connected to is the one that was judged', async () => {
  const site = await serve(says('reached'));
  let calls = 0;
  const resolve: Resolver = () => {
    calls += 1;
    return resolvesTo('127.0.0.1')('');
  };
  const fetch = fetcherFor([site], { resolve });
  const end = await fetch.fetch(`http://name.example:${site.port}/`, NEVER);
  expect(end).toMatchObject({ ok: true, page: { text: 'reached' } });
  expect(calls).toBe(1);
});

test('a name that changes its answer between two hops is judged at both', async () => {
  const site = await serve(redirectsTo('/second'));
  const answers = ['127.0.0.1', '127.0.0.2'];
  const resolve: Resolver = () => resolvesTo(answers.shift() ?? '')('');
  const fetch = fetcherFor([site], { resolve });
  const end = await fetch.fetch(`http://rebind.example:${site.port}/`, NEVER);
  expect(end).toMatchObject({ ok: false, why: { kind: 'refused' } });
  expect(site.asked).toEqual(['/']);
});

test.each([
  'http://127.0.0.2/',
  'http://0x7f.2/',
  'http://169.254.169.254/',
  '//[::1]/',
  '//10.1/',
])('a redirect to %s is refused', async (location) => {
  const site = await serve(redirectsTo(location));
  const end = await fetcherFor([site], { resolve: unasked }).fetch(site.url(), NEVER);
  expect(end).toMatchObject({ ok: false, why: { kind: 'refused' } });
  expect(JSON.stringify(end)).toContain('is not public');
});

test('a redirect to a port that is not open is refused', async () => {
  const other = await serve(says('hidden'));
  const site = await serve(redirectsTo(other.url()));
  const end = await fetcherFor([site]).fetch(site.url(), NEVER);
  expect(end).toMatchObject({ ok: false, why: { kind: 'refused' } });
  expect(other.asked).toEqual([]);
});

test.each([
  'file:///etc/passwd',
  'ftp://example.com/',
  'gopher://127.0.0.1/',
  'data:text/html,x',
  'javascript:alert(1)',
  'unix:/run/x.sock',
  'http://user@example.com/',
  'http://user:word@example.com/',
  'example.com/page',
  '',
  'http://',
  `http://example.com/${'a'.repeat(5000)}`,
])('%s is not a URL that is fetched', async (url) => {
  const end = await fetcher({ resolve: unasked }).fetch(url, NEVER);
  expect(end).toMatchObject({ ok: false, why: { kind: 'refused' } });
});
