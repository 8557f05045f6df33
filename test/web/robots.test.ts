import { expect, test } from 'vitest';
import { fetcherFor, NEVER, redirectsTo, says, serve, type Site } from './support.js';

const RULES = `User-agent: *
Disallow: /

User-agent: ouro
Disallow: /private
Allow: /private/open
`;

const siteWith = (rules: string, status = 200): Promise<Site> =>
  serve((request, response) => {
    if (request.url !== '/robots.txt') says('page')(request, response);
    else response.writeHead(status, { 'content-type': 'text/plain' }).end(rules);
  });

test('what a site asks of this robot is done, and its rules are read once', async () => {
  const site = await siteWith(RULES);
  const fetch = fetcherFor([site], { robots: true });
  expect(await fetch.fetch(site.url('/a'), NEVER)).toMatchObject({ ok: true });
  expect(await fetch.fetch(site.url('/private/open/x'), NEVER)).toMatchObject({ ok: true });
  expect(await fetch.fetch(site.url('/private/x'), NEVER)).toEqual({
    ok: false,
    why: {
      kind: 'refused',
      message: `${site.url('/robots.txt')} asks robots not to fetch /private/x.`,
    },
  });
  expect(site.asked).toEqual(['/robots.txt', '/a', '/private/open/x']);
});

test('the rules are read again after a quarter of an hour', async () => {
  const site = await siteWith('');
  let now = 0;
  const fetch = fetcherFor([site], { robots: true, now: () => now });
  await fetch.fetch(site.url('/a'), NEVER);
  now += 15 * 60_000;
  await fetch.fetch(site.url('/b'), NEVER);
  expect(site.asked).toEqual(['/robots.txt', '/a', '/robots.txt', '/b']);
});

test('rules are not asked for when nobody wants to follow them', async () => {
  const site = await siteWith(RULES);
  expect(await fetcherFor([site]).fetch(site.url('/private/x'), NEVER)).toMatchObject({ ok: true });
  expect(site.asked).toEqual(['/private/x']);
});

test('a site without rules allows everything, one that is broken nothing', async () => {
  const without = await siteWith('', 404);
  const broken = await siteWith('', 503);
  const fetch = fetcherFor([without, broken], { robots: true });
  expect(await fetch.fetch(without.url('/x'), NEVER)).toMatchObject({ ok: true });
  expect(await fetch.fetch(broken.url('/x'), NEVER)).toMatchObject({ why: { kind: 'refused' } });
  expect(broken.asked).toEqual(['/robots.txt']);
});

test('the rules of the site behind a redirect count as well', async () => {
  const target = await siteWith('User-agent: *\nDisallow: /');
  const site = await serve((request, response) => {
    if (request.url === '/robots.txt') says('')(request, response);
    else redirectsTo(target.url('/x'))(request, response);
  });
  const end = await fetcherFor([site, target], { robots: true }).fetch(site.url('/x'), NEVER);
  expect(end).toMatchObject({ why: { kind: 'refused' } });
  expect(target.asked).toEqual(['/robots.txt']);
});

test('hostile rules cost no more than their share', async () => {
  const site = await siteWith(`User-agent: *\nDisallow: /${'*a'.repeat(49_000)}b`);
  const url = site.url(`/${'a'.repeat(3900)}`);
  expect(await fetcherFor([site], { robots: true }).fetch(url, NEVER)).toMatchObject({ ok: true });
});
