/** The first thing that anybody does with the program: a survey of the folder they are in. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { done, ouro, type Finished } from '../support/e2e/command-line.js';
import { journalRows, onlySession } from '../support/e2e/journal.js';
import { call, scenarioFile, shell } from '../support/e2e/model-server.js';
import { anotherWorkspace, newPlace, type Place } from '../support/e2e/place.js';
import { linesOf, resultOf, streamLines } from '../support/e2e/stream.js';

const LAST_WORDS = /^Surveyed .+: \d+ paths listed, .+\.ouro\/survey\.md \(read back: \d+ lines\)\.\n$/;

function smallRepository(place: Place): string {
  const folder = anotherWorkspace(place, 'repository');
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'README.md'), '# Example\n\nTODO: say what it is\n');
  writeFileSync(join(folder, 'src', 'main.ts'), '// FIXME: nothing yet\nexport {};\n');
  execFileSync('git', ['init', '--quiet'], { cwd: folder, env: place.env });
  return folder;
}

const reportIn = (workspace: string): string =>
  readFileSync(join(workspace, '.ouro', 'survey.md'), 'utf8');

function expectSurvey({ code, stdout, stderr }: Finished, workspace: string): void {
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(LAST_WORDS);
  expect(reportIn(workspace)).toContain(`# Survey of ${workspace}`);
}

test('the survey works in an empty folder and in a repository, and only its result is on stdout', async () => {
  const place = newPlace();
  const repository = smallRepository(place);
  const [empty, full] = await Promise.all([
    ouro(place, ['rehearse', 'survey']),
    ouro(place, ['rehearse', 'survey'], { cwd: repository }),
  ]);
  expectSurvey(empty, place.workspace);
  expectSurvey(full, repository);
  expect(reportIn(repository)).toContain('- Files with TODO or FIXME: 2');
  expect(full.stderr).toContain('no real model');
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: repository, env: place.env }).toString()).not.toContain('.ouro');
});

test('npm start surveys, and does so again in the same folder', async () => {
  const place = newPlace();
  expectSurvey(await ouro(place, [], { program: 'start' }), place.workspace);
  expectSurvey(await ouro(place, [], { program: 'start' }), place.workspace);
});

test('npm start passes a verb on', async () => {
  const place = newPlace();
  const { stdout } = await done(place, ['--version'], { program: 'start' });
  expect(stdout).toMatch(/^ouro \d+\.\d+\.\d+\n$/);
});

test('two sub-agents, two findings and one report are in the stream of a survey', async () => {
  const place = newPlace();
  const run = await done(place, ['rehearse', 'survey', '--output-format', 'stream-json']);
  const lines = streamLines(run.stdout);
  expect(lines.map(({ type }) => type).at(0)).toBe('init');
  expect(lines.filter(({ type }) => type === 'result')).toHaveLength(1);
  expect(lines.at(-1)?.type).toBe('result');
  expect(linesOf(lines, 'init')[0]).toMatchObject({ scripted: true, workspace: place.workspace });
  expect(linesOf(lines, 'discovery')).toHaveLength(2);
  const subAgents = linesOf(lines, 'subagent').map(({ event }) => event);
  expect(subAgents.sort()).toEqual(['ended', 'ended', 'spawned', 'spawned']);
  const used = linesOf(lines, 'tool_use').map(({ call_id }) => call_id);
  const ended = linesOf(lines, 'tool_result').map(({ call_id }) => call_id);
  expect(ended.sort()).toEqual(used.sort());
  const result = resultOf(run.stdout);
  expect(result).toMatchObject({ status: 'done', exit_code: 0, is_error: false, cost_usd: 0 });
  expect(result.files_changed).toEqual(['.ouro/survey.md']);
  expect(result.session_id).toBe(onlySession(place));
});

const twoCalls = [
  { text: 'Two things.', calls: [call('think', { thought: 'first' }), shell('pwd')] },
  { text: 'Both are done: naïve café, 日本語.' },
];

test('text, JSON and a file hold the same result, and stderr is for everything else', async () => {
  const place = newPlace();
  const scenario = scenarioFile(place, twoCalls);
  const file = join(place.root, 'result.txt');
  const text = await done(place, ['rehearse', scenario, '-o', file]);
  expect(text.stdout).toBe('Both are done: naïve café, 日本語.\n');
  expect(readFileSync(file, 'utf8')).toBe(text.stdout);
  expect(text.stderr).toContain('▸ shell pwd');

  const json = await done(place, ['rehearse', scenario, '--output-format', 'json', '-o', file]);
  expect(json.stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(resultOf(json.stdout)).toMatchObject({ status: 'done', rounds: 2, text: text.stdout.trim() });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(json.stdout));
});

test('stderr is JSON where CI is set or where it is asked for, and empty of all but errors with -q', async () => {
  const place = newPlace();
  const scenario = scenarioFile(place, twoCalls);
  const inCi = await done(place, ['rehearse', scenario], { env: { CI: '1' } });
  const asked = await done(place, ['rehearse', scenario, '--log-format', 'json']);
  for (const { stderr } of [inCi, asked]) {
    const lines = stderr.trimEnd().split('\n').filter((line) => !line.startsWith('ouro: '));
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('event');
  }
  const pretty = await done(place, ['rehearse', scenario, '--log-format', 'pretty'], { env: { CI: '1' } });
  expect(pretty.stderr).toContain('▸ shell pwd');
  const quiet = await done(place, ['rehearse', scenario, '-q']);
  expect(quiet.stdout).toBe('Both are done: naïve café, 日本語.\n');
  expect(quiet.stderr).toBe('');
});

test('in CI every line of stderr is JSON, the notices before the first request too', async () => {
  const place = newPlace();
  const { stderr } = await done(place, ['rehearse', scenarioFile(place, twoCalls)], {
    env: { CI: '1' },
  });
  for (const line of stderr.trimEnd().split('\n')) expect(() => void JSON.parse(line)).not.toThrow();
});

test('a goal comes from an argument, from a file, from stdin, or from both', async () => {
  const place = newPlace();
  const scenario = scenarioFile(place, [{ text: 'Heard.' }]);
  writeFileSync(join(place.workspace, 'goal.md'), 'the goal in a file\n');
  const goals = [
    { args: ['from an argument'], goal: 'from an argument' },
    { args: ['@goal.md'], goal: 'the goal in a file' },
    { args: ['-'], stdin: 'from stdin', goal: 'from stdin' },
    { args: ['look at this'], stdin: 'the log', goal: 'look at this\n\nthe log' },
  ];
  for (const { args, goal, ...options } of goals) {
    const flags = ['--output-format', 'stream-json'];
    const { stdout } = await done(place, ['rehearse', scenario, ...args, ...flags], options);
    expect(linesOf(streamLines(stdout), 'init')[0]?.goal.trim()).toBe(goal);
  }
});

test('a reader of stdout that goes away does not stop the work', async () => {
  const place = newPlace();
  const scenario = scenarioFile(place, [
    { calls: [shell('pwd')] },
    { calls: [call('write_file', { path: 'made.txt', content: 'made\n' })] },
    { text: 'Done.' },
  ]);
  const ouroJs = join(import.meta.dirname, '..', '..', 'bin', 'ouro.js');
  execFileSync(
    'bash',
    ['-c', '"$0" "$1" rehearse "$2" --output-format stream-json 2>/dev/null | head -n 1', process.execPath, ouroJs, scenario],
    { cwd: place.workspace, env: place.env },
  );
  expect(existsSync(join(place.workspace, 'made.txt'))).toBe(true);
  const rows = journalRows(place, onlySession(place));
  expect(rows.at(-1)).toMatchObject({ kind: 'session.ended', body: { status: 'done' } });
});
