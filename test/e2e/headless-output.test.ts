/** What a headless run reads and prints: for people, for scripts, for pipelines. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { done, ouro, programFile } from '../support/e2e/command-line.js';
import { journalRows, onlySession } from '../support/e2e/journal.js';
import { call, scenarioFile, shell } from '../support/e2e/model-server.js';
import { newPlace, type Place } from '../support/e2e/place.js';
import { linesOf, resultOf, streamLines } from '../support/e2e/stream.js';

const LAST_WORDS = 'Both are done: naïve café, 日本語.';
const twoCalls = [
  { text: 'Two things.', calls: [call('think', { thought: 'first' }), shell('pwd')] },
  { text: LAST_WORDS },
];

const inBash = (place: Place, line: string, ...args: string[]): string =>
  execFileSync('bash', ['-c', line, process.execPath, programFile(), ...args], {
    cwd: place.workspace,
    env: place.env,
    encoding: 'utf8',
  });

test('text, JSON and a file hold the same result, and stderr has everything else', async () => {
  const place = newPlace();
  const scenario = scenarioFile(place, twoCalls);
  const file = join(place.root, 'result.txt');
  const text = await done(place, ['rehearse', scenario, '-o', file]);
  expect(text.stdout).toBe(`${LAST_WORDS}\n`);
  expect(readFileSync(file, 'utf8')).toBe(text.stdout);
  expect(text.stderr).toContain('▸ shell pwd');

  const json = await done(place, ['rehearse', scenario, '--output-format', 'json', '-o', file]);
  expect(json.stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(resultOf(json.stdout)).toMatchObject({ status: 'done', rounds: 2, text: LAST_WORDS });
  expect(readFileSync(file, 'utf8')).toBe(json.stdout);
});

test('a result that cannot be written to its file is on stdout and makes the run a failure', async () => {
  const place = newPlace();
  const file = join(place.root, 'no', 'such', 'folder');
  const run = await ouro(place, ['rehearse', scenarioFile(place, twoCalls), '-o', file]);
  expect(run.stdout).toBe(`${LAST_WORDS}\n`);
  expect(run.stderr).toContain(file);
  expect(run.code).toBe(1);
});

test('stderr is JSON where CI is set or where it is asked for, and for people otherwise', async () => {
  const place = newPlace();
  const scenario = scenarioFile(place, twoCalls);
  const inCi = await done(place, ['rehearse', scenario], { env: { CI: '1' } });
  const asked = await done(place, ['rehearse', scenario, '--log-format', 'json']);
  for (const { stderr } of [inCi, asked]) {
    const events = stderr.split('\n').filter((line) => line.startsWith('{'));
    expect(events.length).toBeGreaterThan(3);
    for (const event of events) expect(JSON.parse(event)).toHaveProperty('event');
  }
  const pretty = await done(place, ['rehearse', scenario, '--log-format', 'pretty'], {
    env: { CI: '1' },
  });
  expect(pretty.stderr).toContain('▸ shell pwd');
});

test('with CI set every line of stderr is JSON, the notices before the first request too', async () => {
  const place = newPlace();
  const run = await done(place, ['rehearse', scenarioFile(place, twoCalls)], { env: { CI: '1' } });
  const lines = run.stderr.trimEnd().split('\n');
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual([]);
});

test('with -q stderr has errors only', async () => {
  const place = newPlace();
  const run = await done(place, ['rehearse', scenarioFile(place, twoCalls), '-q']);
  expect(run).toMatchObject({ stdout: `${LAST_WORDS}\n`, stderr: '' });
});

const goalOf = (stdout: string): string => linesOf(streamLines(stdout), 'init')[0]?.goal ?? '';
const AS_STREAM = ['--output-format', 'stream-json'];

test('a goal comes from an argument, a file, stdin, or an argument and stdin', async () => {
  const place = newPlace();
  const scenario = scenarioFile(place, [{ text: 'Heard.' }]);
  writeFileSync(join(place.workspace, 'goal.md'), 'the goal in a file');
  for (const [words, goal] of [
    ['from an argument', 'from an argument'],
    ['@goal.md', 'the goal in a file'],
  ] as const) {
    const { stdout } = await done(place, ['rehearse', scenario, words, ...AS_STREAM]);
    expect(goalOf(stdout)).toBe(goal);
  }
  const run = '"$0" "$1" rehearse "$2" "$3" --output-format stream-json 2>/dev/null';
  const piped = inBash(place, `printf 'from stdin' | ${run}`, scenario, '-');
  expect(goalOf(piped)).toBe('from stdin');
  const both = inBash(place, `printf 'the log' | ${run}`, scenario, 'look at this');
  expect(goalOf(both)).toBe('look at this\n\nthe log');
});

test('what a program pipes in through a socket is appended to the goal as well', async () => {
  const place = newPlace();
  const scenario = scenarioFile(place, [{ text: 'Heard.' }]);
  const args = ['rehearse', scenario, 'look at this', ...AS_STREAM];
  const { stdout } = await done(place, args, { stdin: 'the log' });
  expect(goalOf(stdout)).toBe('look at this\n\nthe log');
});

test('a reader of stdout that goes away does not stop the work', () => {
  const place = newPlace();
  const scenario = scenarioFile(place, [
    { calls: [shell('pwd')] },
    { calls: [call('write_file', { path: 'made.txt', content: 'made\n' })] },
    { text: 'Done.' },
  ]);
  const run = '"$0" "$1" rehearse "$2" --output-format stream-json 2>/dev/null | head -n 1';
  expect(inBash(place, run, scenario)).toContain('"type":"init"');
  expect(readFileSync(join(place.workspace, 'made.txt'), 'utf8')).toBe('made\n');
  const rows = journalRows(place, onlySession(place));
  expect(rows.at(-1)).toMatchObject({ kind: 'session.ended', body: { status: 'done' } });
});
