/** What confines commands when nobody says anything, and what happens where nothing can. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutGuide } from '../../messages/tool-guides.js';
import { snapshotOf, start } from '../support/e2e/background.js';
import { confined, withoutBubblewrap } from '../support/e2e/bubblewrap.js';
import { done, launch, ouro } from '../support/e2e/command-line.js';
import {
  askAt,
  call,
  modelServer,
  scenarioFile,
  shell,
  untilTold,
} from '../support/e2e/model-server.js';
import { anotherWorkspace, killQuietly, newPlace, processesOf } from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';
import { linesOf, resultOf, streamLines } from '../support/e2e/stream.js';

const STREAM = ['--output-format', 'stream-json'];
const onLinux = test.runIf(process.platform === 'linux');

confined('commands run confined without a rule, and the first line says so', async (place) => {
  const outside = anotherWorkspace(place);
  const scenario = scenarioFile(place, [
    { calls: [shell('echo made > inside.txt')] },
    { calls: [shell(`echo made > ${outside}/escaped.txt`)] },
    { calls: [call('shell', { command: 'cat > typed.txt', background: true })] },
    { calls: [call('process_write', { id: 'p1', data: 'typed in\n' })] },
    { calls: [call('process_write', { id: 'p1', data: '' })] },
    { calls: [call('sleep', { mode: 'event', process_id: 'p1' })] },
    { calls: [shell('seq 100000')] },
    { calls: [call('read_output', { id: 'main_7_1', offset: 99_999 })] },
    { text: 'That was all.' },
  ]);
  const run = await ouro(place, ['rehearse', scenario, ...STREAM]);
  expect(resultOf(run.stdout)).toMatchObject({ status: 'done', denials: [] });
  const [init] = linesOf(streamLines(run.stdout), 'init');
  expect(init).toMatchObject({ sandbox: 'bubblewrap', sandbox_reason: null });
  const texts = linesOf(streamLines(run.stdout), 'tool_result').map(({ text }) => text);
  expect(readFileSync(join(place.workspace, 'inside.txt'), 'utf8')).toBe('made\n');
  expect(readFileSync(join(place.workspace, 'typed.txt'), 'utf8')).toBe('typed in\n');
  expect(existsSync(join(outside, 'escaped.txt'))).toBe(false);
  expect(texts[1]).toMatch(/^\[exit: [12]\]/);
  expect(texts.at(-1)).toContain('100000');
});

const LIST = "ls /tmp | grep -xE 'one|two'";

confined('two sessions in one folder have a /tmp each', async (place) => {
  const runs = ['one', 'two'].map((name) => {
    const other = name === 'one' ? 'two' : 'one';
    const meet = `touch ${name}; for i in $(seq 300); do [ -e ${other} ] && break; sleep 0.1; done`;
    return [shell(`touch /tmp/${name}; ${meet}; ${LIST}`), shell(`${LIST}; ls ${other}`)];
  });
  const ended = await Promise.all(
    runs.map(async (calls, at) => {
      const file = scenarioFile(place, [
        ...calls.map((only) => ({ calls: [only] })),
        { text: 'Done.' },
      ]);
      const path = `${file}.${at}`;
      writeFileSync(path, readFileSync(file));
      const { stdout } = await done(place, ['rehearse', path, '--share-workspace', ...STREAM]);
      return linesOf(streamLines(stdout), 'tool_result').map(({ text }) => withoutGuide(text));
    }),
  );
  expect(ended).toEqual([
    ['[exit: 0]\none', '[exit: 0]\none\ntwo'],
    ['[exit: 0]\ntwo', '[exit: 0]\ntwo\none'],
  ]);
});

confined(
  'what runs in the sandbox does not outlive its session, however that ends',
  async (place) => {
    const ticking = 'while :; do echo tick >> ticks; sleep 0.02; done';
    const server = await modelServer([
      { calls: [call('shell', { command: ticking, background: true }), shell(ticking)] },
      ...untilTold,
    ]);
    const id = await start(place, server);
    await eventually('ticks', () => existsSync(join(place.workspace, 'ticks')));
    for (const { pid, commandLine } of processesOf(place)) {
      if (commandLine.includes('__daemon')) killQuietly(pid);
    }
    await eventually('the end of all it had started', () => processesOf(place).length === 0);
    await done(place, ['resume', id]);
    expect((await snapshotOf(place, id)).sandbox).toBe('bubblewrap');
    await done(place, ['kill', id]);
  },
);

onLinux('where no command could run a headless run ends before its first request', async () => {
  const place = newPlace();
  const server = await modelServer([{ text: 'Here I am.' }]);
  const env = { ...withoutBubblewrap(place), OURO_PERMISSIONS_ALLOW: '' };
  const args = ['run', '-p', 'Go on.', ...askAt(server)];
  const stopped = await ouro(place, [...args, '--output-format', 'json'], { env });
  expect(stopped.code).toBe(44);
  expect(resultOf(stopped.stdout)).toMatchObject({ status: 'permission_denied', session_id: null });
  expect(stopped.stderr).toMatch(
    /^ouro: No command could run: bubblewrap .*apt install bubblewrap.*--allow .*--sandbox off/,
  );
  expect(server.requests).toEqual([]);
  expect((await done(place, ['ls', '--all', '--json'])).stdout).toContain('"sessions":[]');

  const waysOut = [
    ['--allow', 'shell(npm test*)'],
    ['--sandbox', 'off'],
    ['--deny', 'shell'],
    ['--permission-mode', 'plan'],
    ['--permission-mode', 'bypass'],
    ['--on-question', 'fail'],
  ];
  const codes = waysOut.map(async (way) => {
    const run = await ouro(place, [...args, '--share-workspace', ...way], { env });
    return [way.join(' '), run.code];
  });
  expect(await Promise.all(codes)).toEqual(waysOut.map((way) => [way.join(' '), 0]));
});

onLinux('where somebody is asked it goes on, and says why it is not confined', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const env = withoutBubblewrap(place);
  const id = await start(place, server, [], { env });
  const { sandbox, log } = await snapshotOf(place, id);
  expect(sandbox).toBe('off');
  expect(log[0]).toMatchObject({ kind: 'notice' });
  expect(log[0]?.text).toMatch(/not confined by a sandbox: bubblewrap .* is not installed/);
  await done(place, ['stop', id]);
});

onLinux('a rehearsal goes on without a sandbox, and what only reads runs', async () => {
  const place = newPlace();
  const scenario = scenarioFile(place, [{ calls: [shell('ls -la')] }, { text: 'Done.' }]);
  const run = launch(place, ['rehearse', scenario, ...STREAM], { env: withoutBubblewrap(place) });
  const { code, stdout, stderr } = await run.ended;
  expect(code).toBe(0);
  const [init] = linesOf(streamLines(stdout), 'init');
  const reason = 'bubblewrap (bwrap) is not installed';
  expect(init).toMatchObject({ sandbox: 'off', sandbox_reason: reason });
  expect(stderr).toContain(`sandbox off (${reason})`);
  expect(linesOf(streamLines(stdout), 'tool_result')).toMatchObject([{ status: 'ok' }]);
});
