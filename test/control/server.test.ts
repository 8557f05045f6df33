import { once } from 'node:events';
import { chmod, link, lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ActionResult } from '../../messages/actions.js';
import { MAX_LINE_BYTES, SERVED_VERBS } from '../../messages/control.js';
import {
  attach,
  eventually,
  RawClient,
  RESULT,
  serve,
  SESSION,
  snapshotOf,
  temporaryFolder,
} from './control-fixture.js';

const modeOf = async (path: string): Promise<number> => (await lstat(path)).mode & 0o777;

test('the socket and the token are for their owner alone, and gone after the end', async () => {
  const folder = join(await temporaryFolder(), 'run');
  const fixture = await serve({
    socketPath: join(folder, 's.sock'),
    tokenPath: join(folder, 's.token'),
  });
  expect(await modeOf(folder)).toBe(0o700);
  expect(await modeOf(fixture.socketPath)).toBe(0o600);
  expect(await modeOf(fixture.tokenPath)).toBe(0o600);
  expect(await readFile(fixture.tokenPath, 'utf8')).toMatch(/^[0-9a-f]{64}$/);
  await fixture.server.close();
  await expect(lstat(fixture.socketPath)).rejects.toThrow('ENOENT');
  await expect(lstat(fixture.tokenPath)).rejects.toThrow('ENOENT');
});

test('a folder that others can enter, or that is a link, is refused with what to do', async () => {
  const folder = await temporaryFolder();
  const real = join(folder, 'real');
  await mkdir(real, { mode: 0o700 });
  await symlink(real, join(folder, 'link'));
  const at = (name: string): Promise<unknown> =>
    serve({ socketPath: join(folder, name, 's.sock'), tokenPath: join(folder, name, 's.token') });
  await expect(at('link')).rejects.toThrow(/must be a folder/);
  await chmod(real, 0o750);
  await expect(at('real')).rejects.toThrow(/chmod 700/);
});

test('a socket left behind is replaced, a living one and other files are not', async () => {
  const folder = await temporaryFolder();
  const socketPath = join(folder, 's.sock');
  const tokenPath = join(folder, 's.token');
  await writeFile(socketPath, 'notes');
  await expect(serve({ socketPath, tokenPath })).rejects.toThrow(/not a socket/);
  expect(await readFile(socketPath, 'utf8')).toBe('notes');

  const stale = join(folder, 'stale.sock');
  // Closing a listener removes its path, so the one left behind is under a second name.
  const dead = createServer().listen(join(folder, 'dead.sock'));
  await once(dead, 'listening');
  await link(join(folder, 'dead.sock'), stale);
  await new Promise((resolve) => dead.close(resolve));
  const fixture = await serve({ socketPath: stale, tokenPath });
  await expect(serve({ socketPath: stale, tokenPath })).rejects.toThrow(/another process listens/);
  expect((await attach(fixture)).hello.session).toBe(SESSION);
});

test('a path that systems would cut is refused', async () => {
  const folder = join(await temporaryFolder(), 'x'.repeat(100));
  await expect(serve({ socketPath: join(folder, 's.sock') })).rejects.toThrow(/shorter OURO_HOME/);
});

test('the server greets first and names the verbs it serves', async () => {
  const fixture = await serve();
  const socket = createConnection(fixture.socketPath);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(JSON.parse(chunk.toString())).toEqual({
    v: 1,
    session: SESSION,
    version: '0.1.0',
    pid: process.pid,
    capabilities: SERVED_VERBS,
  });
});

test('a wrong token is refused, nothing is done, and the connection ends', async () => {
  const fixture = await serve();
  const client = await RawClient.open(fixture);
  client.send({ token: '0'.repeat(64), do: 'stop' });
  expect(await client.next()).toMatchObject({ id: 1, ok: false, error: { code: 'unauthorised' } });
  expect(await client.next()).toBeUndefined();
  expect(fixture.asked).toEqual([]);
});

test('a request that comes byte by byte, with characters of several bytes, is understood', async () => {
  const fixture = await serve();
  const client = await RawClient.open(fixture);
  for (const byte of Buffer.from(client.line({ do: 'send', args: { text: 'ü漢🙂' } }))) {
    client.socket.write(Buffer.of(byte));
    await new Promise(setImmediate);
  }
  expect(await client.next()).toMatchObject({ id: 1, ok: true, data: { changed: true } });
  expect(fixture.asked).toEqual([{ do: 'send', text: 'ü漢🙂', mode: 'steer' }]);
});

