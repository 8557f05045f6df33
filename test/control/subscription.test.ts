import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import {
  attach,
  deltaOf,
  eventually,
  factOf,
  logOf,
  RawClient,
  serve,
  snapshotOf,
} from './control-fixture.js';
import type { ServerLine } from './control-fixture.js';

const isVersion = (version: number) => (line: ServerLine) =>
  line['ev'] === 'snapshot' && (line['data'] as { version: number }).version === version;

const isFact = (text: string) => (line: ServerLine) =>
  line['ev'] === 'fact' && (line['data'] as { text: string }).text === text;

test('a subscriber is sent a snapshot first, then what happens, in order', async () => {
  const fixture = await serve();
  const client = await RawClient.open(fixture);
  client.send({ do: 'subscribe' });
  expect(await client.next()).toEqual({ id: 1, ok: true, data: null });
  expect(await client.next()).toEqual({ ev: 'snapshot', data: snapshotOf(1) });
  for (let n = 0; n < 50; n++) {
    fixture.deltas.publish(deltaOf(`delta ${n}`));
    fixture.facts.publish(factOf(`fact ${n}`));
  }
  const lines = await client.until(isFact('fact 49'));
  expect(lines.map((line) => (line['data'] as { text: string }).text)).toEqual(
    Array.from({ length: 100 }, (_, n) => (n % 2 ? `fact ${(n - 1) / 2}` : `delta ${n / 2}`)),
  );
});

test('a subscriber gets only the kinds it asked for, and cannot subscribe twice', async () => {
  const fixture = await serve();
  const client = await RawClient.open(fixture);
  client.send({ do: 'subscribe', args: { events: ['fact'] } });
  client.send({ id: 2, do: 'subscribe' });
  expect(await client.next()).toMatchObject({ id: 1, ok: true });
  expect(await client.next()).toMatchObject({ id: 2, error: { code: 'not_possible' } });
  fixture.snapshots.publish(snapshotOf(2));
  fixture.deltas.publish(deltaOf('unwanted'));
  fixture.facts.publish(factOf('wanted'));
  expect(await client.next()).toMatchObject({ ev: 'fact', data: { text: 'wanted' } });
});

test('many snapshots in a row are few on the wire, and the last of them arrives', async () => {
  const fixture = await serve();
  const client = await RawClient.open(fixture);
  client.send({ do: 'subscribe' });
  for (let version = 2; version <= 2_000; version++) {
    fixture.snapshots.publish(snapshotOf(version));
    await new Promise(setImmediate);
  }
  const lines = await client.until(isVersion(2_000));
  expect(lines.length).toBeLessThan(500);
});

test('who falls behind is told how much was lost, then sent a snapshot, new or not', async () => {
  const fixture = await serve();
  const client = await RawClient.open(fixture);
  client.send({ do: 'subscribe' });
  await client.until(isVersion(1));
  for (let n = 1; n <= 10_000; n++) fixture.facts.publish(factOf(`${n}`));
  const lines = await client.until(isFact('10000'));
  const dropped = lines
    .filter((line) => line['ev'] === 'lagged')
    .reduce((sum, line) => sum + (line['data'] as { dropped: number }).dropped, 0);
  const facts = lines.filter((line) => line['ev'] === 'fact');
  expect(dropped + facts.length).toBe(10_000);
  expect(facts.length).toBeLessThan(1_000);
  if (!lines.some(isVersion(1))) await client.until(isVersion(1));
});

test('of an answer that comes faster than it is read, what was lost is told once, and then all of it so far', async () => {
  const fixture = await serve();
  const client = await RawClient.open(fixture);
  client.send({ do: 'subscribe', args: { events: ['delta', 'lagged'] } });
  await client.next();
  const pieces = Array.from({ length: 2_000 }, (_, n) => `${n} `);
  for (const text of pieces) fixture.deltas.publish(deltaOf(text));
  await new Promise((resolve) => setTimeout(resolve, 100));
  fixture.deltas.publish(deltaOf('end'));
  const lines = await client.until(
    ({ data }) => (data as { text?: string } | undefined)?.text === 'end',
  );
  const dropped = lines.flatMap(({ ev, data }) =>
    ev === 'lagged' ? [(data as { dropped: number }).dropped] : [],
  );
  expect(dropped).toEqual([2_000]);
  const heard = lines.flatMap(({ ev, data }) =>
    ev === 'delta' ? [(data as { text: string }).text] : [],
  );
  expect(heard).toEqual([pieces.join(''), 'end']);
});

