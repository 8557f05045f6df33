import { createServer } from 'node:net';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/control/client.js';
import { createDashboardLink } from '../../src/control/dashboard-link.js';
import {
  attach,
  deltaOf,
  factOf,
  RESULT,
  serve,
  SESSION,
  snapshotOf,
  temporaryFolder,
} from './control-fixture.js';

/** A program on a socket that says `greeting` to everybody and nothing else. */
async function impostor(greeting: string): Promise<{ socketPath: string; tokenPath: string }> {
  const folder = await temporaryFolder();
  const [socketPath, tokenPath] = [join(folder, 's.sock'), join(folder, 's.token')];
  await writeFile(tokenPath, 'secret');
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(greeting);
    onTestFinished(() => void socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  onTestFinished(() => void server.close());
  return { socketPath, tokenPath };
}

const greeting = (v: number): string =>
  `${JSON.stringify({ v, session: SESSION, version: '9', pid: 1, capabilities: [] })}\n`;

test('a session that is not there is absent', async () => {
  const folder = await temporaryFolder();
  const [socketPath, tokenPath] = [join(folder, 's.sock'), join(folder, 's.token')];
  expect(await connect({ socketPath, tokenPath })).toMatchObject({ ok: false, reason: 'absent' });
  await writeFile(tokenPath, 'secret');
  expect(await connect({ socketPath, tokenPath })).toMatchObject({ ok: false, reason: 'absent' });
  await writeFile(socketPath, '');
  expect(await connect({ socketPath, tokenPath })).toMatchObject({ ok: false, reason: 'refused' });
});

test.each([
  [greeting(2), /upgrade this program/],
  [greeting(0), /stop it and resume it/],
  ['SSH-2.0-OpenSSH\n', /not a line of the control protocol/],
  ['{"ev":"bye"}\n', /not a line of the control protocol/],
])('who greets with %j is not talked to, and the message says why', async (said, why) => {
  const connected = await connect(await impostor(said));
  expect(connected).toMatchObject({ ok: false, reason: 'protocol' });
  expect(connected.ok || connected.message).toMatch(why);
});

test('a session that says nothing is a timeout, before the greeting and after it', async () => {
  const silent = { ...(await impostor('')), timeoutMs: 30 };
  expect(await connect(silent)).toMatchObject({ ok: false, reason: 'timeout' });
  const connected = await connect(await impostor(greeting(1)));
  if (!connected.ok) throw new Error(connected.message);
  expect(await connected.client.request({ do: 'status' }, 30)).toMatchObject({
    error: { code: 'timeout' },
  });
  connected.client.close();
});

test('a token that is no longer right is reported as such', async () => {
  const fixture = await serve();
  await rm(fixture.tokenPath);
  await writeFile(fixture.tokenPath, 'old');
  const client = await attach(fixture);
  expect(await client.request({ do: 'status' })).toMatchObject({ error: { code: 'unauthorised' } });
});

test('a question whether the session works is answered with its newest row, and is no action', async () => {
  const fixture = await serve();
  const client = await attach(fixture);
  expect(await client.request({ do: 'pulse' })).toMatchObject({ ok: true, data: { seq: 7 } });
  expect(fixture.asked).toEqual([]);
  const refused = (unreadable: string | null) =>
    serve({ pulse: () => Promise.resolve({ ok: false, unreadable }) });
  expect(await (await attach(await refused(null))).request({ do: 'pulse' })).toMatchObject({
    error: { code: 'stopping' },
  });
  expect(await (await attach(await refused('disk I/O error'))).request({ do: 'pulse' })).toEqual({
    id: 1,
    ok: false,
    error: { code: 'not_possible', message: 'disk I/O error' },
  });
});

test('two clients ask and watch at once', async () => {
  const fixture = await serve();
  const [one, two] = [await attach(fixture), await attach(fixture)];
  const replies = await Promise.all([
    one.request({ do: 'status' }),
    one.request({ do: 'pause', args: { now: true } }),
    two.request({ do: 'send', args: { text: 'hello', mode: 'queue' } }),
  ]);
  expect(replies).toMatchObject([
    { id: 1, ok: true, data: { version: 1 } },
    { id: 2, ok: true, data: { message: 'pause noted' } },
    { id: 1, ok: true, data: { message: 'send noted' } },
  ]);
  expect(fixture.server.clients).toBe(2);
});

test('the streams of a subscription end after the newest of each was read', async () => {
  const fixture = await serve();
  const { snapshots, deltas, facts, ended } = (await attach(fixture)).events();
  const first = await snapshots[Symbol.asyncIterator]().next();
  expect(first.value).toEqual(snapshotOf(1));
  fixture.deltas.publish(deltaOf('a'));
  fixture.facts.publish(factOf('b'));
  fixture.snapshots.publish(snapshotOf(2));
  await fixture.server.bye(RESULT);
  expect(await ended).toEqual({ kind: 'bye', result: RESULT });
  const rest: unknown[] = [];
  for (const stream of [snapshots, deltas, facts]) for await (const item of stream) rest.push(item);
  expect(rest).toEqual([snapshotOf(2), deltaOf('a'), factOf('b')]);
});

test('a connection that is lost answers everybody who waits', async () => {
  const fixture = await serve({ act: () => new Promise(() => undefined) });
  const client = await attach(fixture);
  const { ended } = client.events(['bye']);
  const reply = client.request({ do: 'stop' });
  await client.request({ do: 'status' }, 1);
  await fixture.server.close();
  expect(await reply).toMatchObject({ ok: false, error: { code: 'lost' } });
  expect(await ended).toMatchObject({ kind: 'lost' });
  expect(await client.request({ do: 'status' })).toMatchObject({ error: { code: 'lost' } });
});

test('a reader of deltas that falls behind is told so by its own side', async () => {
  const fixture = await serve();
  const client = await attach(fixture);
  const { deltas } = client.events(['delta']);
  await client.request({ do: 'status' });
  for (let n = 0; n < 100; n++) {
    for (let m = 0; m < 10; m++) fixture.deltas.publish(deltaOf(`${n}`));
    await new Promise(setImmediate);
  }
  await fixture.server.bye(null);
  const read: string[] = [];
  for await (const delta of deltas) read.push(delta.type);
  expect(read[0]).toBe('lagged');
  expect(read.length).toBeLessThanOrEqual(260);
});

test('the link of a dashboard passes on what a person does, and what became of it', async () => {
  const results = [
    { ok: true, changed: false, message: 'it was paused already' },
    { ok: false, message: 'nothing to interrupt' },
  ] as const;
  let turn = 0;
  const fixture = await serve({ act: () => Promise.resolve(results[turn++] ?? results[1]) });
  const link = createDashboardLink(await attach(fixture));
  expect(await link.act({ do: 'pause', now: false, until: null })).toEqual(results[0]);
  expect(await link.act({ do: 'interrupt' })).toEqual(results[1]);
  for await (const snapshot of link.snapshots) {
    expect(snapshot.version).toBe(1);
    break;
  }
  link.close();
  expect(await link.ended).toMatchObject({ kind: 'lost' });
});
