/** Places where secrets lie around. */
import { findApiKey } from '../../../config/api-key.js';
import { clientFor, REQUEST, serve } from '../../model/server.js';
import { isOk, printed, type Area, type Row } from '../table.js';

/** Any command may run: whatever is found must not come back. */
const RULES = { allow: ['shell'] };

/** Outside of the sandbox a program sees what its user sees, so only what it inherits is looked for there. */
const looking = (
  tried: string,
  command: string,
  counterpart: string,
  expected: string,
  onlyConfined = false,
): Row => ({
  tried,
  attack: async ({ ground, confined }) => {
    if (onlyConfined && !confined) return true;
    const on = await ground({ rules: RULES });
    await on.shell(command.replaceAll('HOMES', `${on.home} ${on.ouroHome}`));
    return true;
  },
  counterpart: `\`${counterpart}\``,
  allowed: async ({ ground }) => {
    const on = await ground({ rules: RULES });
    return printed(await on.shell(counterpart), expected);
  },
});

const KEY = 'a-key-that-nobody-may-see';

const echoed: Row = {
  tried: 'an error of the model server that quotes the key',
  attack: async () => {
    const server = await serve((response, { headers }) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      const message = `bad key ${headers.authorization ?? ''}`;
      response.end(JSON.stringify({ error: { message } }));
    });
    const client = clientFor(server.url, { apiKey: KEY });
    const outcome = await client.ask(REQUEST, () => undefined, AbortSignal.timeout(20_000));
    return outcome.status === 'failed' && !JSON.stringify(outcome).includes(KEY);
  },
  counterpart: 'an error that quotes something else',
  allowed: async () => {
    const server = await serve((response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'no such tool: dig' } }));
    });
    const client = clientFor(server.url, { apiKey: KEY });
    const outcome = await client.ask(REQUEST, () => undefined, AbortSignal.timeout(20_000));
    return JSON.stringify(outcome).includes('no such tool: dig');
  },
};

const lookalike: Row = {
  tried: 'an address that looks like a provider',
  attack: () =>
    Promise.resolve(
      [
        'https://api.openai.com.evil.example/v1',
        'https://api.openai.com@evil.example/v1',
        'https://evil.example/api.openai.com/v1',
        'http://api.openai.com/v1',
        'https://api-openai.com/v1',
      ].every((url) => findApiKey(url, { OPENAI_API_KEY: KEY }) === null),
    ),
  counterpart: 'the provider itself',
  allowed: () =>
    Promise.resolve(findApiKey('https://api.openai.com/v1', { OPENAI_API_KEY: KEY })?.key === KEY),
};

const inFile: Row = {
  tried: 'a secret of the environment that stands in a file',
  attack: async ({ ground }) => {
    const on = await ground();
    on.put('.env', 'SERVICE_TOKEN=the-token-of-a-service-1\n');
    const read = await on.run('read_file', { path: '.env' });
    const found = await on.run('grep', { pattern: 'TOKEN', path: '.env', mode: 'content' });
    return isOk(read) && read.text.includes('[redacted:SERVICE_TOKEN]') && isOk(found);
  },
  counterpart: 'a word that is none',
  allowed: async ({ ground }) => {
    const on = await ground();
    on.put('.env', 'SERVICE_NAME=the-name-of-a-service\n');
    return (await on.run('read_file', { path: '.env' })).text.includes('the-name-of-a-service');
  },
};

export const secrets: Area = {
  area: 'secrets',
  inBoth: true,
  rows: [
    looking('env', 'env; export -p; set', 'echo "${PAGER-none}"', 'cat'),
    looking('/proc/self/environ', "tr '\\0' '\\n' < /proc/self/environ", 'echo "$TERM"', 'dumb'),
    looking('ps', 'ps auxeww; cat /proc/$$/cmdline', 'echo "${SERVICE_TOKEN-none}"', 'none'),
    looking('its own call', 'cat /proc/$PPID/cmdline', 'echo "${OURO_SESSION:+set}"', 'set'),
    looking('the home folders', 'cat $(find HOMES -type f)', 'cat notes.txt', 'plain notes', true),
    looking(
      'the environment of other processes',
      'cat /proc/[0-9]*/environ',
      'ls /proc/self/stat',
      '/proc/self/stat',
      true,
    ),
    ...[echoed, lookalike, inFile],
  ],
};
