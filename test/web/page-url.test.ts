import { expect, test } from 'vitest';
import { readPageUrl, readRedirect } from '../../src/web/page-url.js';

const SECURE = new URL('https://example.com/a/b');

test('the fragment and trailing dots of the host are left out', () => {
  const read = readPageUrl('HTTP://Example.COM.:80/x?y#z');
  expect(read.ok && read.url.href).toBe('http://example.com/x?y');
});

test('a redirect is read relative to the page', () => {
  const read = readRedirect(SECURE, '../c');
  expect(read.ok && read.url.href).toBe('https://example.com/c');
});

test.each([
  ['http://example.com/', 'from https: to http:'],
  ['ftp://example.com/', '"ftp:" URLs'],
  ['https://me:secret@example.com/', 'user name or a password'],
  [undefined, 'without saying where to'],
])('a redirect of a secure page to %s is not followed', (location, words) => {
  const read = readRedirect(SECURE, location);
  expect(read).toEqual({ ok: false, message: expect.stringContaining(words) as string });
});

test('what a server sends as a place cannot bring control characters into the message', () => {
  const read = readRedirect(SECURE, 'http://[\u001b]0;x\u0007');
  expect(!read.ok && /^[ -~]+$/.test(read.message)).toBe(true);
});
