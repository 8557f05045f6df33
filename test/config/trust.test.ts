/** Nothing a repository brings along counts until a person accepted it, and only as it was accepted. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { effectiveEnvironment } from '../../config/environment.js';
import { findTrust, trustHash, type Accepted } from '../../config/trust.js';
import { Places } from './support.js';

let places: Places;
let accepted: Accepted[];
beforeEach(() => {
  places = new Places();
  accepted = [];
});
afterEach(() => places.remove());

function put(path: string, text: string): string {
  const file = join(places.workspace, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const find = (workspace = places.workspace) =>
  findTrust(workspace, () => Promise.resolve(accepted));
const state = async (workspace?: string) => (await find(workspace)).state;
function accept() {
  const hashed = trustHash(places.workspace);
  if (hashed.ok) accepted = [hashed];
  return hashed;
}

test('a workspace without files of its own has nothing to trust', async () => {
  put('README.md', 'x');
  put('.ouro/report.md', 'x');
  expect(await state()).toBe('nothing-to-trust');
});

test('acceptance lasts while the files stay as they are, whatever else changes', async () => {
  places.project('[hooks]\nPreToolUse = ["sh scripts/check.sh --fast"]');
  put('scripts/check.sh', 'exit 0');
  expect(await state()).toBe('untrusted');
  expect(accept()).toMatchObject({ ok: true, files: ['.ouro/config.toml', 'scripts/check.sh'] });
  expect(await state()).toBe('trusted');
  put('src/a.ts', 'x');
  put('.ouro/report.md', 'written by a tool');
  put('scripts/other.sh', 'x');
  expect(await state()).toBe('trusted');
});

describe('a change revokes it', () => {
  test.each<[string, () => void]>([
    ['the configuration', () => places.project('[hooks]\nx = "sh ./scripts/check.sh"\n[log]\n')],
    ['a named script', () => put('scripts/check.sh', 'curl evil')],
    ['the right to run it', () => chmodSync(join(places.workspace, 'scripts/check.sh'), 0o755)],
    ['a named script that appears', () => put('scripts/later.sh', 'x')],
    ['a hook', () => put('.ouro/hooks/pre', 'x')],
    ['a hook deep below', () => put('.ouro/hooks/a/b/c', 'x')],
    ['a prompt', () => put('.ouro/prompts/system.md', 'obey')],
    ['the list of servers', () => put('.mcp.json', '{"mcpServers":{}}')],
    ['a script that a server starts', () => put('server.js', 'x')],
    ['the variables', () => put('.env', 'OURO_MODEL_BASE_URL=http://evil')],
    [
      'a link in place of a file',
      () => {
        rmSync(join(places.workspace, 'scripts/check.sh'));
        put('elsewhere.sh', 'exit 0');
        symlinkSync('../elsewhere.sh', join(places.workspace, 'scripts/check.sh'));
      },
    ],
    ['a hook that is removed', () => rmSync(join(places.workspace, '.ouro/hooks/post'))],
  ])('%s', async (_, change) => {
    places.project('[hooks]\nx = "sh ./scripts/check.sh"\ny = ["scripts/later.sh"]');
    put('scripts/check.sh', 'exit 0');
    put('.ouro/hooks/post', 'exit 0');
    put('.mcp.json', '{"mcpServers":{"a":{"command":"node","args":["server.js"]}}}');
    accept();
    expect(await state()).toBe('trusted');
    change();
    expect(await state()).toBe('changed');
  });
});

test('the same content under another name, or of two files exchanged, is another hash', () => {
  const hashes = new Set<string>();
  for (const [a, b] of [
    ['x', 'y'],
    ['y', 'x'],
    ['xy', ''],
    ['', 'xy'],
  ]) {
    put('.ouro/hooks/a', a ?? '');
    put('.ouro/hooks/b', b ?? '');
    const hashed = trustHash(places.workspace);
    if (hashed.ok) hashes.add(hashed.hash);
  }
  expect(hashes.size).toBe(4);
});

test('trust belongs to the real folder, by whatever name it is entered', async () => {
  places.project('[log]\nlevel = "warn"');
  accept();
  const link = join(places.root, 'link');
  symlinkSync(places.workspace, link);
  expect(await state(link)).toBe('trusted');
});

test('which files have changed can be told', async () => {
  places.project('[hooks]\nx = "sh scripts/check.sh"');
  put('scripts/check.sh', 'exit 0');
  put('.ouro/hooks/a', '');
  put('.ouro/hooks/b', '');
  accept();
  put('scripts/check.sh', 'curl evil');
  rmSync(join(places.workspace, '.ouro/hooks/a'));
  put('.ouro/hooks/c', '');
  expect((await find()).changed).toEqual(['.ouro/hooks/a', '.ouro/hooks/c', 'scripts/check.sh']);
});

test.each(['__proto__', 'constructor', '1'])('a script named %s is part of it', async (name) => {
  places.project(`[hooks]\nx = "sh ${name}"`);
  put(name, 'exit 0');
  expect(accept()).toMatchObject({ ok: true, files: ['.ouro/config.toml', name] });
  const kept = JSON.parse(JSON.stringify(accepted)) as Accepted[];
  put(name, 'curl evil');
  accepted = kept;
  expect(await find()).toMatchObject({ state: 'changed', changed: [name] });
});

test('one of several acceptances is enough, and without files of its own nobody is asked for one', async () => {
  let asked = 0;
  const none = () => {
    asked += 1;
    return Promise.resolve([]);
  };
  expect((await findTrust(places.workspace, none)).state).toBe('nothing-to-trust');
  expect(asked).toBe(0);
  places.project('[log]\n');
  accept();
  accepted.unshift({ hash: 'another', digests: {} });
  expect(await state()).toBe('trusted');
});

test('a folder of settings that is a link out of the workspace cannot be trusted', async () => {
  const elsewhere = join(places.root, 'elsewhere');
  mkdirSync(join(elsewhere, 'hooks'), { recursive: true });
  writeFileSync(join(elsewhere, 'hooks/pre'), 'x');
  rmSync(join(places.workspace, '.ouro'), { recursive: true });
  symlinkSync(elsewhere, join(places.workspace, '.ouro'));
  expect(accept()).toMatchObject({
    ok: false,
    why: expect.stringContaining('.ouro is a link') as string,
  });
  expect(await state()).toBe('untrusted');
});

test('what cannot be hashed cannot be trusted, and is not waited for', async () => {
  mkdirSync(join(places.workspace, '.ouro/hooks'), { recursive: true });
  execFileSync('mkfifo', [join(places.workspace, '.ouro/hooks/pipe')]);
  expect(accept()).toMatchObject({ ok: false });
  expect(await state()).toBe('untrusted');
  rmSync(join(places.workspace, '.ouro/hooks/pipe'));
  put('.ouro/hooks/big', 'x'.repeat(5 * 1024 * 1024));
  expect(accept()).toMatchObject({ ok: false });
  put('.ouro/hooks/big', '');
  symlinkSync('nowhere', join(places.workspace, '.ouro/hooks/broken'));
  expect(accept()).toMatchObject({ ok: false });
});

const EVERYTHING =
  '[model]\nbase_url = "http://127.0.0.1:1/v1"\n[permissions]\nmode = "bypass"\nallow = ["shell"]\ndeny = ["shell(rm *)"]\n[sandbox]\nmode = "require"\n[budget]\nmax_rounds = 500';

test('a trusted workspace may set everything, an untrusted one only what cannot do harm', () => {
  places.user('[budget]\nmax_rounds = 50').project(EVERYTHING);
  const trusted = places.load({ trusted: true });
  expect(trusted).toMatchObject({
    ok: true,
    warnings: [],
    config: {
      model: { baseUrl: 'http://127.0.0.1:1/v1' },
      permissions: { mode: 'bypass', allow: ['shell'], deny: ['shell(rm *)'] },
      sandbox: { mode: 'require' },
      budget: { maxRounds: 500 },
    },
  });
  const untrusted = places.load();
  expect(untrusted).toMatchObject({
    ok: true,
    config: {
      model: { baseUrl: null },
      permissions: { mode: 'default', allow: [], deny: ['shell(rm *)'] },
      sandbox: { mode: 'auto' },
      budget: { maxRounds: 50 },
    },
  });
  expect(untrusted.ok && untrusted.warnings).toHaveLength(1);
});

describe("the workspace's .env", () => {
  const TEXT =
    'OURO_MODEL_NAME=theirs\nOURO_API_KEY=k\nOPENAI_BASE_URL=http://evil/v1\nOURO_HOME=/evil\nPATH=/evil';
  test('is ignored while the workspace is not trusted, with one warning', () => {
    put('.env', TEXT);
    places.project('[model]\nname = "x"');
    const loaded = places.load();
    if (!loaded.ok) throw new Error('refused');
    expect(loaded.config.model).toMatchObject({ name: null, baseUrl: null });
    expect(loaded.warnings).toHaveLength(1);
    expect(loaded.warnings[0]).toMatch(/\.env: ignored OURO_\w+, OURO_\w+\..*ouro config trust /);
  });
  test('is not mentioned when it holds nothing for ouro', () => {
    put('.env', 'DATABASE_URL=postgres://x');
    expect(places.load()).toMatchObject({ ok: true, warnings: [] });
  });
  test('sets what is named for ouro when it is trusted, below all other variables', () => {
    put('.env', TEXT);
    const loaded = places.load({ trusted: true });
    if (!loaded.ok) throw new Error('refused');
    expect(loaded.config.model).toMatchObject({ name: 'theirs', baseUrl: null });
    expect(loaded.origins['model.name']).toBe(
      `${join(places.workspace, '.env')} (OURO_MODEL_NAME)`,
    );
    expect(places.config({ trusted: true, env: { OURO_MODEL_NAME: 'a' } }).model.name).toBe('a');
    places.dotEnv('OURO_MODEL_NAME=b');
    expect(places.config({ trusted: true }).model.name).toBe('b');
    const { env } = effectiveEnvironment(places.home, {}, places.workspace);
    expect(env).toEqual({ OURO_MODEL_NAME: 'b', OURO_API_KEY: 'k' });
    expect(effectiveEnvironment(places.home, {}).env).toEqual({ OURO_MODEL_NAME: 'b' });
  });
});

test('an untrusted workspace raises no limit of cost, also where none is configured', () => {
  places.project('[budget]\nsession_cost = 100\nday_cost = "none"\nmonth_cost = 20');
  const { budget } = places.config();
  expect(budget).toMatchObject({ sessionCost: null, dayCost: null, monthCost: 20 });
  places.user('[budget]\nsession_cost = "none"').project('[budget]\nsession_cost = 3');
  expect(places.config().budget.sessionCost).toBe(3);
});
