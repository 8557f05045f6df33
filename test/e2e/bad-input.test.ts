/** What is wrong is said at once: what, where, and what to do. Nothing is spent and nothing is left behind. */
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ouro } from '../support/e2e/command-line.js';
import { askAt, MODEL, modelServer } from '../support/e2e/model-server.js';
import { newPlace, type Place } from '../support/e2e/place.js';
import { resultOf } from '../support/e2e/stream.js';

/** Nothing listens there: no system gives this port to a program that takes any. */
const NOWHERE = 'http://127.0.0.1:2/v1';
const WAYS = [['run', '-p'], ['start']] as const;
const JSON_RESULT = ['--output-format', 'json'];

const sessionsIn = ({ home }: Place): readonly string[] => {
  const folder = join(home, 'sessions');
  return existsSync(folder) ? readdirSync(folder) : [];
};

const writeConfig = (place: Place, text: string): string => {
  mkdirSync(place.home, { mode: 0o700, recursive: true });
  const file = join(place.home, 'config.toml');
  writeFileSync(file, text);
  return file;
};

test.for(WAYS)(
  '%o against a server that is not there ends with 57 and names its address',
  async (way) => {
    const place = newPlace();
    writeConfig(place, '[model]\nretries = 1\nmax_wait = 0\n');
    const run = await ouro(place, [...way, 'Go on.', '--base-url', NOWHERE, '-m', 'any']);
    expect(run.code).toBe(57);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain(NOWHERE);
    expect(run.stderr).toContain('nothing is listening there');
    expect(run.stderr).toContain('--base-url');
  },
);

test('a start that fails leaves no session behind', async () => {
  const place = newPlace();
  await ouro(place, ['start', 'Go on.', '--base-url', NOWHERE, '-m', 'any']);
  expect(sessionsIn(place)).toEqual([]);
  expect((await ouro(place, ['ls', '--all'])).stdout).toContain('no session');
});

test.for(WAYS)(
  '%o with a wrong key ends with 41, names its variable and never shows the key',
  async (way) => {
    const place = newPlace();
    const server = await modelServer([{ text: 'Hello.' }], { apiKey: 'the-right-key-1234567890' });
    const wrong = 'wrong-key-0987654321-abc';
    const args = [...way, 'Go on.', ...askAt(server)];
    const run = await ouro(place, args, { env: { OURO_API_KEY: wrong } });
    expect(run.code).toBe(41);
    expect(run.stderr).toContain('OURO_API_KEY');
    expect(run.stdout + run.stderr).not.toContain(wrong);
    const without = await ouro(place, args);
    expect(without.code).toBe(41);
    expect(without.stderr).toContain('Set OURO_API_KEY');
  },
);

test('the right key opens the same server', async () => {
  const place = newPlace();
  const server = await modelServer([{ text: 'Hello.' }], { apiKey: 'the-right-key-1234567890' });
  const env = { OURO_API_KEY: 'the-right-key-1234567890' };
  const run = await ouro(place, ['run', '-p', 'Go on.', ...askAt(server)], { env });
  expect(run).toMatchObject({ code: 0, stdout: 'Hello.\n' });
});

test('without a server or a model it is said how to name one', async () => {
  const place = newPlace();
  const noServer = await ouro(place, ['run', '-p', 'Go on.']);
  expect(noServer.code).toBe(52);
  expect(noServer.stderr).toContain('--base-url');
  expect(noServer.stderr).toContain('ouro rehearse survey');
  const noModel = await ouro(place, ['run', '-p', 'Go on.', '--base-url', NOWHERE]);
  expect(noModel.code).toBe(52);
  expect(noModel.stderr).toContain('-m NAME');
});

