/** What a session may do in the folder it was given, and what it may not do anywhere. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunResult, StreamLine } from '../../messages/result.js';
import { ouro } from '../support/e2e/command-line.js';
import { keptBytes, onlySession } from '../support/e2e/journal.js';
import { call, scenarioFile, shell } from '../support/e2e/model-server.js';
import { newPlace, type Place } from '../support/e2e/place.js';
import { linesOf, resultOf, streamLines } from '../support/e2e/stream.js';

interface Ran {
  readonly code: number | null;
  readonly result: RunResult;
  /** Of the tools, in order. */
  readonly results: readonly Extract<StreamLine, { type: 'tool_result' }>[];
}

/** One round with these calls, then a last word. */
async function run(
  place: Place,
  calls: readonly ReturnType<typeof call>[],
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const turns = [...calls.map((only) => ({ calls: [only] })), { text: 'That was all.' }];
  // What the rules alone decide: inside a sandbox most of it could run.
  const plain = ['--sandbox', 'off', '--output-format', 'stream-json'];
  const args = ['rehearse', scenarioFile(place, turns), ...plain, ...flags];
  const { code, stdout } = await ouro(place, args, { env });
  const results = linesOf(streamLines(stdout), 'tool_result');
  return { code, result: resultOf(stdout), results };
}

const BYPASS = ['--permission-mode', 'bypass'];
const statuses = ({ results }: Ran): readonly string[] => results.map(({ status }) => status);

test('a command that no rule allows is denied, which is the end of the run and says which rule would do', async () => {
  const place = newPlace();
  writeFileSync(join(place.workspace, 'x'), 'kept\n');
  const ran = await run(place, [shell('rm -rf x')]);
  expect(ran.code).toBe(44);
  expect(statuses(ran)).toEqual(['denied']);
  expect(ran.results[0]?.text).toContain(`--allow 'shell(rm -rf x)'`);
  expect(ran.result).toMatchObject({ status: 'permission_denied', is_error: true });
  expect(ran.result.denials).toMatchObject([{ tool: 'shell', rule: 'not-allowed' }]);
  expect(readFileSync(join(place.workspace, 'x'), 'utf8')).toBe('kept\n');
});

test('a rule, the mode bypass, or tolerance lets the same run end well', async () => {
  for (const flags of [['--allow', 'shell(rm*)'], ['--allow', 'shell'], BYPASS]) {
    const place = newPlace();
    writeFileSync(join(place.workspace, 'x'), '');
    const ran = await run(place, [shell('rm -rf x')], flags);
    expect(ran, flags.join(' ')).toMatchObject({ code: 0, result: { denials: [] } });
    expect(existsSync(join(place.workspace, 'x'))).toBe(false);
  }
  const tolerant = await run(newPlace(), [shell('rm -rf x')], ['--tolerate-denials']);
  expect(tolerant).toMatchObject({ code: 0, result: { denials: [{ tool: 'shell' }] } });
});

test('a rule allows what it names and nothing beside it', async () => {
  const place = newPlace();
  const ran = await run(
    place,
    [shell('touch a'), shell('touch a && rm -rf b'), shell('touch $(rm -rf b)'), shell('touch b')],
    ['--allow', 'shell(touch a)'],
  );
  expect(statuses(ran)).toEqual(['ok', 'denied', 'denied', 'denied']);
});

