import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPrivateHost } from '../../config/private-hosts.js';
import { createGatekeeper } from '../../src/web/gatekeeper.js';

const refusal = (
  url: string,
  address: string,
  allowPrivate: readonly string[] = [],
  allowPorts: readonly number[] = [],
): string | null => createGatekeeper({ allowPrivate, allowPorts }).refusal(new URL(url), address);

test('public addresses are reached on the usual ports', () => {
  expect(refusal('http://example.com/', '93.184.216.34')).toBeNull();
  expect(refusal('https://example.com/', '2606:4700::1111')).toBeNull();
  expect(refusal('https://example.com:80/', '93.184.216.34')).toBeNull();
});

test('other ports are closed until they are configured', () => {
  const message = 'port 6379 of example.com is not open';
  expect(refusal('http://example.com:6379/', '93.184.216.34')).toContain(message);
  expect(refusal('http://example.com:6379/', '93.184.216.34', [], [6379])).toBeNull();
});

test('a refusal says what the address is', () => {
  expect(refusal('http://intra.example/', '10.1.2.3')).toBe(
    'intra.example (10.1.2.3) is not public, but a private network. Only public addresses are reached, and those the operator configured.',
  );
});

test.each([
  ['http://intra.example/', '10.1.2.3', 'intra.example'],
  ['http://intra.example/', '10.1.2.3', 'Intra.Example.'],
  ['http://intra.example/', '10.1.2.3', '10.0.0.0/8'],
  ['http://intra.example/', '10.1.2.3', '10.1.2.3'],
  ['http://intra.example/', '::ffff:10.1.2.3', '10.1.2.3'],
  ['http://intra.example:8080/', '10.1.2.3', 'intra.example:8080'],
  ['http://intra.example:8080/', '10.1.2.3', '10.0.0.0/8:8080'],
  ['http://[::1]/', '::1', '::1'],
  ['http://[::1]:3000/', '::1', '[::1]:3000'],
  ['http://[fd00::5]/', 'fd00::5', 'fd00::/8'],
])('%s at %s is reached when %s is configured', (url, address, entry) => {
  expect(refusal(url, address)).not.toBeNull();
  expect(refusal(url, address, [entry])).toBeNull();
});

test.each([
  ['http://other.example/', '10.1.2.3', 'intra.example'],
  ['http://intra.example.evil.example/', '10.1.2.3', 'intra.example'],
  ['http://notintra.example/', '10.1.2.3', 'intra.example'],
  ['http://intra.example/', '11.0.0.1.', '10.0.0.0/8'],
  ['http://intra.example/', '10.1.2.4', '10.1.2.3'],
  ['http://intra.example/', '10.1.2.3', 'intra.example:8080'],
  ['http://intra.example:9090/', '10.1.2.3', 'intra.example:8080'],
  ['http://intra.example:9090/', '10.1.2.3', 'intra.example'],
])('%s at %s is not reached when only %s is configured', (url, address, entry) => {
  expect(refusal(url, address, [entry])).not.toBeNull();
});

test.each(['', 'http://intra', '10.0.0.0/33', '10.0.0.0/x', 'a b', '[::1', 'fd00::/129', '*.x'])(
  'the entry "%s" is an error and not a hole',
  (entry) => {
    expect(() => createGatekeeper({ allowPrivate: [entry], allowPorts: [] })).toThrow('neither');
  },
);

test('every entry that the configuration takes is understood here', () => {
  const number = fc.nat(300).map(String);
  const part = fc.constantFrom('a', 'wiki.lan', '::1', 'fd00::', '[', ']', '/', ':', '.', '*', ' ');
  const entry = fc.oneof(
    fc.tuple(number, number, number, number).map((parts) => parts.join('.')),
    fc.array(fc.oneof(part, number), { maxLength: 6 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(entry, (text) => {
      const make = () => createGatekeeper({ allowPrivate: [text], allowPorts: [] });
      if (isPrivateHost(text)) expect(make).not.toThrow();
    }),
    { numRuns: 1000 },
  );
  for (const good of ['wiki.lan', 'Wiki.LAN.', '10.0.0.0/8:80', '[::1]:3000', 'fd00::/8', '::1'])
    expect(isPrivateHost(good)).toBe(true);
  for (const bad of ['', 'http://a', '10.0.0.0/33', 'a b', '*.x', 'a:0', 'a:65536', '::1/8/9'])
    expect(isPrivateHost(bad)).toBe(false);
});
