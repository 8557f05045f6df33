import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutSecrets } from '../../src/tools/child-environment.js';
import { holdsRedaction, redactor } from '../../src/tools/redaction.js';
import { isSecretName } from '../../src/tools/secret-names.js';

test.each([
  ...[
    'OPENAI_API_KEY',
    'GH_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'DB_PASSWORD',
    'PGPASSWD',
    'MYSQL_PWD',
  ],
  ...['GOOGLE_APPLICATION_CREDENTIALS', 'NPM_AUTH', 'MYTOKEN', 'apikey', 'SIGNING_KEY', 'A_PASS'],
])('%s is named like a secret', (name) => expect(isSecretName(name)).toBe(true));

test.each([
  'PATH',
  'PWD',
  'OLDPWD',
  'GIT_AUTHOR_NAME',
  'KEYBOARD',
  'XAUTHORITY',
  'COMPASS',
  'HOME',
])('%s is not named like a secret', (name) => expect(isSecretName(name)).toBe(false));

test('a child inherits neither secrets nor what could change its commands', () => {
  const child = withoutSecrets({
    PATH: '/bin',
    API_KEY: 'x',
    OURO_MODEL: 'x',
    SSH_AUTH_SOCK: 'x',
    BASH_ENV: 'x',
    'BASH_FUNC_ls%%': '() { evil; }',
    DATABASE_URL: 'postgres://me:pass@host/db',
    PAGER: 'less',
  });
  expect(child).toEqual({
    PATH: '/bin',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    TERM: 'dumb',
    NO_COLOR: '1',
    GIT_TERMINAL_PROMPT: '0',
  });
});

test('values of secret variables and keys of known shape are replaced by their names', () => {
  const redact = redactor({ MY_TOKEN: 'abc-123-abc-123', LONG_SECRET: 'abc-123-abc-123-and-more' });
  expect(redact('a abc-123-abc-123-and-more b abc-123-abc-123')).toBe(
    'a [redacted:LONG_SECRET] b [redacted:MY_TOKEN]',
  );
  expect(redact(`key: sk-${'a1'.repeat(20)}, AKIA${'A'.repeat(16)}.`)).toBe(
    'key: [redacted:api-key], [redacted:aws-key].',
  );
  const pem = '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----';
  expect(redact(`${pem}\nrest`)).toBe('[redacted:private-key]\nrest');
  expect(holdsRedaction(redact(pem))).toBe(true);
});

test.each([
  ['short', 'abc-123'],
  ['a plain word', 'administrator'],
  ['a number', '1234567890123'],
  ['a path', '/home/me/.config/key'],
])('%s in a variable named like a secret is no secret', (_, value) => {
  expect(redactor({ APP_KEY: value })(`x ${value} y`)).toBe(`x ${value} y`);
});

test('no secret is left in any text', () => {
  const secret = fc.string({ minLength: 12 }).map((value) => `s3cret!${value}`);
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
      const clean = redactor({ THE_TOKEN: value })(before + value + after);
      expect(clean.replaceAll('[redacted:THE_TOKEN]', '')).not.toContain(value);
    }),
  );
});
