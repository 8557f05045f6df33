/** Layers: who may say what, and who wins. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig, type Config, type Settings } from '../../config/load.js';
import { DEFAULTS } from '../../config/settings.js';
import { Places } from './support.js';

let places: Places;
beforeEach(() => {
  places = new Places();
});
afterEach(() => places.remove());

test('without any source everything has its default and says so', () => {
  const loaded = places.load();
  if (!loaded.ok) throw new Error('refused');
  expect(loaded.config).toEqual(DEFAULTS);
  expect(loaded.warnings).toEqual([]);
  expect(new Set(Object.values(loaded.origins))).toEqual(new Set(['default']));
  expect(Object.keys(loaded.origins)).toContain('model.first_token_timeout');
});

/** Key, its TOML value, its text in a variable, and where it is found in the result. */
const KEYS: [string, string, string, (config: Config) => unknown, unknown][] = [
  ['model.name', '"qwen3:8b"', 'qwen3:8b', (c) => c.model.name, 'qwen3:8b'],
  ['model.base_url', '"http://h:1/v1/"', 'http://h:1/v1/', (c) => c.model.baseUrl, 'http://h:1/v1'],
  ['model.first_token_timeout', '0.5', '0.5', (c) => c.model.firstTokenTimeoutMs, 500],
  ['model.silence_timeout', '7', '7', (c) => c.model.silenceTimeoutMs, 7000],
  ['model.retries', '0', '0', (c) => c.model.retries, 0],
  ['model.temperature', '0.0', '0', (c) => c.model.temperature, 0],
  ['model.max_tokens', '2000', '2000', (c) => c.model.maxTokens, 2000],
  ['model.max_wait', '0', '0', (c) => c.model.maxWaitMs, 0],
  ['model.max_wait', '"90s"', '90s', (c) => c.model.maxWaitMs, 90_000],
  ['model.fallback', '["a", "b"]', 'a\nb', (c) => c.model.fallback, ['a', 'b']],
  ['model.max_in_flight', '2', '2', (c) => c.model.maxInFlight, 2],
  ['model.prompt_rate', '50', '50', (c) => c.model.promptRate, 50],
  ['routing.strategy', '"cheap-first"', 'cheap-first', (c) => c.routing.strategy, 'cheap-first'],
  ['routing.cheap', '"a"', 'a', (c) => c.routing.cheap, 'a'],
  ['routing.powerful', '"b"', 'b', (c) => c.routing.powerful, 'b'],
  ['routing.switch_at', '7', '7', (c) => c.routing.switchAt, 7],
  ['tools.timeout', '5', '5', (c) => c.tools.timeoutMs, 5000],
  ['tools.shell_timeout', '6', '6', (c) => c.tools.shellTimeoutMs, 6000],
  ['tools.max_result_bytes', '1000', '1000', (c) => c.tools.maxResultBytes, 1000],
  ['tools.add_dirs', '["~/a", "../b"]', '~/a\n../b', (c) => c.tools.addDirs, ['~/a', '../b']],
  ['tools.read_dirs', '["/a"]', '/a', (c) => c.tools.readDirs, ['/a']],
  ['model.small', '"qwen3:1b"', 'qwen3:1b', (c) => c.model.small, 'qwen3:1b'],
  ['web.robots', 'true', 'true', (c) => c.web.robots, true],
  [
    'web.private_hosts',
    '["wiki.lan", "10.1.0.0/16"]',
    'wiki.lan\n10.1.0.0/16',
    (c) => c.web.privateHosts,
    ['wiki.lan', '10.1.0.0/16'],
  ],
  ['web.ports', '[8080, 8443]', '8080\n8443', (c) => c.web.ports, [8080, 8443]],
  ['web.ports', '[8080]', '8080', (c) => c.web.ports, [8080]],
  ['web.max_bytes', '2000', '2000', (c) => c.web.maxBytes, 2000],
  ['web.timeout', '5', '5', (c) => c.web.timeoutMs, 5000],
  ['budget.max_rounds', '9', '9', (c) => c.budget.maxRounds, 9],
  ['budget.max_time', '"1h30m"', '1h30m', (c) => c.budget.maxTimeMs, 5_400_000],
  ['budget.max_time', '90', '90', (c) => c.budget.maxTimeMs, 90_000],
  ['budget.session_cost', '0.5', '0.5', (c) => c.budget.sessionCost, 0.5],
  ['budget.session_cost', '"none"', 'none', (c) => c.budget.sessionCost, 'none'],
  ['budget.day_cost', '3', '3', (c) => c.budget.dayCost, 3],
  ['budget.month_cost', '40', '40', (c) => c.budget.monthCost, 40],
  ['budget.session_tokens', '5000', '5000', (c) => c.budget.sessionTokens, 5000],
  ['permissions.mode', '"bypass"', 'bypass', (c) => c.permissions.mode, 'bypass'],
  [
    'permissions.allow',
    '["shell(a b)", "c"]',
    'shell(a b)\nc',
    (c) => c.permissions.allow,
    ['shell(a b)', 'c'],
  ],
  ['permissions.ask', '["shell(a b)"]', 'shell(a b)', (c) => c.permissions.ask, ['shell(a b)']],
  ['permissions.deny', '["shell(a b)"]', 'shell(a b)', (c) => c.permissions.deny, ['shell(a b)']],
  ['permissions.mode', '"accept-edits"', 'accept-edits', (c) => c.permissions.mode, 'accept-edits'],
  ['sandbox.mode', '"off"', 'off', (c) => c.sandbox.mode, 'off'],
  ['sandbox.mode', '"require"', 'require', (c) => c.sandbox.mode, 'require'],
  ['sandbox.network', 'true', 'true', (c) => c.sandbox.network, true],
  ['undo.max_file_bytes', '5', '5', (c) => c.undo.maxFileBytes, 5],
  ['undo.max_session_bytes', '6', '6', (c) => c.undo.maxSessionBytes, 6],
  ['undo.max_files', '0', '0', (c) => c.undo.maxFiles, 0],
  ['tui.colour', '"never"', 'never', (c) => c.tui.colour, 'never'],
  ['log.level', '"debug"', 'debug', (c) => c.log.level, 'debug'],
  ['log.format', '"json"', 'json', (c) => c.log.format, 'json'],
];

