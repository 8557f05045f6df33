/** Secrets on their way out. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { says, serve } from '../../web/support.js';
import { SECRETS } from '../ground.js';
import { isOk, isRefused, type Area, type Row } from '../table.js';
import { fetching } from './network.js';

const { environment: TOKEN } = SECRETS;

const inAddress = (tried: string, text: string, counterpart: string, harmless: string): Row => ({
  tried: `${tried} in an address`,
  attack: async (attempt) => {
    const site = await serve(says('got it'));
    const outcome = await fetching(attempt, site.url(`/?q=${text}`), { allowPrivate: [site.host] });
    return isRefused(outcome) && site.asked.length === 0;
  },
  counterpart,
  allowed: async (attempt) => {
    const site = await serve(says('got it'));
    return isOk(
      await fetching(attempt, site.url(`/?q=${harmless}`), { allowPrivate: [site.host] }),
    );
  },
});

const base64 = (text: string): string => encodeURIComponent(Buffer.from(text).toString('base64'));
const hex = (text: string): string => Buffer.from(text).toString('hex');

/** How many have called at a port of this machine. */
async function listener(): Promise<{ readonly port: number; readonly calls: () => number }> {
  let calls = 0;
  const server = createServer((socket) => {
    calls += 1;
    socket.end('hello\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, calls: () => calls };
}

const dial = (port: number): string =>
  `"${process.execPath}" -e 'require("net").connect(${port}, "127.0.0.1").pipe(process.stdout)'`;

const fromShell: Row = {
  tried: 'a connection of a command',
  attack: async ({ ground }) => {
    const { port, calls } = await listener();
    await (await ground()).shell(dial(port));
    return calls() === 0;
  },
  counterpart: 'one that a person has allowed',
  allowed: async ({ ground }) => {
    const { port, calls } = await listener();
    const on = await ground({ rules: { allow: ['shell'] }, network: true });
    const { text } = await on.shell(dial(port));
    return text.includes('hello') && calls() === 1;
  },
};

export const exfiltration: Area = {
  area: 'exfiltration',
  inBoth: true,
  rows: [
    inAddress('a secret', TOKEN, 'a word', 'the-token-of-nobody'),
    inAddress('a secret in base64', base64(`k=${TOKEN}`), 'another base64', base64('k=nothing')),
    inAddress('a secret in hex', hex(TOKEN), 'another hex', hex('the-name-of-nothing')),
    inAddress('a secret in escapes', TOKEN.replaceAll('-', '%2D'), 'escapes', 'a%2Db'),
    inAddress('a secret in capitals', TOKEN.toUpperCase(), 'capitals', 'THE-TOKEN'),
    inAddress('a secret with dots', TOKEN.replaceAll(/(?<=.)(?=.)/g, '.'), 'dots', 'a.b.c'),
    fromShell,
  ],
};