test('commands that only read run without a rule, and writing a file in the workspace does too', async () => {
  const place = newPlace();
  writeFileSync(join(place.workspace, 'notes.txt'), 'one\ntwo\n');
  const reading = ['ls -la', 'cat notes.txt', 'grep -n two notes.txt | wc -l', 'pwd'];
  const ran = await run(place, [
    ...reading.map(shell),
    call('write_file', { path: 'made/here.txt', content: 'made\n' }),
  ]);
  expect(ran.code).toBe(0);
  expect(statuses(ran)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
  expect(ran.result.files_changed).toEqual(['made/here.txt']);
});

test('what would change something is not taken for reading', async () => {
  const place = newPlace();
  const sly = [
    'cat a > .git/config',
    'ls; rm a',
    'find . -delete',
    'git commit -m x',
    'sort -o a b',
    'env rm a',
  ];
  const ran = await run(place, sly.map(shell));
  expect(statuses(ran)).toEqual(sly.map(() => 'denied'));
});

test('files outside of the workspace are not written, whatever way leads there', async () => {
  const place = newPlace();
  const outside = join(place.root, 'outside.txt');
  mkdirSync(join(place.root, 'elsewhere'));
  const linked = shell(`ln -s ${join(place.root, 'elsewhere')} link`);
  const ran = await run(
    place,
    [
      call('write_file', { path: outside, content: 'x' }),
      call('write_file', { path: '../outside.txt', content: 'x' }),
      linked,
      call('write_file', { path: 'link/outside.txt', content: 'x' }),
    ],
    ['--allow', 'shell(ln*)'],
  );
  expect(statuses(ran).filter((status) => status === 'ok')).toHaveLength(1);
  expect(existsSync(outside)).toBe(false);
  expect(existsSync(join(place.root, 'elsewhere', 'outside.txt'))).toBe(false);
});

test('a write that was refused because it lies outside of the workspace counts as denied', async () => {
  const ran = await run(newPlace(), [call('write_file', { path: '../outside.txt', content: 'x' })]);
  expect(ran.code).toBe(44);
  expect(ran.result.denials).toMatchObject([{ tool: 'write_file', rule: 'outside-workspace' }]);
});

test('files that run code later need a rule', async () => {
  const place = newPlace();
  mkdirSync(join(place.workspace, '.git', 'hooks'), { recursive: true });
  const hook = [call('write_file', { path: '.git/hooks/pre-commit', content: 'rm -rf /\n' })];
  expect(statuses(await run(place, hook))).toEqual(['denied']);
  expect(statuses(await run(place, hook, ['--allow', 'write_file(.git/**)']))).toEqual(['ok']);
});

test('no mode and no rule lets a tool into the home of ouro, or run ouro', async () => {
  const place = newPlace();
  mkdirSync(place.home, { mode: 0o700 });
  writeFileSync(join(place.home, '.env'), 'OURO_API_KEY=kept-away-from-tools\n');
  const file = join(place.home, '.env');
  const attempts = [
    shell(`cat ${file}`),
    shell(`cat ${place.root}/ho*/.env`),
    call('read_file', { path: file }),
    call('write_file', { path: join(place.home, 'config.toml'), content: '' }),
    call('grep', { pattern: 'OURO', path: place.home }),
    shell('ouro ls'),
  ];
  for (const flags of [BYPASS, ['--allow', 'shell', '--allow', 'write_file']]) {
    const ran = await run(place, attempts, flags);
    expect(statuses(ran), flags.join(' ')).not.toContain('ok');
    expect(JSON.stringify(ran.results)).not.toContain('kept-away-from-tools');
  }
  expect(existsSync(join(place.home, 'config.toml'))).toBe(false);
});

test('secrets of the environment reach neither commands nor what is kept of the session', async () => {
  const place = newPlace();
  const secret = 'abcdEFGH-1234-ijklMNOP-5678';
  writeFileSync(join(place.workspace, 'leak.txt'), `the key is ${secret}\n`);
  const env = { DEPLOY_TOKEN: secret, OURO_API_KEY: secret, PLAIN_SETTING: 'plain-setting' };
  const ran = await run(place, [shell('env'), shell('cat leak.txt')], BYPASS, env);
  const [listed, leaked] = ran.results;
  expect(listed?.text).toContain('plain-setting');
  expect(listed?.text).not.toContain('DEPLOY_TOKEN');
  expect(listed?.text).not.toContain(`OURO_HOME=${place.home}`);
  expect(leaked?.text).toContain('[redacted:');
  expect(JSON.stringify(ran)).not.toContain(secret);
  expect(keptBytes(place, onlySession(place))).not.toContain(secret);
});
