/** The first thing that anybody does with the program: a survey of the folder they are in. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { done, ouro, type Finished } from '../support/e2e/command-line.js';
import { call, scenarioFile } from '../support/e2e/model-server.js';
import { anotherWorkspace, newPlace, type Place } from '../support/e2e/place.js';
import { linesOf, resultOf, streamLines } from '../support/e2e/stream.js';

const LAST_WORDS =
  /^Surveyed .+: \d+ paths listed, .+\.ouro\/survey\.md \(read back: \d+ lines\)\.$/;

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
  expect(stdout.endsWith('\n')).toBe(true);
  expect(stdout.trimEnd()).toMatch(LAST_WORDS);
  expect(stderr).toContain('no real model');
  expect(reportIn(workspace)).toContain(`# Survey of ${workspace}`);
}

/** Twice, because the second time the first report is there. */
async function surveyTwice(place: Place): Promise<void> {
  expectSurvey(await ouro(place, [], { program: 'start' }), place.workspace);
  expectSurvey(await ouro(place, ['rehearse', 'survey', '-p']), place.workspace);
}

async function surveyAsStream(place: Place, workspace: string): Promise<void> {
  const run = await done(place, ['rehearse', 'survey', '--output-format', 'stream-json'], {
    cwd: workspace,
  });
  const lines = streamLines(run.stdout);
  expect(lines[0]).toMatchObject({ type: 'init', scripted: true, workspace });
  expect(lines.findIndex(({ type }) => type === 'result')).toBe(lines.length - 1);
  expect(linesOf(lines, 'discovery')).toHaveLength(2);
  const lives = linesOf(lines, 'subagent').map(({ event }) => event);
  expect(lives.sort()).toEqual(['ended', 'ended', 'spawned', 'spawned']);
  const begun = linesOf(lines, 'tool_use').map(({ call_id }) => call_id);
  const ended = linesOf(lines, 'tool_result').map(({ call_id }) => call_id);
  expect(ended.sort()).toEqual(begun.sort());
  const result = resultOf(run.stdout);
  expect(result).toMatchObject({ status: 'done', exit_code: 0, is_error: false, cost_usd: 0 });
  expect(result.text).toMatch(LAST_WORDS);
  expect(result.files_changed).toEqual(['.ouro/survey.md']);
  expect(reportIn(workspace)).toContain('- Files with TODO or FIXME: 2');
}

test('the survey works in an empty folder, a second time there, and in a repository', async () => {
  const place = newPlace();
  const repository = smallRepository(place);
  await Promise.all([surveyTwice(place), surveyAsStream(place, repository)]);
});

test('the survey is not led astray by files that quote its own words', async () => {
  const place = newPlace();
  writeFileSync(
    join(place.workspace, 'notes.md'),
    'TODO: "Map the folder", then "Find open tasks", then # Survey of something\n',
  );
  expectSurvey(await ouro(place, ['rehearse', 'survey']), place.workspace);
  const { workspace } = place;
  expect(reportIn(workspace)).toContain('- Folder map: ');
  expect(reportIn(workspace)).toContain('- Open tasks: ');
});

test('npm start passes a verb on', async () => {
  const { stdout } = await done(newPlace(), ['--version'], { program: 'start' });
  expect(stdout).toMatch(/^ouro \d+\.\d+\.\d+\n$/);
});

test('what ouro keeps in a repository does not show up as a change', async () => {
  const place = newPlace();
  const repository = smallRepository(place);
  const scenario = scenarioFile(place, [
    { calls: [call('write_file', { path: '.ouro/report.md', content: 'a report\n' })] },
    { text: 'Written.' },
  ]);
  await done(place, ['rehearse', scenario], { cwd: repository });
  const changes = execFileSync('git', ['status', '--porcelain'], {
    cwd: repository,
    env: place.env,
    encoding: 'utf8',
  });
  expect(changes).not.toContain('.ouro');
});
