/** A session whose operator has hooks, from the configuration to the result. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launch, ouro } from '../support/e2e/command-line.js';
import { call, scenarioFile, shell, type TurnFile } from '../support/e2e/model-server.js';
import { newPlace, type Place } from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';
import { linesOf, resultOf, streamLines } from '../support/e2e/stream.js';

async function run(turns: readonly TurnFile[], config: string) {
  const place: Place = newPlace();
  mkdirSync(place.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(place.home, 'config.toml'), config);
  const scenario = scenarioFile(place, turns);
  const flags = ['--output-format', 'stream-json', '--log-format', 'json'];
  const { code, stdout, stderr } = await ouro(place, ['rehearse', scenario, ...flags]);
  const results = linesOf(streamLines(stdout), 'tool_result');
  return { place, code, stderr, results, result: resultOf(stdout) };
}

const listing = call('list_dir', { path: '.' });

test('hooks greet, block, remark, send back to work so often, and hear of the end', async () => {
  const ran = await run(
    [
      { when: { contains: 'Be careful today.' }, calls: [shell('ls'), listing] },
      { when: { contains: 'no shell' }, text: 'All done.' },
      { text: 'Still done.', times: 3 },
    ],
    `
[[hooks.SessionStart]]
command = '''echo '{"message": "Be careful today."}' '''
[[hooks.PreToolUse]]
command = "echo no shell >&2; exit 2"
matcher = "shell"
[[hooks.PostToolUse]]
command = '''echo '{"message": "looked"}' '''
[[hooks.Stop]]
command = "cat >> stops; echo tests fail >&2; exit 2"
[[hooks.SessionEnd]]
command = "cat > end"
`,
  );
  expect(ran.code).toBe(3);
  expect(ran.result).toMatchObject({
    status: 'unverified',
    reason: 'a Stop hook still objects: tests fail',
    rounds: 5,
    text: 'Still done.',
    denials: [{ tool: 'shell', rule: 'hook PreToolUse' }],
  });
  expect(ran.results.map(({ status }) => status).sort()).toEqual(['denied', 'ok']);
  expect(ran.results.find(({ status }) => status === 'ok')?.text).toContain('[hook: looked]');
  const read = (name: string): string => readFileSync(join(ran.place.workspace, name), 'utf8');
  expect(read('stops').trim().split('\n')).toHaveLength(4);
  expect(JSON.parse(read('end'))).toMatchObject({ event: 'SessionEnd', status: 'unverified' });
  expect(ran.stderr).toContain('hook PreToolUse blocked shell: no shell');
});

test('a request that a hook blocks ends the run as a denial, and nothing is sent', async () => {
  const ran = await run(
    [{ text: 'never asked' }],
    `[[hooks.PreModel]]\ncommand = "echo office hours are over >&2; exit 2"`,
  );
  expect(ran.code).toBe(44);
  expect(ran.result).toMatchObject({
    status: 'permission_denied',
    reason: 'a hook let no further request be sent: office hours are over',
    rounds: 0,
  });
});

test('a signal ends the session although its hooks hang, and none of them stays behind', async () => {
  const place = newPlace();
  mkdirSync(place.home, { recursive: true, mode: 0o700 });
  const hang = "trap '' TERM; touch $OURO_HOOK_EVENT; while :; do sleep 300; done";
  const hooks = ['PreToolUse', 'SessionEnd'].map((on) => `[[hooks.${on}]]\ncommand = "${hang}"`);
  writeFileSync(join(place.home, 'config.toml'), hooks.join('\n'));
  const scenario = scenarioFile(place, [{ calls: [listing] }, { text: 'never said' }]);
  const running = launch(place, ['rehearse', scenario, '--output-format', 'json']);
  await eventually('the hook', () => existsSync(join(place.workspace, 'PreToolUse')));
  running.kill('SIGTERM');
  const { code, stdout } = await running.ended;
  expect(code).toBe(143);
  expect(resultOf(stdout)).toMatchObject({ status: 'terminated' });
  expect(existsSync(join(place.workspace, 'SessionEnd'))).toBe(true);
});
