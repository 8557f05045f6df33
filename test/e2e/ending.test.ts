/** How sessions end, what is left of them, and how they go on. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { finish, nextRequest, start, wholeId } from '../support/e2e/background.js';
import { asked, done, launch, ouro } from '../support/e2e/command-line.js';
import { journalRows, onlySession, rowsOf } from '../support/e2e/journal.js';
import {
  askAt,
  FINISH,
  FINISHED,
  modelServer,
  scenarioFile,
  shell,
  untilTold,
} from '../support/e2e/model-server.js';
import { newPlace, processesOf, type Place } from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';
import { resultOf, streamLines } from '../support/e2e/stream.js';

/** Hangs in a command that ends long after every test. */
const hanging = [{ calls: [shell('touch begun; sleep 1000')] }, { text: 'It woke up.' }];
const BYPASS = ['--permission-mode', 'bypass'];

const hasBegun = ({ workspace }: Place): Promise<true> =>
  eventually('the command to begin', () => existsSync(join(workspace, 'begun')));
const sleepers = (place: Place): readonly object[] =>
  processesOf(place).filter(({ commandLine }) => commandLine.includes('sleep 1000'));

test('stop ends a session with its commands, wait tells 58, and a second stop has nothing to do', async () => {
  const place = newPlace();
  const server = await modelServer(hanging);
  const id = await start(place, server, BYPASS);
  await hasBegun(place);
  const waiting = launch(place, ['wait', id]);
  const stopped = await asked(place, ['stop', id]);
  expect(stopped.code).toBe(0);
  expect(stopped.data.sessions?.[0]).toMatchObject({ changed: true, status: 'stopped' });
  expect(sleepers(place)).toEqual([]);
  expect((await waiting.ended).code).toBe(58);
  expect((await ouro(place, ['wait', id])).code).toBe(58);
  const again = await asked(place, ['stop', id]);
  expect(again).toMatchObject({ code: 0, data: { sessions: [{ changed: false }] } });
});

test('kill ends a session at once with its commands, and a second kill has nothing to do', async () => {
  const place = newPlace();
  const server = await modelServer(hanging);
  const id = await start(place, server, BYPASS);
  await hasBegun(place);
  expect((await asked(place, ['kill', id])).data.sessions?.[0]).toMatchObject({ ok: true });
  expect(sleepers(place)).toEqual([]);
  expect((await asked(place, ['kill', id])).data.sessions?.[0]).toMatchObject({
    changed: false,
  });
  expect((await ouro(place, ['ls', '--all'])).stdout).toContain(id);
});

test('kill ends a session whose process does not answer', async () => {
  const place = newPlace();
  const server = await modelServer(hanging);
  const id = await start(place, server, BYPASS);
  await hasBegun(place);
  // The guardian's command line names it too.
  const daemon = processesOf(place).find(({ commandLine }) =>
    /^\S*node .*__daemon/.test(commandLine),
  );
  process.kill(daemon?.pid ?? NaN, 'SIGSTOP');
  const killed = await done(place, ['kill', id]);
  expect(killed.stdout).toContain(`ouro resume ${id}`);
  expect(sleepers(place)).toEqual([]);
  expect((await done(place, ['ls', '--all'])).stdout).toMatch(new RegExp(`${id} .*interrupted`));
  expect((await ouro(place, ['wait', id])).code).toBe(1);
});

test('wait gives up after its timeout with 124, and the session goes on', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const id = await start(place, server);
  expect((await ouro(place, ['wait', id, '--timeout', '1s'])).code).toBe(124);
  const { code, data } = await asked(place, ['wait', id, '--timeout', '1s']);
  expect(code).toBe(124);
  expect(data).toMatchObject({ ok: false, error: { code: 'timeout' } });
  await nextRequest(server);
  expect(await finish(place, id)).toBe(0);
});

