import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explainRefusal } from '../../src/sandbox/refusals.js';
import { confined, opened, playground, shellIn } from './playground.js';

const limits = { network: false, roots: ['/w', '/added'], temp: '/tmp' };
const explain = (output: string, network = false): string | null =>
  explainRefusal({ ...limits, network }, output, 1);

test('a lack of network is named with the way to get it', () => {
  for (const output of [
    'curl: (6) Could not resolve host: example.com',
    'connect: Network is unreachable',
    'npm error code EAI_AGAIN\nnpm error request to https://registry.npmjs.org failed',
    'Error: getaddrinfo ENOTFOUND example.com',
    'ssh: Could not resolve hostname github.com: Temporary failure in name resolution',
    "fatal: unable to access 'https://x/': Could not resolve host: x",
  ]) {
    expect(explain(output)).toMatch(/no network.*--network/);
  }
  expect(explain('curl: (6) Could not resolve host: example.com', true)).toBeNull();
});

test('a refused write is named with the folders that can be written', () => {
  for (const output of [
    'touch: cannot touch x: Read-only file system',
    "Error: EROFS: read-only file system, open '/x'",
    'error: could not write config file .git/config: Device or resource busy',
  ]) {
    expect(explain(output)).toContain('/w, /added, /tmp');
  }
  expect(explain("rm: cannot remove '/mnt/x': Device or resource busy")).toBeNull();
});

test('a server of the machine that is out of reach is named, unless the network is on', () => {
  expect(explain('connect ECONNREFUSED 127.0.0.1:5432')).toContain('--network');
  expect(explain('connect ECONNREFUSED 127.0.0.1:5432', true)).toBeNull();
});

test('missing privileges are named', () => {
  expect(explain('chown: changing ownership of x: Operation not permitted')).toContain(
    'privileges',
  );
});

test('an ordinary failure gets no note', () => {
  expect(explain('2 tests failed\nExpected 1, got 2')).toBeNull();
  expect(explain('')).toBeNull();
});

const words = fc.constantFrom(
  'Read-only file system',
  'ECONNREFUSED',
  'bwrap: x',
  'EPERM',
  'EROFS',
);

test('a command that succeeded gets no note, whatever it printed', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string())), fc.boolean(), (parts, network) => {
      expect(explainRefusal({ ...limits, network }, parts.join('\n'), 0)).toBeNull();
    }),
  );
});

test('a note is one line, however long the output', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string())), (parts) => {
      expect(explain(parts.join('\n')) ?? '').not.toContain('\n');
    }),
  );
  expect(explain('.git '.repeat(200_000))).toBeNull();
});

confined('what a real refusal prints is recognised', async () => {
  const place = playground();
  const sandbox = await opened(place.options);
  const run = await shellIn(place);
  for (const [command, note] of [
    ['touch /etc/x', 'lets commands write only in'],
    ['echo x > .ouro/x', '.ouro'],
    ['exec 4<>/dev/tcp/198.51.100.1/80', '--network'],
    ['chown 1 .', 'privileges'],
  ] as const) {
    const { code, output } = await run(command);
    expect([output, sandbox.explain(output, code ?? 1)]).toEqual([
      output,
      expect.stringContaining(note),
    ]);
  }
});

confined('a folder that is not there inside is named', async () => {
  const place = playground();
  const sandbox = await opened(place.options);
  const run = await shellIn({ ...place, workspace: place.options.tempDir });
  const { code, output } = await run('true');
  expect(sandbox.explain(output, code ?? 1)).toContain('could not start the command');
});