test.each(KEYS)('%s = %s can be set by file, variable and .env', (key, toml, text, read, value) => {
  const [section = '', name = ''] = key.split('.');
  const variable = `OURO_${section}_${name}`.toUpperCase();
  expect(read(places.config({ env: { [variable]: text } }))).toEqual(value);
  expect(read(places.dotEnv(`${variable}='${text}'\n`).config())).toEqual(value);
  places.dotEnv('').user(`[${section}]\n${name} = ${toml}\n`);
  expect(read(places.config())).toEqual(value);
  const loaded = places.load();
  expect(loaded.ok && loaded.origins[key]).toBe(places.userFile);
});

test('each layer wins over the one below it, and the origin names the winner', () => {
  const steps: [() => void, string, number][] = [
    [() => places.user('[budget]\nmax_rounds = 50'), places.userFile, 50],
    [() => places.project('[budget]\nmax_rounds = 40'), places.workspaceFile, 40],
    [() => places.dotEnv('OURO_BUDGET_MAX_ROUNDS=60'), '.env (OURO_BUDGET_MAX_ROUNDS)', 60],
  ];
  const check = (origin: string, value: number, more: Parameters<Places['load']>[0] = {}) => {
    const loaded = places.load(more);
    if (!loaded.ok) throw new Error('refused');
    expect(loaded.config.budget.maxRounds).toBe(value);
    expect(loaded.origins['budget.max_rounds']).toContain(origin);
  };
  for (const [act, origin, value] of steps) {
    act();
    check(origin, value);
  }
  const env = { OURO_BUDGET_MAX_ROUNDS: '70' };
  check('environment OURO_BUDGET_MAX_ROUNDS', 70, { env });
  check('flag --max-rounds', 80, { env, flags: { budget: { max_rounds: 80 } } });
  check('environment', 70, { env, flags: { budget: { max_rounds: undefined } } });
});

test('an empty variable counts as unset', () => {
  places.user('[model]\nname = "a"').dotEnv('OURO_LOG_LEVEL=debug');
  const config = places.config({ env: { OURO_MODEL_NAME: '', OURO_LOG_LEVEL: '' } });
  expect(config.model.name).toBe('a');
  expect(config.log.level).toBe('debug');
});

test('rules to allow add up over the layers', () => {
  places.user('[permissions]\nallow = ["a"]');
  const loaded = places.load({
    env: { OURO_PERMISSIONS_ALLOW: 'b' },
    flags: { permissions: { allow: ['c', 'd'] } },
  });
  if (!loaded.ok) throw new Error('refused');
  expect(loaded.config.permissions.allow).toEqual(['a', 'b', 'c', 'd']);
  const origin = `${places.userFile}, environment OURO_PERMISSIONS_ALLOW, flag --allow`;
  expect(loaded.origins['permissions.allow']).toBe(origin);
});