test('an unknown flag, verb or format is a misuse, which ends with 2', async () => {
  const place = newPlace();
  const flag = await ouro(place, ['run', '--max-round', '3', 'Go on.']);
  expect(flag.code).toBe(2);
  expect(flag.stderr).toContain('--max-rounds');
  expect((await ouro(place, ['pauze'])).code).toBe(2);
  expect((await ouro(place, ['run', 'Go on.', '--output-format', 'xml'])).code).toBe(2);
  const noGoal = await ouro(place, ['run', '-p']);
  expect(noGoal.code).toBe(2);
  expect(noGoal.stderr).toContain('ouro run "GOAL"');
});

test('a verb that is misspelt is answered with the one that was meant', async () => {
  const { code, stderr } = await ouro(newPlace(), ['pauze']);
  expect(code).toBe(2);
  expect(stderr).toContain('pauze');
  expect(stderr).toMatch(/did you mean.*pause/i);
});

test('a misused run with JSON output still prints a result', async () => {
  const place = newPlace();
  const run = await ouro(place, ['run', '--no-such-flag', ...JSON_RESULT, 'Go on.']);
  expect(run.code).toBe(2);
  expect(resultOf(run.stdout)).toMatchObject({ status: 'usage', exit_code: 2, session_id: null });
});

test('a configuration that is no TOML is refused with file and line', async () => {
  const place = newPlace();
  const file = writeConfig(place, '[model]\nname = "x"\nbase_url = \n');
  const run = await ouro(place, ['run', '-p', 'Go on.', ...JSON_RESULT]);
  expect(run.code).toBe(52);
  expect(run.stderr).toMatch(new RegExp(`${file}:3`));
  expect(resultOf(run.stdout)).toMatchObject({ status: 'config', exit_code: 52 });
});

test('an unknown key or a bad value is refused with its line and what was expected', async () => {
  const place = newPlace();
  const file = writeConfig(place, '[model]\nbase_urll = "http://127.0.0.1:1/v1"\nretries = -1\n');
  const { code, stderr } = await ouro(place, ['run', '-p', 'Go on.']);
  expect(code).toBe(52);
  expect(stderr).toContain(`${file}:2`);
  expect(stderr).toMatch(/did you mean.*base_url\b/i);
  expect(stderr).toContain(`${file}:3`);
  expect(stderr).toContain('0 to 20');
  const flag = await ouro(place, ['run', '-p', 'Go on.', '--max-rounds', 'many']);
  expect(flag.code).toBe(52);
  expect(flag.stderr).toContain('--max-rounds');
});

test('a goal that is empty or not there is refused before anything starts', async () => {
  const place = newPlace();
  const at = ['--base-url', NOWHERE, '-m', MODEL];
  for (const way of WAYS) {
    const missing = await ouro(place, [...way, '@no-such-goal.md', ...at]);
    expect(missing.code).toBe(42);
    expect(missing.stderr).toContain(join(place.workspace, 'no-such-goal.md'));
    const empty = await ouro(place, [...way, '  ', ...at]);
    expect(empty.code).toBe(42);
    expect(empty.stderr).toContain('goal is empty');
  }
  const nothingPiped = await ouro(place, ['run', '-p', '-', ...at], { stdin: '\n' });
  expect(nothingPiped.code).toBe(42);
  expect(sessionsIn(place)).toEqual([]);
});

test('a workspace that is not there, or that nobody means, is refused', async () => {
  const place = newPlace();
  const missing = await ouro(place, ['rehearse', 'survey', '-p', '-C', 'no/such/folder']);
  expect(missing.code).toBe(42);
  expect(missing.stderr).toContain(join(place.workspace, 'no/such/folder'));
  writeFileSync(join(place.workspace, 'file'), '');
  expect((await ouro(place, ['rehearse', 'survey', '-p', '-C', 'file'])).code).toBe(42);
  for (const cwd of ['/', place.env['HOME'] ?? '', place.root]) {
    const { code, stderr } = await ouro(place, ['rehearse', 'survey', '-p'], { cwd });
    expect(code, cwd).toBe(42);
    expect(stderr).toContain('-C');
  }
  expect(sessionsIn(place)).toEqual([]);
});

