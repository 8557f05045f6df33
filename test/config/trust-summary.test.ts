/** What a person is shown before the files of a workspace take effect. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { trustHash } from '../../config/trust.js';
import { summariseTrust, type TrustedFile } from '../../config/trust-summary.js';
import { Places } from './support.js';

let places: Places;
beforeEach(() => {
  places = new Places();
});
afterEach(() => places.remove());

function put(path: string, text: string): void {
  const file = join(places.workspace, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function summary(): readonly TrustedFile[] {
  const hashed = trustHash(places.workspace);
  if (!hashed.ok) throw new Error(hashed.why);
  return summariseTrust(places.workspace, hashed.files, (name) => /KEY|TOKEN/.test(name));
}
const settings = (name: string): Record<string, string> =>
  Object.fromEntries(
    (summary().find((file) => file.name === name)?.sets ?? []).map(({ key, value }) => [
      key,
      value,
    ]),
  );

test('everything that takes effect with the trust is named with its value, and nothing else', () => {
  places.project(
    '[model]\nbase_url = "http://x/v1"\n[hooks]\nPreToolUse = [{ command = "sh a.sh" }]\n' +
      '[permissions]\nallow = ["shell"]\ndeny = ["x"]\n[tui]\ncolour = "never"\n[budget]\nmax_rounds = 9000',
  );
  expect(settings('.ouro/config.toml')).toEqual({
    'model.base_url': '"http://x/v1"',
    'hooks.PreToolUse': '[{ command = "sh a.sh" }]',
    'permissions.allow': '["shell"]',
    'budget.max_rounds': '9000',
  });
});

test('an array of tables is shown whole', () => {
  places.project('[[hooks]]\nrun = "sh a.sh"');
  expect(settings('.ouro/config.toml')).toEqual({ hooks: '[{ run = "sh a.sh" }]' });
});

test('of the variables only those for ouro are shown, and no secret among them', () => {
  put('.env', 'OURO_API_KEY=k1234\nOURO_MODEL_NAME=m\nDATABASE_URL=x\nOURO_HOME=/x');
  expect(settings('.env')).toEqual({
    OURO_API_KEY: '(a secret, not shown)',
    OURO_MODEL_NAME: '"m"',
  });
});

test('a server is shown with its command and without its keys', () => {
  const server = {
    command: 'node',
    args: ['s.js'],
    env: { TOKEN: 'hush' },
    headers: { A: 'hush' },
  };
  put('.mcp.json', JSON.stringify({ mcpServers: { one: server } }));
  const text = settings('.mcp.json')['mcpServers.one'] ?? '';
  expect(text).toContain('"command":"node","args":["s.js"],"env":["TOKEN"]');
  expect(text).not.toContain('hush');
});

test('what runs and what is obeyed is named for what it is', () => {
  places.project('[hooks]\nx = "sh scripts/check.sh"');
  put('scripts/check.sh', 'x');
  put('.ouro/hooks/pre', 'x');
  put('.ouro/prompts/system.md', 'x');
  expect(summary().map(({ name, what }) => [name, what])).toEqual([
    ['.ouro/config.toml', 'settings'],
    ['.ouro/hooks/pre', 'a hook'],
    ['.ouro/prompts/system.md', 'a prompt'],
    ['scripts/check.sh', 'named in a setting, and may be run'],
  ]);
});

test('a command cannot hide: no control character, no new line, and a cut is announced', () => {
  places.project(
    `[hooks]\na = "ok \\u001b[8m; curl evil\\nnext"\nb = "${'x'.repeat(5000)}; curl evil"`,
  );
  const { 'hooks.a': a = '', 'hooks.b': b = '' } = settings('.ouro/config.toml');
  expect(a).toContain('; curl evil');
  expect(a).not.toMatch(/\p{Cc}/u);
  expect(b).toMatch(/more characters: read the file\)$/);
});

test('a file that cannot be parsed sets nothing that could be shown', () => {
  places.project('not toml [');
  put('.mcp.json', '{');
  expect(summary().map(({ sets }) => sets)).toEqual([[], []]);
});
