/** Sessions that run without anybody watching, and the verbs that look at them and steer them. */
import { expect, test } from 'vitest';
import { finish, nextRequest, snapshotOf, start, wholeId } from '../support/e2e/background.js';
import { asked, done, launch, ouro } from '../support/e2e/command-line.js';
import { journalRows, rowsOf } from '../support/e2e/journal.js';
import {
  askAt,
  FINISH,
  FINISHED,
  modelServer,
  scenarioFile,
  untilTold,
} from '../support/e2e/model-server.js';
import { anotherWorkspace, newPlace } from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';

test('start returns while the session works; ls, status, logs and wait tell how it goes and ends', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const started = await done(place, ['start', 'Go on.', '--name', 'long one', ...askAt(server)]);
  const id = started.stdout.trim();
  expect(id).toMatch(/^[0-9a-f]{8}$/);
  for (const verb of ['attach', 'logs', 'pause', 'stop']) {
    expect(started.stderr).toContain(`ouro ${verb} ${id}`);
  }
  await nextRequest(server);

  expect((await done(place, ['ls'])).stdout).toMatch(new RegExp(`${id} +long one +running`));
  const listed = await asked(place, ['ls']);
  expect(listed.data).toMatchObject({
    v: 1,
    ok: true,
    sessions: [{ state: 'running', live: true }],
  });
  expect((await done(place, ['status', id])).stdout).toContain('running');
  const snapshot = await snapshotOf(place, id);
  expect(snapshot).toMatchObject({ state: 'running', goal: 'Go on.', workspace: place.workspace });
  expect((await done(place, ['logs', id, '-n', '3'])).stdout.trimEnd().split('\n')).toHaveLength(3);

  expect(await finish(place, id)).toBe(0);
  expect((await done(place, ['ls'])).stdout).not.toContain(id);
  expect((await done(place, ['ls', '--all'])).stdout).toMatch(new RegExp(`${id} +long one +done`));
  const ended = await ouro(place, ['status', id]);
  expect(ended.code, 'of a session that is over').toBe(1);
  expect(ended.stdout).toContain('done');
  const { data } = await asked(place, ['status', id]);
  expect(data).toMatchObject({ ok: false, result: { status: 'done', text: FINISHED } });
  const waited = await asked(place, ['wait', id]);
  expect(waited).toMatchObject({ code: 0, data: { ok: true } });
  expect(waited.data.sessions?.[0]).toMatchObject({ status: 'done', exit_code: 0 });
});

test('logs -f follows until the session ends; with --json each line is a row of the journal', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const id = await start(place, server);
  const follower = launch(place, ['logs', id, '-f']);
  const plain = launch(place, ['attach', id, '--plain']);
  await eventually('lines of both', () => follower.stdout() !== '' && plain.stdout() !== '');
  await finish(place, id);
  const followed = await follower.ended;
  expect(followed.code).toBe(0);
  expect(followed.stdout).toContain(FINISHED);
  expect(await plain.ended).toMatchObject({ code: 0 });
  expect(plain.stdout()).toContain(FINISHED);
  const lines = (await done(place, ['logs', id, '--json'])).stdout.trimEnd().split('\n');
  const rows = lines.map((line) => JSON.parse(line) as { v: number; seq: number });
  const kept = journalRows(place, wholeId(place, id)).map(({ seq }) => seq);
  expect(rows.map(({ seq }) => seq)).toEqual(kept);
});

test('no request reaches the server between the answer to a pause and a resume', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const id = await start(place, server);
  await nextRequest(server);
  const paused = await asked(place, ['pause', id]);
  const before = server.requests.length;
  expect(paused.data.sessions?.[0]).toMatchObject({ ok: true, changed: true });

  await eventually('the gate', async () => {
    const { state, agents } = await snapshotOf(place, id);
    return state === 'held' && agents[0]?.phase === 'gated';
  });
  expect((await snapshotOf(place, id)).holds).toMatchObject([
    { kind: 'user', release: `ouro resume ${id}` },
  ]);
  expect((await ouro(place, ['wait', id, '--for', 'held'])).code).toBe(0);
  expect((await done(place, ['ls'])).stdout).toContain('held');
  expect((await asked(place, ['pause', id])).data.sessions?.[0]).toMatchObject({
    ok: true,
    changed: false,
  });
  expect(server.requests.length).toBe(before);

  const resumed = await asked(place, ['resume', id]);
  expect(resumed).toMatchObject({ code: 0 });
  expect(resumed.data.sessions?.[0]).toMatchObject({ changed: true });
  await nextRequest(server);
  const again = await asked(place, ['resume', id]);
  expect(again.code).toBe(0);
  expect(again.data.sessions?.[0]).toMatchObject({ changed: false });
  expect(await finish(place, id)).toBe(0);
});

