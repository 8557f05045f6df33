/** What is wrong is said at once, with file, line, key and what was expected; nothing throws. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formatConfigErrors, type Settings } from '../../config/load.js';
import { Places } from './support.js';

let places: Places;
beforeEach(() => {
  places = new Places();
});
afterEach(() => places.remove());

test.each([
  ['[model]\nname = ""', 2, 'model.name', 'model name'],
  ['[model]\nname = "a b"', 2, 'model.name', 'without spaces'],
  ['[model]\n\nname = 7', 3, 'model.name', 'model name'],
  ['[model]\nbase_url = "ftp://x"', 2, 'model.base_url', 'http or https'],
  ['[model]\nbase_url = "example.com/v1"', 2, 'model.base_url', 'http or https'],
  ['[model]\nbase_url = "http://u:p@h/v1"', 2, 'model.base_url', 'without user name'],
  ['[model]\nfirst_token_timeout = 0', 2, 'model.first_token_timeout', 'above 0'],
  ['[model]\nsilence_timeout = nan', 2, 'model.silence_timeout', 'number of seconds'],
  ['[model]\nsilence_timeout = inf', 2, 'model.silence_timeout', 'number of seconds'],
  ['[model]\nretries = 1.5', 2, 'model.retries', 'whole number'],
  ['[model]\nretries = -1', 2, 'model.retries', 'from 0'],
  ['[model]\ntemperature = 3', 2, 'model.temperature', '0 to 2'],
  ['[model]\nmax_tokens = 0', 2, 'model.max_tokens', 'from 1'],
  ['[tools]\ntimeout = "60"', 2, 'tools.timeout', 'number of seconds'],
  ['[tools]\nshell_timeout = 1000000', 2, 'tools.shell_timeout', 'at most 86400'],
  ['[tools]\nmax_result_bytes = 1', 2, 'tools.max_result_bytes', 'from 500'],
  ['[web]\nprivate_hosts = ["http://x"]', 2, 'web.private_hosts', 'hosts, addresses or ranges'],
  ['[web]\nports = [0]', 2, 'web.ports', 'a list of ports'],
  ['[web]\nports = ["80"]', 2, 'web.ports', 'a list of ports'],
  ['[web]\nmax_bytes = 10', 2, 'web.max_bytes', 'from 1000'],
  ['[model]\nsmall = "a b"', 2, 'model.small', 'a model name'],
  ['[budget]\nmax_rounds = 0', 2, 'budget.max_rounds', 'from 1'],
  ['[budget]\nmax_time = "soon"', 2, 'budget.max_time', '90m'],
  ['[budget]\nmax_time = 0', 2, 'budget.max_time', 'duration'],
  ['[budget]\nmax_time = 2026-01-01', 2, 'budget.max_time', 'duration'],
  ['[permissions]\nmode = "yolo"', 2, 'permissions.mode', '"default" or "accept-edits" or'],
  ['[permissions]\ndeny = [1]', 2, 'permissions.deny', 'list of rules'],
  ['[permissions]\nask = "x"', 2, 'permissions.ask', 'list of rules'],
  ['[permissions]\nallow = "shell"', 2, 'permissions.allow', 'list of rules'],
  ['[permissions]\nallow = [\n  "a",\n  "",\n]', 2, 'permissions.allow', 'list of rules'],
  ['[sandbox]\nmode = "on"', 2, 'sandbox.mode', '"auto" or "require" or "off"'],
  ['[sandbox]\nnetwork = "yes"', 2, 'sandbox.network', 'true or false'],
  ['[tui]\ncolour = true', 2, 'tui.colour', '"auto" or "never"'],
  ['[log]\nlevel = "loud"', 2, 'log.level', '"info"'],
  ['[log]\nformat = "github"', 2, 'log.format', '"json"'],
  ['model = "x"', 1, 'model', '[model]'],
  ['[[model]]\nname = "x"', 1, 'model', '[model]'],
  ['[model]\nretires = 3', 2, 'model.retires', 'did you mean model.retries?'],
  ['[model]\nbaseurl = "http://h"', 2, 'model.baseurl', 'did you mean model.base_url?'],
  ['[tools]\nmax_rounds = 3', 2, 'tools.max_rounds', 'did you mean budget.max_rounds?'],
  ['[tools]\nzzz = 3', 2, 'tools.zzz', '[tools] has timeout'],
  ['[modle]\nname = "x"', 1, 'modle', 'did you mean [model]?'],
  ['\n[zebra]\na = 1', 2, 'zebra', 'the sections are model'],
  ['[model]\napi_key = "sk-1"', 2, 'model.api_key', 'OURO_API_KEY'],
  ['model.retires = 3', 1, 'model.retires', 'model.retries'],
  ['model = { name = "x", retires = 3 }', 1, 'model.retires', 'model.retries'],
  ['[model]\n"__proto__" = 3', 2, 'model.__proto__', '[model] has'],
])('%j', (toml, line, key, expected) => {
  const errors = places.user(toml).errors();
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatchObject({ file: places.userFile, line, key });
  expect(errors[0]?.expected).toContain(expected);
  expect(errors[0]?.message).toContain(expected);
});

test.each([
  ['model = ', 1],
  ['[model]\nname = "a"\nname = "b"', 3],
  ['[model\n', 1],
  ['a = 99999999999999999999', 1],
  [`a = ${'['.repeat(100_000)}`, 1],
])('text that is not TOML is refused with its line', (toml, line) => {
  const errors = places.user(toml).errors();
  expect(errors).toMatchObject([{ file: places.userFile, line }]);
  expect(errors[0]?.message).toMatch(/not TOML: .*column \d+/);
});

test('all errors of all sources come at once, one line each', () => {
  places.user('[model]\nretires = 1\nname = 7\n[log]\nlevel = "loud"').project('[tui]\ncolour = 3');
  const errors = places.errors({
    env: { OURO_TOOLS_TIMEOUT: 'fast', OURO_TOOLS_TIMEOUTS: '1' },
    flags: { budget: { max_time: 'soon' }, sandbox: { mode: 'yes' } } as unknown as Settings,
  });
  const text = formatConfigErrors(errors);
  expect(text.split('\n').sort()).toEqual(
    [
      `${places.userFile}:2: model.retires is not known; did you mean model.retries?`,
      `${places.userFile}:3: model.name is 7; expected a model name without spaces, of at most 200 characters`,
      `${places.userFile}:5: log.level is "loud"; expected "trace" or "debug" or "info" or "warn" or "error" or "silent"`,
      `${places.workspaceFile}:2: tui.colour is 3; expected "auto" or "never"`,
      'environment OURO_TOOLS_TIMEOUT: tools.timeout is "fast"; expected a number of seconds above 0 and at most 86400',
      'environment OURO_TOOLS_TIMEOUTS: tools.timeouts is not known; did you mean tools.timeout?',
      'flag --max-time: budget.max_time is "soon"; expected a duration such as "45s", "90m" or "1h30m", or a number of seconds',
      'flag --sandbox: sandbox.mode is "yes"; expected "auto" or "require" or "off"',
    ].sort(),
  );
});

test('a misspelt variable is mentioned, and other variables with our prefix are left alone', () => {
  const load = (env: Record<string, string>) => {
    const loaded = places.load({ env });
    return loaded.ok ? loaded.warnings : loaded.errors;
  };
  expect(load({ OURO_MODLE_NAME: 'x' })).toEqual([
    'environment OURO_MODLE_NAME: not a setting, and ignored; did you mean OURO_MODEL_NAME?',
  ]);
  expect(load({ OURO_HOME: '/x', OURO_API_KEY: 'k', OURO_SESSION: 's', OURO_CALL: 'c' })).toEqual(
    [],
  );
});

test('values in messages are short, printable, and without credentials', () => {
  const [secret] = places.errors({ env: { OURO_MODEL_BASE_URL: 'http://user:hunter2@h/v1' } });
  expect(JSON.stringify(secret)).not.toContain('hunter2');
  const [long] = places.errors({ env: { OURO_LOG_LEVEL: `\u001b[31m\u202e${'x'.repeat(5000)}` } });
  expect(long?.message.length).toBeLessThan(300);
  expect(long?.message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  places.user('[model]\napi_key = "sk-secret"');
  expect(JSON.stringify(places.errors())).not.toContain('sk-secret');
});

test('a file that cannot be read is an error that names it', () => {
  mkdirSync(places.userFile);
  expect(places.errors()).toMatchObject([{ file: places.userFile, line: null }]);
  const dotEnv = join(places.home, '.env');
  mkdirSync(dotEnv);
  chmodSync(dotEnv, 0o700);
  expect(places.errors().map((error) => error.file)).toContain(dotEnv);
});

test('no text in any file makes the loader throw', () => {
  const line = fc.constantFrom(
    ...['[model]', '[a.b]', 'name = "x"', 'model.name = 1', '= 1', '[[log]]', 'a = {b = [1, {}]}'],
    ...['"""', 'x = 1979-05-27', '[budget]', 'max_time = []', '__proto__ = 1', '\0', '# c'],
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), fc.string(), (lines, more) => {
      places.user(lines.join('\n')).project([more, ...lines].join('\n'));
      expect(typeof places.load({ env: { OURO_MODEL_NAME: more } }).ok).toBe('boolean');
    }),
  );
});