test('an event that is too long for a line is counted as lost', async () => {
  const fixture = await serve();
  const client = await RawClient.open(fixture);
  client.send({ do: 'subscribe', args: { events: ['fact', 'lagged'] } });
  await client.next();
  fixture.facts.publish(factOf('x'.repeat(2 ** 20)));
  fixture.facts.publish(factOf('short'));
  expect(await client.next()).toEqual({ ev: 'lagged', data: { dropped: 1 } });
  expect(await client.next()).toMatchObject({ ev: 'fact', data: { text: 'short' } });
});

test('a reader that stands still holds little memory and slows nobody, and catches up', async () => {
  const fixture = await serve();
  const [slow, brisk] = [await RawClient.open(fixture), await RawClient.open(fixture)];
  for (const client of [slow, brisk]) {
    client.send({ do: 'subscribe' });
    await client.until(isVersion(1));
  }
  slow.socket.pause();
  const log = Array.from({ length: 100 }, (_, n) => logOf(n, 'y'.repeat(1_000)));
  for (let version = 2; version <= 300; version++) {
    for (let n = 0; n < 200; n++) fixture.facts.publish(factOf(`${version} ${'z'.repeat(200)}`));
    fixture.facts.publish(factOf(`end of ${version}`));
    fixture.snapshots.publish(snapshotOf(version, { log }));
    await brisk.until(isFact(`end of ${version}`));
  }
  await brisk.until(isVersion(300));
  const before = slow.bytes;
  slow.socket.resume();
  const lines = await slow.until(isVersion(300));
  expect(lines.some((line) => line['ev'] === 'lagged')).toBe(true);
  // What was published is over 15 MB; what waited for this reader is the queue and one snapshot or two.
  expect(slow.bytes - before).toBeLessThan(2 * 2 ** 20);
});

test('a client that takes nothing for too long is dropped; the others stay', async () => {
  const fixture = await serve({ stallMs: 100 });
  const [stalled, other] = [await RawClient.open(fixture), await attach(fixture)];
  stalled.send({ do: 'subscribe' });
  await stalled.until(isVersion(1));
  stalled.socket.pause();
  const log = Array.from({ length: 300 }, (_, n) => logOf(n, 'y'.repeat(3_000)));
  for (let version = 2; fixture.server.clients === 2; version++) {
    fixture.snapshots.publish(snapshotOf(version, { log }));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(await other.request({ do: 'status' })).toMatchObject({ ok: true });
});

test('a client that only asks and never reads is dropped at its limit', async () => {
  const log = Array.from({ length: 300 }, (_, n) => logOf(n, 'y'.repeat(3_000)));
  const fixture = await serve();
  fixture.snapshots.publish(snapshotOf(2, { log }));
  const client = await RawClient.open(fixture);
  client.socket.pause();
  client.socket.write(client.line({ do: 'status' }).repeat(20));
  await eventually(() => fixture.server.clients === 0);
});

test('a thousand clients that came and went leave nothing behind', async () => {
  const fixture = await serve();
  const token = await readFile(fixture.tokenPath, 'utf8');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const subscribe = `${JSON.stringify({ v: 1, token, id: 1, do: 'subscribe' })}\n`;
  const log = Array.from({ length: 100 }, (_, n) => logOf(n, 'y'.repeat(100)));
  const visit = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      const socket = createConnection(fixture.socketPath);
      socket.write(subscribe);
      await once(socket, 'data');
      fixture.snapshots.publish(snapshotOf(n + 2, { log }));
      fixture.facts.publish(factOf(`visitor ${n}`));
      socket.destroy();
      await once(socket, 'close');
    }
    await eventually(() => fixture.server.clients === 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    collect();
  };
  await visit(200);
  const [resources, heap] = [
    process.getActiveResourcesInfo().sort(),
    process.memoryUsage().heapUsed,
  ];
  await visit(1_000);
  expect(process.getActiveResourcesInfo().sort()).toEqual(resources);
  // Less than one kilobyte a visitor; a connection that stayed would hold many times that.
  expect(process.memoryUsage().heapUsed - heap).toBeLessThan(1_000 * 1_024);
});