test('pause --for ends by itself, and pause --now breaks off the request that runs', async () => {
  const place = newPlace();
  const server = await modelServer([
    { when: { contains: FINISH }, text: FINISHED },
    { text: 'Never finished.', delay_ms: 600_000 },
  ]);
  const id = await start(place, server);
  await eventually('the first request', () => server.requests.length === 1);
  await done(place, ['pause', id, '--now', '--for', '1s']);
  await eventually('the request to be made again', () => server.requests.length === 2);
  expect(server.requests[0]?.answeredAt).toBeNull();
  const [paused] = rowsOf(journalRows(place, wholeId(place, id)), 'user.action');
  expect(paused?.body.action).toMatchObject({ do: 'pause', now: true });
  await done(place, ['stop', id]);
});

test('what is sent is in the next request, and what is queued comes after the turn', async () => {
  const place = newPlace();
  const server = await modelServer([
    { when: { contains: 'and one thing more' }, text: 'The last one.' },
    ...untilTold,
  ]);
  const id = await start(place, server);
  await nextRequest(server);
  const queued = await asked(place, ['send', id, 'and one thing more', '--queue']);
  expect(queued).toMatchObject({ code: 0, data: { ok: true } });
  await nextRequest(server);
  await nextRequest(server);
  expect(server.requests.at(-1)?.body).not.toContain('one thing more');
  await done(place, ['send', id, FINISH]);
  const at = server.requests.length;
  expect((await ouro(place, ['wait', id])).code).toBe(0);
  // One may have been under way when the words were accepted.
  expect(server.requests.slice(0, at + 1).at(-1)?.body ?? '').toContain(FINISH);
  const said = rowsOf(journalRows(place, wholeId(place, id)), 'message.added').flatMap(
    ({ body: { message } }) => (message.role === 'assistant' ? [message.text] : []),
  );
  expect(said.slice(-2)).toEqual([FINISHED, 'The last one.']);
});

test('a session is found by its id from anywhere, and left out where only one can be meant', async () => {
  const place = newPlace();
  const elsewhere = anotherWorkspace(place);
  const server = await modelServer(untilTold);
  const id = await start(place, server);
  expect((await ouro(place, ['status'], { cwd: elsewhere })).code).toBe(1);
  expect((await ouro(place, ['status', id.slice(0, 4)], { cwd: elsewhere })).code).toBe(0);
  expect((await ouro(place, ['status'])).code).toBe(0);
  expect((await ouro(place, ['pause', id], { cwd: elsewhere })).code).toBe(0);
  expect((await ouro(place, ['resume'])).code).toBe(0);
  const guessed = await ouro(place, ['stop']);
  expect(guessed.code, 'off a terminal stop does not guess').toBe(2);
  expect(guessed.stderr).toContain(id);

  const second = await start(place, server, ['--share-workspace']);
  const which = await ouro(place, ['status']);
  expect(which.code).toBe(2);
  expect(which.stderr).toContain(id);
  expect(which.stderr).toContain(second);
  const unknown = await ouro(place, ['status', 'ffffffffff']);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('ouro ls --all');
  const all = await done(place, ['stop', '--all']);
  expect(all.stdout).toContain(id);
  expect(all.stdout).toContain(second);
});

test('of a prefix that fits several sessions the candidates are listed', async () => {
  const place = newPlace();
  const server = await modelServer([{ text: 'Done.' }]);
  const run = ['run', '-p', 'Go on.', '--name', 'twin', ...askAt(server)];
  await done(place, run);
  await done(place, run);
  const { code, stdout, stderr } = await ouro(place, ['status', 'twin']);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr.match(/twin: Go on\./g)).toHaveLength(2);
  const { data } = await asked(place, ['status', 'twin']);
  expect(data).toMatchObject({ ok: false, error: { code: 'ambiguous' } });
  expect(data.candidates).toHaveLength(2);
});

test('a rehearsal in the background ends by itself', async () => {
  const place = newPlace();
  const scenario = scenarioFile(place, [{ text: FINISHED, delay_ms: 300 }]);
  const id = (await done(place, ['rehearse', scenario, '--bg'])).stdout.trim();
  expect((await ouro(place, ['wait', id])).code).toBe(0);
  expect((await done(place, ['logs', id])).stdout).toContain(FINISHED);
});

test('without a session every verb says so and what to do', async () => {
  const place = newPlace();
  for (const verb of ['status', 'logs', 'attach', 'pause', 'resume', 'wait']) {
    const { code, stderr } = await ouro(place, [verb]);
    expect(code, verb).not.toBe(0);
    expect(stderr, verb).toContain('ouro ls --all');
  }
  expect(await ouro(place, ['ls'])).toMatchObject({ code: 0, stderr: '' });
  const overview = await done(place, []);
  expect(overview.stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(5);
  expect(overview.stdout).toContain('ouro rehearse survey');
});