test('each rule knows the file and line, the variable or the flag that gave it', () => {
  places.user(
    `[permissions]\nallow = [\n  "shell(npm test*)", # tests\n  'shell(make)',\n]\nask = ["shell(a \\"b\\")"]`,
  );
  places.project('[permissions]\ndeny = ["shell(rm *)"]');
  const { permissions } = places.config({
    env: { OURO_PERMISSIONS_DENY: 'shell(curl *)' },
    flags: { permissions: { allow: ['c'], deny: ['d', 'shell(rm *)'] } },
  });
  expect(permissions.deny).toEqual(['shell(rm *)', 'shell(curl *)', 'd', 'shell(rm *)']);
  expect(permissions.origins).toEqual({
    'allow shell(npm test*)': { from: places.userFile, line: 3 },
    'allow shell(make)': { from: places.userFile, line: 4 },
    'ask shell(a "b")': { from: places.userFile, line: 6 },
    'deny shell(rm *)': { from: places.workspaceFile, line: 2 },
    'deny shell(curl *)': { from: 'environment OURO_PERMISSIONS_DENY', line: null },
    'allow c': { from: 'flag --allow', line: null },
    'deny d': { from: 'flag --deny', line: null },
  });
});

test('a key that a file sets knows its line, and loses it to a variable', () => {
  places.user('[model]\n\nname = "a"\n[log]\nlevel = "warn"');
  const linesOf = (env: Record<string, string>) => {
    const loaded = places.load({ env });
    return loaded.ok ? loaded.lines : null;
  };
  expect(linesOf({})).toEqual({ 'model.name': 3, 'log.level': 5 });
  expect(linesOf({ OURO_MODEL_NAME: 'b' })).toEqual({ 'log.level': 5 });
});

test('folders of all sources add up', () => {
  places.user('[tools]\nadd_dirs = ["/a"]');
  expect(places.config({ flags: { tools: { add_dirs: ['/b'] } } }).tools.addDirs).toEqual([
    '/a',
    '/b',
  ]);
});

test('a file named by --config takes the place of the own one, and must be there', () => {
  places.user('[model]\nname = "own"');
  const configFile = join(places.root, 'other.toml');
  expect(places.errors({ configFile })).toMatchObject([{ file: configFile, line: null }]);
  writeFileSync(configFile, '[log]\nlevel = "warn"');
  expect(places.config({ configFile })).toMatchObject({
    model: { name: null },
    log: { level: 'warn' },
  });
});

describe('the endpoint', () => {
  const of = (env: Record<string, string>, flags: Settings = {}) =>
    places.config({ env, flags }).model.baseUrl;
  test('comes from the configuration, then OPENAI_BASE_URL, then OLLAMA_HOST', () => {
    const env = { OPENAI_BASE_URL: 'https://a.example/v1', OLLAMA_HOST: 'b' };
    expect(of(env, { model: { base_url: 'http://c/v1' } })).toBe('http://c/v1');
    expect(of(env)).toBe('https://a.example/v1');
    expect(of({ OLLAMA_HOST: 'b' })).toBe('http://b:11434/v1');
    expect(of({})).toBeNull();
    const loaded = places.load({ env: { OLLAMA_HOST: 'b' } });
    expect(loaded.ok && loaded.origins['model.base_url']).toBe('environment OLLAMA_HOST');
  });
  test.each([
    ['127.0.0.1', 'http://127.0.0.1:11434/v1'],
    ['host:8000', 'http://host:8000/v1'],
    [':8000', 'http://127.0.0.1:8000/v1'],
    ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
    ['0.0.0.0:80', 'http://127.0.0.1/v1'],
    ['[::]:8000', 'http://[::1]:8000/v1'],
    ['http://host', 'http://host/v1'],
    ['https://host:1/x/', 'https://host:1/x/v1'],
    ['http://host:1/v1', 'http://host:1/v1'],
  ])('OLLAMA_HOST=%s means %s', (host, url) => {
    expect(of({ OLLAMA_HOST: host })).toBe(url);
  });
  test('a broken one is an error only where it would be used', () => {
    const env = { OPENAI_BASE_URL: 'nonsense' };
    expect(places.errors({ env })).toMatchObject([{ file: 'environment OPENAI_BASE_URL' }]);
    expect(of(env, { model: { base_url: 'http://c/v1' } })).toBe('http://c/v1');
  });
});

