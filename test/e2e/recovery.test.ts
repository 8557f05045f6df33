/** What a session that died without a word leaves behind, and how it goes on from there. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { nextRequest, start, wholeId } from '../support/e2e/background.js';
import { asked, done, launch, ouro } from '../support/e2e/command-line.js';
import { journalRows, onlySession, rowsOf } from '../support/e2e/journal.js';
import {
  call,
  FINISH,
  FINISHED,
  modelServer,
  shell,
  untilTold,
} from '../support/e2e/model-server.js';
import {
  anotherWorkspace,
  killQuietly,
  newPlace,
  processesOf,
  type Place,
} from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';

const BYPASS = ['--permission-mode', 'bypass'];

function killDaemons(place: Place): void {
  const daemons = processesOf(place).filter(({ commandLine }) => commandLine.includes('__daemon'));
  expect(daemons.filter(({ pid }) => killQuietly(pid)).length).toBeGreaterThan(0);
}

const linesIn = (place: Place, file: string): readonly string[] => {
  const path = join(place.workspace, file);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return [];
  return readFileSync(path, 'utf8').split('\n').slice(0, -1);
};

test('a command that outlived its session is ended by resume, and the model is told that it is unknown', async () => {
  const place = newPlace();
  const ticking = 'for i in $(seq 2000); do echo $i >> ticks; sleep 0.02; done';
  const server = await modelServer([{ calls: [shell(ticking)] }, { text: 'I looked at ticks.' }]);
  // In a sandbox it could not outlive it.
  const id = await start(place, server, [...BYPASS, '--sandbox', 'off']);
  await eventually('a few ticks', () => linesIn(place, 'ticks').length > 3);
  killDaemons(place);
  const before = linesIn(place, 'ticks').length;
  await eventually('ticks after its death', () => linesIn(place, 'ticks').length > before + 3);

  await done(place, ['resume', id]);
  const survivors = processesOf(place).filter(({ commandLine }) => commandLine.includes('ticks'));
  expect(survivors).toEqual([]);
  expect((await ouro(place, ['wait', id])).code).toBe(0);
  const ticks = linesIn(place, 'ticks');
  await sleep(200);
  expect(linesIn(place, 'ticks')).toEqual(ticks);
  expect(new Set(ticks).size, 'it was not started again').toBe(ticks.length);
  const [outcome] = rowsOf(journalRows(place, wholeId(place, id)), 'tool.outcome');
  expect(outcome?.body.outcome).toMatchObject({ status: 'unknown' });
  expect(server.requests.at(-1)?.body).toContain('[outcome unknown]');
});

test('of a call that was cut off the model is shown what it had printed', async () => {
  const place = newPlace();
  const server = await modelServer([
    { calls: [shell('echo so far so good; touch begun; sleep 1000')] },
    { text: 'Understood.' },
  ]);
  const id = await start(place, server, BYPASS);
  await eventually('the command', () =>
    statSync(join(place.workspace, 'begun'), { throwIfNoEntry: false }),
  );
  killDaemons(place);
  await done(place, ['resume', id]);
  expect((await ouro(place, ['wait', id])).code).toBe(0);
  expect(server.requests.at(-1)?.body).toContain('so far so good');
});

test('words that were acknowledged right before the death are read after it, once', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const id = await start(place, server);
  await nextRequest(server);
  await done(place, ['pause', id]);
  await done(place, ['send', id, FINISH]);
  killDaemons(place);
  expect((await done(place, ['ls'])).stdout).toContain('interrupted');
  await done(place, ['resume', id]);
  expect((await ouro(place, ['wait', id])).code).toBe(0);
  expect(server.requests.at(-1)?.body?.split(FINISH)).toHaveLength(2);
});

test('a session that died while a sub-agent worked lets it go on and ends as it would have', async () => {
  const place = newPlace();
  const server = await modelServer([
    { when: { agent: 'sub-1', round: 1 }, calls: [call('list_dir', { path: '.' })] },
    { when: { agent: 'sub-1', round: 2 }, text: 'Nothing to see.', delay_ms: 2_000 },
    { calls: [call('delegate', { type: 'explore', task: 'Look around.' })] },
    { text: 'It saw nothing.' },
  ]);
  const id = await start(place, server);
  const ofSub = () => server.requests.filter(({ agent }) => agent === 'sub-1');
  await eventually('its second round', () => ofSub().length === 2);
  killDaemons(place);
  await done(place, ['resume', id]);
  expect((await ouro(place, ['wait', id])).code).toBe(0);
  expect(server.requests.at(-1)?.body).toContain('Nothing to see.');
  expect(ofSub(), 'only the request that was lost is made again').toHaveLength(3);
});

test('the bundled ledger survives a death in the middle: the scripted server comes back with it', async () => {
  const place = newPlace();
  const run = launch(place, ['rehearse', 'ledger', '--allow', 'shell']);
  await eventually('five lines', () => linesIn(place, 'ledger.txt').length >= 5);
  run.kill('SIGKILL');
  expect((await run.ended).signal).toBe('SIGKILL');
  const end = await done(place, ['run', '-p', '-c']);
  expect(end.stdout).toContain('20 lines');
  const lines = linesIn(place, 'ledger.txt');
  const unknown = rowsOf(journalRows(place, onlySession(place)), 'tool.outcome').filter(
    ({ body }) => body.outcome.status === 'unknown',
  );
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.length).toBeGreaterThanOrEqual(20 - unknown.length);
});

test('a request that was under way is asked again, and its round is counted once', async () => {
  const place = newPlace();
  const server = await modelServer([{ text: FINISHED, delay_ms: 500 }]);
  const id = await start(place, server);
  // There may have been one already: there will be no other.
  await eventually('the request', () => server.requests.length > 0);
  killDaemons(place);
  await done(place, ['resume', id]);
  const { data } = await asked(place, ['wait', id]);
  expect(data.sessions?.[0]?.result).toMatchObject({ rounds: 1, text: FINISHED });
  expect(server.requests).toHaveLength(2);
});

test('resume --all brings back every session that was cut off, and none that ended', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const first = await start(place, server);
  const second = await start(place, server, ['-C', anotherWorkspace(place, 'second')]);
  const ended = await start(place, server, ['-C', anotherWorkspace(place, 'third')]);
  await done(place, ['stop', ended]);
  killDaemons(place);
  const resumed = await done(place, ['resume', '--all']);
  expect(resumed.stdout).toContain(first);
  expect(resumed.stdout).toContain(second);
  expect(resumed.stdout).not.toContain(ended);
  await done(place, ['stop', '--all']);
});

test('sessions that share a workspace are brought back beside each other', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const first = await start(place, server, ['--share-workspace']);
  const second = await start(place, server, ['--share-workspace']);
  killDaemons(place);
  const resumed = await ouro(place, ['resume', '--all']);
  await done(place, ['stop', '--all']);
  expect(resumed).toMatchObject({ code: 0, stderr: '' });
  expect(resumed.stdout).toContain(first);
  expect(resumed.stdout).toContain(second);
});
