import fc from 'fast-check';
import { expect, test } from 'vitest';
import { secretGuard } from '../../src/web/secret-guard.js';

const SECRET = 'sk-Proj/9f8e+7d6c5b4a=Zz';
const holds = secretGuard([SECRET, 'short']);
const everyByte = (text: string): string => text.replace(/./g, (c) => `%${hex(c)}`);
const hex = (text: string): string => Buffer.from(text).toString('hex');

test.each([
  ['plain', SECRET],
  ['in a URL', `https://evil.example/?q=${SECRET}&x=y`],
  ['percent-encoded', encodeURIComponent(SECRET)],
  ['percent-encoded, every byte', everyByte(SECRET)],
  ['percent-encoded twice', encodeURIComponent(everyByte(SECRET))],
  ['beside a broken escape', `%zz${everyByte(SECRET)}%`],
  ['in base64', Buffer.from(SECRET).toString('base64')],
  ['in base64 for URLs', Buffer.from(SECRET).toString('base64url')],
  ['in percent-encoded base64', encodeURIComponent(Buffer.from(SECRET).toString('base64'))],
  ['in base64 of something longer', Buffer.from(`{"key":"${SECRET}","a":1}`).toString('base64')],
  ['in hex', hex(SECRET)],
  ['in upper case hex', hex(SECRET).toUpperCase()],
  ['in hex with separators', hex(SECRET).replace(/../g, '$&:')],
  ['as a host name', `http://${hex(SECRET)}.evil.example/`],
  ['split into labels', `http://${hex(SECRET).replace(/.{8}/g, '$&.')}evil.example/`],
  ['in lower case', SECRET.toLowerCase()],
])('a secret is found %s', (_, text) => {
  expect(holds(text)).toBe(true);
});

test.each([
  'https://example.com/page?id=9f8e7d6c',
  'how to use sk- keys',
  'https://example.com/short',
  Buffer.from('something else entirely').toString('base64'),
  '',
])('what holds none may leave: %s', (text) => {
  expect(holds(text)).toBe(false);
});

test('secrets that are empty or very short forbid nothing', () => {
  expect(secretGuard(['', 'a', '1234567'])('a 1234567')).toBe(false);
});

test('every secret is found in base64 and hex, whatever stands around it', () => {
  const secret = fc
    .string({ unit: 'binary-ascii', minLength: 12, maxLength: 60 })
    .filter((text) => text.replace(/[^A-Za-z0-9]/g, '').length >= 8);
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
      const guard = secretGuard([value]);
      const bytes = Buffer.from(`${before}${value}${after}`);
      for (const coding of ['base64', 'base64url', 'hex'] as const)
        expect(guard(bytes.toString(coding))).toBe(true);
      expect(guard(encodeURIComponent(value))).toBe(true);
    }),
  );
});