test('a wrong request is refused by name, and the connection goes on', async () => {
  const client = await RawClient.open(await serve());
  client.socket.write('{"v":1,\n');
  expect(await client.next()).toMatchObject({ id: 0, error: { code: 'bad_request' } });
  client.send({ id: 2, do: 'dance' });
  expect(await client.next()).toMatchObject({ id: 2, error: { code: 'unknown_verb' } });
  client.send({ id: 3, do: 'status' });
  expect(await client.next()).toEqual({ id: 3, ok: true, data: snapshotOf(1) });
});

test('a line over 1 MB closes the connection, after the requests before it', async () => {
  const client = await RawClient.open(await serve());
  client.socket.write(client.line({ id: 5, do: 'pause' }));
  client.socket.write('x'.repeat(MAX_LINE_BYTES + 1));
  expect(await client.next()).toMatchObject({ id: 5, ok: true });
  expect(await client.next()).toMatchObject({ id: 0, error: { code: 'bad_request' } });
  expect(await client.next()).toBeUndefined();
});

test('requests of one client are done and answered in order, those of another do not wait', async () => {
  const waiting: ((result: ActionResult) => void)[] = [];
  const fixture = await serve({ act: () => new Promise((resolve) => waiting.push(resolve)) });
  const [first, second] = [await RawClient.open(fixture), await RawClient.open(fixture)];
  first.send({ id: 1, do: 'pause' });
  await eventually(() => waiting.length === 1);
  first.send({ id: 2, do: 'status' });
  second.send({ id: 1, do: 'status' });
  expect(await second.next()).toMatchObject({ id: 1, ok: true });
  waiting[0]?.({ ok: false, message: 'it has ended: ouro resume' });
  expect(await first.next()).toEqual({
    id: 1,
    ok: false,
    error: { code: 'not_possible', message: 'it has ended: ouro resume' },
  });
  expect(await first.next()).toMatchObject({ id: 2, ok: true });
});

test('who closes its own side after asking still gets the answer', async () => {
  const client = await RawClient.open(await serve());
  client.socket.end(client.line({ do: 'status' }));
  expect(await client.next()).toMatchObject({ id: 1, ok: true });
  expect(await client.next()).toBeUndefined();
});

test('everybody is told bye, with the reply and the events that were under way before it', async () => {
  const waiting: ((result: ActionResult) => void)[] = [];
  const fixture = await serve({ act: () => new Promise((resolve) => waiting.push(resolve)) });
  const [asker, watcher] = [await RawClient.open(fixture), await RawClient.open(fixture)];
  watcher.send({ do: 'subscribe' });
  await watcher.until((line) => line['ev'] === 'snapshot');
  asker.socket.write(asker.line({ do: 'stop' }) + asker.line({ id: 2, do: 'resume' }));
  await eventually(() => waiting.length === 1);
  fixture.snapshots.publish(snapshotOf(2, { state: 'done' }));
  const bye = fixture.server.bye(RESULT);
  waiting[0]?.({ ok: true, changed: true, message: 'stopping' });

  expect(await asker.next()).toMatchObject({ id: 1, ok: true });
  expect(await asker.next()).toMatchObject({ id: 2, error: { code: 'stopping' } });
  expect(await asker.next()).toEqual({ ev: 'bye', data: { result: RESULT } });
  const last = await watcher.until((line) => line['ev'] === 'bye');
  expect(last).toMatchObject([{ ev: 'snapshot', data: { state: 'done' } }, { ev: 'bye' }]);
  await bye;
  expect(fixture.server.clients).toBe(0);
});

test('a client that does not close cannot hold up the end', async () => {
  const fixture = await serve({ act: () => new Promise(() => undefined) });
  const client = await RawClient.open(fixture);
  client.send({ do: 'stop' });
  client.socket.pause();
  await fixture.server.bye(null);
  expect(fixture.server.clients).toBe(0);
  client.socket.resume();
  expect(await client.next()).toEqual({ ev: 'bye', data: { result: null } });
});
