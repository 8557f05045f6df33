/** A session whose process is killed comes back by itself; one that a person has ended does not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionId } from '../../messages/ids.js';
import { isGuarded, readGuardian } from '../../src/store/guardian-record.js';
import { nextRequest, snapshotOf, start, wholeId } from '../support/e2e/background.js';
import { asked, done, launch, ouro } from '../support/e2e/command-line.js';
import { journalRows, rowsOf } from '../support/e2e/journal.js';
import { modelServer, shell, untilTold } from '../support/e2e/model-server.js';
import { killQuietly, newPlace, processesOf, type Place } from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';

const BYPASS = ['--permission-mode', 'bypass'];

async function killDaemon(place: Place): Promise<void> {
  const { data } = await asked(place, ['ls']);
  expect(killQuietly(data.sessions?.[0]?.pid ?? NaN)).toBe(true);
}

const guardianOf = (place: Place, id: string): number =>
  readGuardian(place.home, id as SessionId)?.pid ?? NaN;

const linesOf = (file: string): readonly string[] => {
  try {
    return readFileSync(file, 'utf8').trim().split('\n');
  } catch {
    return [];
  }
};

test('a daemon that is killed is started again and finishes its work, nothing done twice', async () => {
  const place = newPlace();
  const server = await modelServer([
    { calls: [shell('echo {{round}} >> ledger')], times: 20, delay_ms: 50 },
    { text: 'All lines are there.' },
  ]);
  const id = wholeId(place, await start(place, server, BYPASS));
  const ledger = join(place.workspace, 'ledger');
  await eventually('five lines', () => linesOf(ledger).length >= 5);
  await killDaemon(place);
  expect((await ouro(place, ['wait', id])).code, 'waits for the one that comes back').toBe(0);
  const rows = journalRows(place, id);
  expect(rowsOf(rows, 'session.resumed')).toHaveLength(1);
  const lines = linesOf(ledger);
  expect(new Set(lines).size).toBe(lines.length);
  const unknown = rowsOf(rows, 'tool.outcome').filter(
    ({ body }) => body.outcome.status === 'unknown',
  );
  expect(lines.length).toBeGreaterThanOrEqual(20 - unknown.length);
  await eventually('the end of the guardian', () => processesOf(place).length === 0);
  expect(readGuardian(place.home, id as SessionId), 'nobody is to bring it back').toBeNull();
});

test('without its guardian a session goes on, and a later resume brings another one', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const id = wholeId(place, await start(place, server));
  const first = guardianOf(place, id);
  expect(killQuietly(first)).toBe(true);
  await nextRequest(server);
  await killDaemon(place);
  await eventually('its end', () => processesOf(place).length === 0);
  expect((await ouro(place, ['status', id])).code).toBe(1);
  await done(place, ['resume', id]);
  await nextRequest(server);
  expect(guardianOf(place, id)).not.toBe(first);
  expect(isGuarded(place.home, id as SessionId)).toBe(true);
  await done(place, ['stop', id]);
});

test('what a person stops or kills is not started again, also while it waits to be', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const id = wholeId(place, await start(place, server));
  await nextRequest(server);
  await done(place, ['kill', id]);
  await eventually('the end of both', () => processesOf(place).length === 0);
  await done(place, ['resume', id]);
  await nextRequest(server);
  await killDaemon(place);
  await eventually('the shell to become one that restarts', () =>
    processesOf(place).some(({ commandLine }) => commandLine.includes('__revive')),
  );
  const stopped = await done(place, ['stop', id]);
  expect(stopped.stdout).toContain('was not running');
  expect(processesOf(place)).toEqual([]);
});

test('restart lets a session go on in a new process, as it was; a pause of a person stays', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const id = wholeId(place, await start(place, server));
  await nextRequest(server);
  await done(place, ['restart', id]);
  await nextRequest(server);
  expect(isGuarded(place.home, id as SessionId)).toBe(true);
  await done(place, ['pause', id]);
  await done(place, ['restart', id]);
  expect((await snapshotOf(place, id)).holds).toMatchObject([{ kind: 'user' }]);
  const rows = journalRows(place, id);
  expect(rowsOf(rows, 'session.resumed')).toHaveLength(2);
  expect(rowsOf(rows, 'model.outcome').filter(({ body }) => body.status !== 'ok')).toEqual([]);
  await done(place, ['stop', id]);
});

test('the service brings back what lost its process and guardian, and leaves it running', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const id = wholeId(place, await start(place, server));
  await nextRequest(server);
  killQuietly(guardianOf(place, id));
  await killDaemon(place);
  const service = launch(place, ['service', 'run']);
  await nextRequest(server);
  await eventually('the message', () => service.stderr().includes('running again'));
  service.kill('SIGTERM');
  expect((await service.ended).code).toBe(0);
  await nextRequest(server);
  await done(place, ['stop', id]);
});