describe("the workspace's file is not trusted", () => {
  test('it may choose how things look and lower limits', () => {
    places.user('[budget]\nmax_rounds = 50\nmax_time = "2h"');
    places.project(
      '[tui]\ncolour = "never"\n[log]\nlevel = "warn"\n[budget]\nmax_rounds = 10\nmax_time = "30m"',
    );
    const loaded = places.load();
    expect(loaded).toMatchObject({
      ok: true,
      warnings: [],
      config: {
        tui: { colour: 'never' },
        log: { level: 'warn' },
        budget: { maxRounds: 10, maxTimeMs: 1_800_000 },
      },
    });
  });

  test('everything else is ignored, with one warning that names file and keys', () => {
    places.user('[budget]\nmax_rounds = 50\n[model]\nname = "own"');
    places.project(
      'hooks = 1\n[model]\nbase_url = "http://evil"\nname = 7\n[permissions]\nmode = "bypass"\nallow = ["shell"]\nask = ["x"]\n[sandbox]\nmode = "off"\n[budget]\nmax_rounds = 500\n[log]\nformat = "json"',
    );
    const loaded = places.load();
    if (!loaded.ok) throw new Error('refused');
    expect(loaded.config).toEqual({
      ...DEFAULTS,
      model: { ...DEFAULTS.model, name: 'own' },
      budget: { ...DEFAULTS.budget, maxRounds: 50 },
      log: { level: 'info', format: 'json' },
    });
    expect(loaded.warnings).toHaveLength(1);
    const named =
      'ignored hooks, model.base_url, model.name, permissions.mode, permissions.allow, permissions.ask, sandbox.mode, budget.max_rounds.';
    expect(loaded.warnings[0]).toContain(`${places.workspaceFile}: ${named}`);
  });

  test('a person may still raise what it lowered', () => {
    places.project('[budget]\nmax_rounds = 1');
    expect(places.config({ flags: { budget: { max_rounds: 9 } } }).budget.maxRounds).toBe(9);
  });

  test('names in the warning cannot act on a terminal', () => {
    places.project(String.raw`"\u001b]52;c;x\u0007\u202e" = 1`);
    const loaded = places.load();
    expect(loaded.ok && loaded.warnings[0]).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test('a link that leads out, a FIFO and a huge file are refused without reading', () => {
    writeFileSync(join(places.root, 'secret'), 'password = hunter2');
    symlinkSync(join(places.root, 'secret'), places.workspaceFile);
    const [linked] = places.errors();
    expect(linked?.message).toContain('link');
    expect(JSON.stringify(linked)).not.toContain('hunter2');

    const other = join(places.root, 'other');
    mkdirSync(join(other, '.ouro'), { recursive: true });
    const file = join(other, '.ouro', 'config.toml');
    execFileSync('mkfifo', [file]);
    expect(places.errors({ workspace: other })[0]?.message).toContain('not a regular file');
    execFileSync('rm', [file]);
    writeFileSync(file, `# ${'x'.repeat(1024 * 1024)}`);
    expect(places.errors({ workspace: other })[0]?.message).toContain('larger');
  });

  test('where the workspace is the folder above the home, the file is the own one', () => {
    const home = join(places.workspace, '.ouro');
    places.project('[model]\nname = "own"');
    const loaded = loadConfig({ home, workspace: places.workspace, env: {} });
    expect(loaded).toMatchObject({ ok: true, warnings: [], config: { model: { name: 'own' } } });
  });
});

test('models for some rounds are a table in the file, in either form', () => {
  for (const text of [
    '[routing]\noverrides = { 1 = "big" }\n',
    '[routing.overrides]\n1 = "big"\n',
  ]) {
    places.user(text);
    const loaded = places.load();
    expect(loaded.ok && loaded.config.routing.overrides).toEqual({ 1: 'big' });
  }
});

test('a model for what is no round is refused with its place', () => {
  places.user('[routing]\noverrides = { first = "big" }\n');
  const loaded = places.load();
  expect(loaded).toMatchObject({ ok: false, errors: [{ key: 'routing.overrides', line: 2 }] });
  expect(loaded.ok ? '' : loaded.errors[0]?.message).toContain('a table of rounds and model names');
});
