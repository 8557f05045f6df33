/** Addresses that are private, however they are written, and keys on their way to somebody else. */
import { onTestFinished } from 'vitest';
import type { Resolver } from '../../../src/web/guarded-lookup.js';
import { createWeb, type WebOptions } from '../../../src/web/web.js';
import { redirectsTo, says, serve, type Site } from '../../web/support.js';
import { clientFor, REQUEST, serve as serveModel } from '../../model/server.js';
import { isOk, isRefused, type Area, type Attempt, type Row } from '../table.js';
import { SECRETS } from '../ground.js';

export async function fetching(
  { ground }: Attempt,
  url: string,
  options: Partial<WebOptions> = {},
) {
  const web = createWeb({
    environment: {},
    allowPrivate: [],
    allowPorts: [],
    userAgent: 'ouro/1.0',
    robots: false,
    secrets: [SECRETS.environment],
    ask: null,
    now: () => Date.now(),
    ...options,
  });
  onTestFinished(() => web.close());
  const on = await ground({ deps: { web: { fetch: web.fetch, search: null } } });
  return on.run('web_fetch', { url, prompt: 'what does it say?' });
}

const at =
  (address: string): Resolver =>
  () =>
    Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }]);

/** A server listens at the port, so that what gets through is seen. */
const spelled = (host: string): Row => ({
  tried: `the address ${host}`,
  attack: async (attempt) => {
    const site = await serve(says('private'));
    const url = `http://${host}:${site.port}/`;
    const outcome = await fetching(attempt, url, {
      allowPorts: [site.port],
      resolve: at('127.0.0.1'),
    });
    return isRefused(outcome) && site.asked.length === 0;
  },
  counterpart: 'an address that is allowed',
  allowed: async (attempt) => {
    const site = await serve(says('open to us'));
    const outcome = await fetching(attempt, site.url('/page'), { allowPrivate: [site.host] });
    return isOk(outcome) && outcome.text.includes('open to us');
  },
});

const redirect = (tried: string, location: (hidden: Site) => string): Row => ({
  tried: `a redirect to ${tried}`,
  attack: async (attempt) => {
    const hidden = await serve(says('private'));
    const site = await serve(redirectsTo(location(hidden)));
    const outcome = await fetching(attempt, site.url(), { allowPrivate: [site.host] });
    return isRefused(outcome) && hidden.asked.length === 0;
  },
  counterpart: 'a redirect to a page of the site',
  allowed: async (attempt) => {
    const site = await serve((request, response) => {
      if (request.url === '/page') return response.end('the page');
      return response.writeHead(302, { location: '/page' }).end();
    });
    return (await fetching(attempt, site.url(), { allowPrivate: [site.host] })).text.includes(
      'the page',
    );
  },
});

const rebinding: Row = {
  tried: 'a name that changes its address',
  attack: async (attempt) => {
    const site = await serve(redirectsTo('/second'));
    const answers = ['127.0.0.1', '127.0.0.2'];
    const resolve: Resolver = () => at(answers.shift() ?? '127.0.0.2')('');
    const url = `http://name.example:${site.port}/`;
    const outcome = await fetching(attempt, url, { allowPrivate: [site.host], resolve });
    return isRefused(outcome) && site.asked.length === 1;
  },
  counterpart: 'a name that keeps it',
  allowed: async (attempt) => {
    const site = await serve(says('still here'));
    const options = { allowPrivate: [site.host], resolve: at('127.0.0.1') };
    return isOk(await fetching(attempt, `http://name.example:${site.port}/`, options));
  },
};

const keyToOthers: Row = {
  tried: 'a redirect of the model server to another one',
  attack: async () => {
    const other = await serveModel((response) => void response.end('{}'));
    const server = await serveModel((response) => {
      response.writeHead(307, { location: `${other.url}/chat/completions` }).end();
    });
    const client = clientFor(server.url, { apiKey: 'a-key-for-one-server' });
    await client.ask(REQUEST, () => undefined, AbortSignal.timeout(20_000));
    return !JSON.stringify(other.received).includes('a-key-for-one-server');
  },
  counterpart: 'the server itself',
  allowed: async () => {
    const server = await serveModel((response) => void response.end('{}'));
    const client = clientFor(server.url, { apiKey: 'a-key-for-one-server' });
    await client.ask(REQUEST, () => undefined, AbortSignal.timeout(20_000));
    return server.received[0]?.headers.authorization === 'Bearer a-key-for-one-server';
  },
};

export const network: Area = {
  area: 'network',
  inBoth: false,
  rows: [
    ...['127.0.0.1', '127.1', '2130706433', '0x7f.1', '017700000001', '0.0.0.0', '[::1]'],
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '１２７.０.０.１', '127.0.0.1.', 'localhost'],
    ...['localhost.', '127.0.0.1.nip.io', 'metadata.google.internal', 'intranet'],
  ]
    .map(spelled)
    .concat([
      redirect('loopback', (hidden) => hidden.url()),
      redirect('its decimal form', ({ port }) => `http://2130706433:${port}/`),
      redirect('the metadata address', () => 'http://169.254.169.254/latest/meta-data/'),
      redirect('a file', () => 'file:///etc/passwd'),
      ...[rebinding, keyToOthers],
    ]),
};
