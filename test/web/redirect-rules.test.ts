import { expect, onTestFinished, test } from 'vitest';
import { createJudge } from '../../src/permissions/judge.js';
import { ruledOut } from '../../src/session-web.js';
import { createWeb, type Web } from '../../src/web/web.js';
import { NEVER, redirectsTo, says, serve, type Site } from './support.js';

interface Rules {
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly mode?: 'default' | 'dont-ask' | 'bypass';
}

/** The web with these rules in force; every name leads to this machine. */
function web(sites: readonly Site[], { mode = 'default', ...rules }: Rules, robots = false): Web {
  const judge = createJudge({
    mode,
    allow: [],
    ...rules,
    workspace: '/tmp',
    ouroHome: '/nowhere/ouro',
  });
  if (!judge.ok) throw new Error(judge.message);
  const made = createWeb({
    environment: {},
    allowPrivate: sites.map(({ port }) => `127.0.0.1:${port}`),
    allowPorts: [],
    userAgent: 'ouro/1.0',
    robots,
    secrets: [],
    ruledOut: ruledOut(judge.judge, '/tmp'),
    ask: null,
    now: Date.now,
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  });
  onTestFinished(() => made.close());
  return made;
}

const named = (name: string, { port }: Site, path = '/'): string => `http://${name}:${port}${path}`;

/** One site that sends its readers on to another name. */
async function redirecting(to: string): Promise<{ start: Site; target: Site; url: string }> {
  const target = await serve(says('words'));
  const start = await serve(redirectsTo(named(to, target, '/x')));
  return { start, target, url: named('start.test', start) };
}

test.each([
  ['deny', 'web_fetch(domain:evil.test)'],
  ['deny', 'web_fetch(http://sub.evil.test*)'],
  ['ask', 'web_fetch(domain:evil.test)'],
])('a redirect to an address that a rule (%s %s) covers is not followed', async (kind, rule) => {
  const { start, target, url } = await redirecting('sub.evil.test');
  const { fetch } = web([start, target], { [kind]: [rule] });
  const outcome = await fetch(url, 'q', 100, NEVER);
  expect(outcome).toMatchObject({ status: 'failed', reason: 'refused' });
  expect(outcome.text).toContain('redirected to another address');
  expect(outcome.text).toContain(rule);
  expect(target.asked).toEqual([]);
});

test('a rule holds in the middle of the way too, and in the mode that allows everything', async () => {
  const { start, target, url } = await redirecting('evil.test');
  const first = await serve(redirectsTo(url));
  const { fetch } = web([first, start, target], {
    deny: ['web_fetch(domain:start.test)'],
    mode: 'bypass',
  });
  expect(await fetch(named('first.test', first), 'q', 100, NEVER)).toMatchObject({
    reason: 'refused',
  });
  expect(start.asked).toEqual([]);
});

test('other rules do not stand in the way', async () => {
  const { start, target, url } = await redirecting('good.test');
  const { fetch } = web([start, target], {
    deny: ['web_fetch(domain:evil.test)', 'read_file(secrets/*)'],
  });
  expect(await fetch(url, 'q', 100, NEVER)).toMatchObject({ status: 'ok' });
});

test('what a person was asked about and allowed is fetched, its robots.txt included', async () => {
  const site = await serve(says('words'));
  const { fetch } = web([site], { ask: ['web_fetch(domain:start.test)'] }, true);
  expect(await fetch(named('start.test', site), 'q', 100, NEVER)).toMatchObject({ status: 'ok' });
  expect(site.asked).toEqual(['/robots.txt', '/']);
});

test('another spelling of a denied address is denied', async () => {
  const site = await serve(says('words'));
  const { fetch } = web([site], { deny: ['web_fetch(http://evil.test*)'] });
  const spelled = `http:\\\\EVIL.test:${site.port}/a/../b`;
  expect(await fetch(spelled, 'q', 100, NEVER)).toMatchObject({ reason: 'refused' });
  expect(site.asked).toEqual([]);
});