test('a scenario that is not there or wrong is refused with its place', async () => {
  const place = newPlace();
  const unknown = await ouro(place, ['rehearse', 'surveys', '-p']);
  expect(unknown.code).toBe(42);
  expect(unknown.stderr).toContain('survey');
  const file = join(place.root, 'bad.toml');
  writeFileSync(file, 'name = "bad"\ngoal = "x"\n[[turn]]\ntext = "a"\ntimse = 2\n');
  const bad = await ouro(place, ['rehearse', file, '-p']);
  expect(bad.code).toBe(42);
  expect(bad.stderr).toContain(file);
  expect(bad.stderr).toContain('turn 1');
  expect(bad.stderr).toContain('timse');
});

test('a rule that is none is refused before the first request', async () => {
  const place = newPlace();
  const server = await modelServer([{ text: 'Hello.' }]);
  const run = await ouro(place, ['run', '-p', 'Go on.', '--allow', 'shell(', ...askAt(server)]);
  expect(run.code).toBe(52);
  expect(run.stderr).toContain('shell(');
  expect(server.requests).toEqual([]);
});

test('a home that cannot be made, or that others can write to, is refused with what to do', async () => {
  const place = newPlace();
  const file = join(place.root, 'file');
  writeFileSync(file, '');
  const below = await ouro(place, ['rehearse', 'survey', '-p'], {
    env: { OURO_HOME: join(file, 'home') },
  });
  expect(below.code).not.toBe(0);
  expect(below.stderr).toContain(join(file, 'home'));
  expect(below.stderr).toContain('OURO_HOME');
  expect(below.stderr).not.toMatch(/^ +at /m);

  const open = join(place.root, 'open');
  mkdirSync(open);
  chmodSync(open, 0o777);
  for (const way of [
    ['rehearse', 'survey', '-p'],
    ['rehearse', 'survey', '--bg'],
  ]) {
    const foreign = await ouro(place, way, { env: { OURO_HOME: open } });
    expect(foreign.code).not.toBe(0);
    expect(foreign.stderr).toContain(`chmod 700 '${open}'`);
    expect(foreign.stderr).not.toMatch(/^ +at /m);
    expect(readdirSync(open)).toEqual([]);
  }
});

test('a home that cannot be used still gives a result where one was asked for', async () => {
  const place = newPlace();
  writeFileSync(join(place.root, 'file'), '');
  const env = { OURO_HOME: join(place.root, 'file', 'home') };
  const run = await ouro(place, ['rehearse', 'survey', ...JSON_RESULT], { env });
  expect(run.code).toBe(42);
  expect(resultOf(run.stdout)).toMatchObject({ status: 'bad_input', exit_code: 42 });
});

test('a background process that cannot start says why, and leaves no session behind', async () => {
  const place = newPlace();
  const broken = join(place.root, 'broken.mjs');
  writeFileSync(broken, `if (process.argv[2] === '__daemon') throw new Error('a broken part');`);
  const run = await ouro(place, ['rehearse', 'ledger', '--bg'], {
    env: { NODE_OPTIONS: `--import=file://${broken}` },
  });
  expect(run.code).toBe(1);
  expect(sessionsIn(place)).toEqual([]);
  expect(run.stderr).toContain('a broken part');
});

test('a flag that could do nothing is refused, not ignored', async () => {
  const place = newPlace();
  for (const [words, named] of [
    [['rehearse', 'ledger', '-m', 'other'], '-m'],
    [['rehearse', 'ledger', '--base-url', 'http://127.0.0.1:1/v1'], '--base-url'],
    [['rehearse', 'ledger', '--bg', '-o', 'result.txt'], 'ouro wait'],
    [['start', 'Go on.', '--output-format', 'json'], '--output-format'],
  ] as const) {
    const { code, stderr } = await ouro(place, [...words]);
    expect(code).toBe(2);
    expect(stderr).toContain(named);
  }
  expect(sessionsIn(place)).toEqual([]);
});