test('a stopped session goes on with resume, and a further goal follows with run -c', async () => {
  const place = newPlace();
  const server = await modelServer([
    { when: { contains: 'a further goal' }, text: 'That too.' },
    ...untilTold,
  ]);
  const id = await start(place, server);
  await nextRequest(server);
  await done(place, ['stop', id]);
  const before = server.requests.length;
  expect((await done(place, ['resume', id])).stdout).toContain(id);
  await nextRequest(server);
  expect(server.requests[before]?.messages).toBeGreaterThan(2);
  expect(await finish(place, id)).toBe(0);
  const refused = await ouro(place, ['resume', id]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`ouro run -r ${id}`);

  const more = await done(place, ['run', '-p', '-c', 'a further goal', '--output-format', 'json']);
  const result = resultOf(more.stdout);
  expect(result).toMatchObject({ status: 'done', text: 'That too.' });
  expect(result.session_id).toBe(wholeId(place, id));
  expect(server.requests.at(-1)?.body).toContain(FINISHED);
  expect(rowsOf(journalRows(place, onlySession(place)), 'goal.set')).toHaveLength(2);
});

test('where one session writes a second is refused, which names the first, unless they share', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const id = await start(place, server);
  for (const way of [['run', '-p'], ['start']]) {
    const second = await ouro(place, [...way, 'Me too.', ...askAt(server)]);
    expect(second.code).toBe(45);
    expect(second.stderr).toContain(id);
    expect(second.stderr).toContain('--share-workspace');
  }
  const shared = ['run', '-p', FINISH, '--share-workspace', ...askAt(server)];
  expect(await done(place, shared)).toMatchObject({ stdout: `${FINISHED}\n` });
  const busy = await ouro(place, ['run', '-p', '-r', id, 'More.']);
  expect(busy.code).toBe(45);
  expect(busy.stderr).toContain(`ouro attach ${id}`);
  await done(place, ['stop', id]);
});

const signals = [
  { signal: 'SIGTERM', code: 143, status: 'terminated' },
  { signal: 'SIGINT', code: 130, status: 'interrupted' },
  { signal: 'SIGHUP', code: 129, status: 'hangup' },
] as const;

test.for(signals)(
  '$signal ends a headless run with $code, its result and no child left; it can be resumed',
  async ({ signal, code, status }) => {
    const place = newPlace();
    const format = ['--output-format', 'stream-json'];
    const run = launch(place, ['rehearse', scenarioFile(place, hanging), ...BYPASS, ...format]);
    await hasBegun(place);
    run.kill(signal);
    const ended = await run.ended;
    expect(ended.code).toBe(code);
    expect(sleepers(place)).toEqual([]);
    const result = resultOf(ended.stdout);
    expect(result).toMatchObject({ status, exit_code: code, is_error: true, retryable: true });
    expect(streamLines(ended.stdout).filter(({ type }) => type === 'result')).toHaveLength(1);
    const resumeCommand = result.resume_command?.split(' ').slice(1) ?? [];
    await done(place, resumeCommand);
    const waited = await ouro(place, ['wait', onlySession(place)]);
    expect(waited.code).toBe(0);
    const outcomes = rowsOf(journalRows(place, onlySession(place)), 'tool.outcome');
    expect(outcomes.map(({ body }) => body.outcome.status)).toEqual(['cancelled']);
  },
);

test('a second signal ends a headless run at once', async () => {
  const place = newPlace();
  const server = await modelServer(hanging);
  const run = launch(place, ['run', '-p', 'Go on.', ...BYPASS, ...askAt(server)]);
  await hasBegun(place);
  run.kill('SIGINT');
  run.kill('SIGTERM');
  expect([130, 143]).toContain((await run.ended).code);
  await eventually('no command to be left', () => sleepers(place).length === 0);
});

test('limits end a run with a code of their own, and it can be resumed with more', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const json = ['--output-format', 'json'];
  const rounds = await ouro(place, [
    'run',
    'Go on.',
    '--max-rounds',
    '3',
    ...askAt(server),
    ...json,
  ]);
  expect(rounds.code).toBe(53);
  expect(server.requests).toHaveLength(3);
  expect(resultOf(rounds.stdout)).toMatchObject({ status: 'round_limit', rounds: 3 });
  const time = await ouro(place, ['run', 'Go on.', '--max-time', '1s', ...askAt(server), ...json]);
  expect(time.code).toBe(56);
  expect(resultOf(time.stdout)).toMatchObject({ status: 'time_limit' });
  const more = await ouro(place, ['run', '-c', '--max-rounds', '2', ...json]);
  expect(more.code).toBe(53);
});
