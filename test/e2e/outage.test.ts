/** Model servers that go away, refuse, or are busy, and what people see of it; nothing of the work is lost. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HoldKind } from '../../messages/pause.js';
import type { RehearsalServer } from '../../src/rehearsal/server.js';
import { finish, nextRequest, snapshotOf, start, wholeId } from '../support/e2e/background.js';
import { done, launch, ouro } from '../support/e2e/command-line.js';
import { journalRows, rowsOf } from '../support/e2e/journal.js';
import {
  askAt,
  FINISHED,
  modelServer,
  untilTold,
  type TurnFile,
} from '../support/e2e/model-server.js';
import {
  anotherWorkspace,
  killQuietly,
  newPlace,
  processesOf,
  type Place,
} from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';
import { linesOf, resultOf, streamLines } from '../support/e2e/stream.js';

const ONCE = { env: { OURO_MODEL_RETRIES: '0' } };

const portOf = ({ baseUrl }: RehearsalServer): number => Number(new URL(baseUrl).port);

/** The same address, served again. */
const again = (gone: RehearsalServer, apiKey?: string, turns: readonly TurnFile[] = untilTold) =>
  modelServer(turns, { port: portOf(gone), ...(apiKey === undefined ? {} : { apiKey }) });

const isHeld = (place: Place, id: string, kind: HoldKind): Promise<boolean> =>
  eventually(`a hold of kind ${kind}`, async () => {
    const { holds } = await snapshotOf(place, id);
    return holds.some((hold) => hold.kind === kind);
  });

function killDaemon(place: Place): void {
  const daemons = processesOf(place).filter(({ commandLine }) => commandLine.includes('__daemon'));
  expect(daemons.filter(({ pid }) => killQuietly(pid)).length).toBeGreaterThan(0);
}

test('a server that goes away holds the session, also across a crash, until it is back', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const id = await start(place, server, [], ONCE);
  await nextRequest(server);
  await server.close();
  await isHeld(place, id, 'endpoint');
  const status = await done(place, ['status', id]);
  expect(status.stdout).toContain(server.baseUrl);

  const inVain = await ouro(place, ['resume', id]);
  expect(inVain.code).toBe(1);
  expect(inVain.stdout + inVain.stderr).toContain('still held');

  killDaemon(place);
  const resumed = await done(place, ['resume', id], ONCE);
  expect(resumed.stdout).toContain('nothing is listening there');
  await isHeld(place, id, 'endpoint');

  const back = await again(server);
  await nextRequest(back);
  expect((await snapshotOf(place, id)).holds).toEqual([]);
  expect(await finish(place, id)).toBe(0);
  const rows = journalRows(place, wholeId(place, id));
  const asked = rowsOf(rows, 'model.outcome').flatMap(({ round, body }) =>
    body.status === 'ok' ? [round] : [],
  );
  // No round is left out, and none is counted twice.
  expect(asked).toEqual(asked.map((_, i) => i + 1));
});

test('a key that is refused holds the session until another one is given', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold, { apiKey: 'the-first-key-1234567890' });
  const id = await start(place, server, [], { env: { OURO_API_KEY: 'the-first-key-1234567890' } });
  await nextRequest(server);
  await server.close();
  const stricter = await again(server, 'the-second-key-1234567890');
  await isHeld(place, id, 'auth');
  const [hold] = (await snapshotOf(place, id)).holds;
  expect(hold).toMatchObject({ until: null, release: `ouro resume ${id}` });
  expect(hold?.reason).toContain('OURO_API_KEY');
  expect((await ouro(place, ['resume', id])).code).toBe(1);

  writeFileSync(join(place.home, '.env'), 'OURO_API_KEY=the-second-key-1234567890\n');
  const before = stricter.requests.length;
  await done(place, ['resume', id]);
  await eventually('a request with the new key', () => stricter.requests.length > before);
  expect(await finish(place, id)).toBe(0);
});

test('a headless run waits for its server, says so, and goes on when it is there', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  await server.close();
  const run = launch(place, ['run', '-p', 'Go on.', ...askAt(server), '--max-wait', '40s'], ONCE);
  await eventually('a word about the hold', () => run.stderr().includes('held (endpoint)'));
  await again(server, undefined, [{ text: FINISHED }]);
  expect(await run.ended).toMatchObject({ code: 0, stdout: `${FINISHED}\n` });
});

test('a headless run gives up at the end of its wait, with the reason', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  await server.close();
  const args = ['run', 'Go on.', ...askAt(server), '--max-wait', '1s', '--output-format', 'json'];
  const run = await ouro(place, args, ONCE);
  expect(run.code).toBe(57);
  const result = resultOf(run.stdout);
  expect(result).toMatchObject({ status: 'provider_error', retryable: true });
  expect(result.reason).toContain(server.baseUrl);
  expect(result.reason).toContain('--max-wait');
});

test('a run that waits ends at once when it is told to', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  await server.close();
  const run = launch(place, ['run', '-p', 'Go on.', ...askAt(server)], ONCE);
  await eventually('a word about the hold', () => run.stderr().includes('held (endpoint)'));
  run.kill('SIGTERM');
  expect((await run.ended).code).toBe(143);
});

test('a refused key and a missing model end a headless run without a wait', async () => {
  const place = newPlace();
  const server = await modelServer([
    { fault: { kind: 'status', status: 401 } },
    { fault: { kind: 'status', status: 404 } },
  ]);
  const args = ['run', 'Go on.', ...askAt(server), '--output-format', 'json'];
  expect((await ouro(place, args)).code).toBe(41);
  expect((await ouro(place, args)).code).toBe(57);
  expect(server.requests).toHaveLength(2);
});

test('another model answers where the first one cannot, and is named', async () => {
  const place = newPlace();
  const server = await modelServer([{ fault: { kind: 'status', status: 404 } }, { text: 'Done.' }]);
  const args = [
    'run',
    'Go on.',
    ...askAt(server),
    '--fallback-model',
    'other',
    '--output-format',
    'stream-json',
  ];
  const run = await ouro(place, args);
  expect(run.code).toBe(0);
  const models = server.requests.map(
    ({ body }) => (JSON.parse(body ?? '') as { model: string }).model,
  );
  expect(models).toEqual([expect.any(String), 'other']);
  expect(run.stderr).toContain('asking other instead');
  expect(linesOf(streamLines(run.stdout), 'error')).toMatchObject([{ kind: 'not-found' }]);
});

test('sessions share the place at a local server; who waits is queued, and a crash gives the place back', async () => {
  const place = newPlace();
  const server = await modelServer([
    { when: { contains: 'take long' }, text: 'Late.', delay_ms: 600_000 },
    { text: 'Quick.' },
  ]);
  const slow = await done(place, ['start', 'Please take long.', ...askAt(server)]);
  await eventually('its request', () => server.requests.length === 1);
  const cwd = anotherWorkspace(place);
  const id = (await done(place, ['start', 'Be quick.', ...askAt(server)], { cwd })).stdout.trim();
  const phase = async (): Promise<string | undefined> =>
    (await snapshotOf(place, id)).agents[0]?.phase;
  await eventually('the second one to queue', async () => (await phase()) === 'queued');
  await done(place, ['pause', id]);
  await eventually('the gate', async () => (await phase()) === 'gated');
  await done(place, ['resume', id]);
  await eventually('the queue', async () => (await phase()) === 'queued');
  expect(server.requests).toHaveLength(1);

  await done(place, ['kill', slow.stdout.trim()]);
  expect((await ouro(place, ['wait', id], { cwd })).code).toBe(0);
  expect(server.requests).toHaveLength(2);
});
