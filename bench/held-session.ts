/** A session in the background that a person has paused after its first round: what it costs to leave it there. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Oneshot } from '../messages/channels/oneshot.js';
import { connect, type ControlClient } from '../src/control/client.js';
import { tokenPath } from '../src/store/socket-path.js';
import { summarise, type Summary } from './figures.js';
import {
  newPlace,
  noteOf,
  removePlace,
  requireOk,
  runFlags,
  startOuro,
  writeNotes,
  type Place,
} from './ouro.js';
import type { Bench } from './part.js';
import { newestSession } from './session-end.js';
import { fineCpuNs, processFigures } from './process-figures.js';

const PATIENCE_MS = 10_000;
const POLL_MS = 20;

export interface HeldFigures {
  readonly rssBytes: number;
  readonly cpuPercent: number;
  readonly attach: Summary;
  readonly clients: number;
  readonly rssBeforeClients: number;
  readonly rssAfterClients: number;
}

interface HeldOptions {
  /** Between the hold and the first figure. */
  readonly settleMs: number;
  readonly idleMs: number;
  /** Clients before those that count: the heap grows with the first few thousand, and then no more. */
  readonly warmClients: number;
  readonly clients: number;
}

export async function heldSession(bench: Bench, options: HeldOptions): Promise<HeldFigures> {
  const place = newPlace();
  writeNotes(place, 2, 8);
  try {
    const control = await pausedSession(bench, place);
    try {
      return await measure(control, options);
    } finally {
      control.client.close();
      await stop(control);
    }
  } finally {
    removePlace(place);
  }
}

interface Control {
  readonly socketPath: string;
  readonly client: ControlClient;
}

/** The pause is asked for while the second request is open, and takes hold once its call has run. */
async function pausedSession({ server }: Bench, place: Place): Promise<Control> {
  const asked = new Oneshot<void>();
  const released = new Oneshot<void>();
  const url = server.open('held', async ({ round }) => {
    if (round === 2) {
      asked.settle();
      await released.answer;
    }
    return { call: 'read_file', args: { path: noteOf(Math.min(round, 2)) } };
  });
  const words = ['start', 'Read the notes.', ...runFlags(place, url)];
  requireOk(await startOuro(place, words, { keepOutput: true }).ended, 'ouro start');
  await Promise.race([asked.answer, late('its second request')]);
  const control = await connected(place);
  await control.client.request({ do: 'pause' });
  released.settle();
  await until(async () => {
    const reply = await control.client.request({ do: 'status' });
    return reply.ok && reply.data !== null && 'state' in reply.data && reply.data.state === 'held';
  });
  return control;
}

async function connected(place: Place): Promise<Control> {
  const socketPath = newestSession(place)?.socket ?? null;
  if (socketPath === null) throw new Error('the session has no control socket');
  return { socketPath, client: await clientOf(socketPath) };
}

async function clientOf(socketPath: string): Promise<ControlClient> {
  const found = await connect({ socketPath, tokenPath: tokenPath(socketPath) });
  if (!found.ok) throw new Error(found.message);
  return found.client;
}

async function measure(
  { client, socketPath }: Control,
  { settleMs, idleMs, warmClients, clients }: HeldOptions,
): Promise<HeldFigures> {
  const { pid } = client.hello;
  await sleep(settleMs);
  const before = fineCpuNs(pid);
  const since = performance.now();
  await sleep(idleMs);
  const after = fineCpuNs(pid);
  if (before === null || after === null) throw new Error('the kernel keeps no schedstat');
  const cpuPercent = (after - before) / 1e4 / (performance.now() - since);
  const rss = (): number => processFigures(pid)?.rssBytes ?? 0;
  const rssBytes = rss();
  for (let i = 0; i < warmClients; i += 1) await attachOnce(socketPath);
  const rssBeforeClients = rss();
  const taken: number[] = [];
  for (let i = 0; i < clients; i += 1) taken.push(await attachOnce(socketPath));
  return {
    rssBytes,
    cpuPercent,
    attach: summarise(taken),
    clients,
    rssBeforeClients,
    rssAfterClients: rss(),
  };
}

/** Connects, subscribes to everything, takes the first snapshot and leaves. */
async function attachOnce(socketPath: string): Promise<number> {
  const start = performance.now();
  const client = await clientOf(socketPath);
  for await (const snapshot of client.events().snapshots) {
    if (snapshot.version >= 0) break;
  }
  const ms = performance.now() - start;
  client.close();
  return ms;
}

async function stop({ client, socketPath }: Control): Promise<void> {
  const { pid } = client.hello;
  const another = await clientOf(socketPath);
  await another.request({ do: 'stop' });
  another.close();
  await until(() => Promise.resolve(processFigures(pid) === null));
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('the session did not get there in time');
    await sleep(POLL_MS);
  }
}

async function late(what: string): Promise<never> {
  await sleep(PATIENCE_MS, undefined, { ref: false });
  throw new Error(`${what} did not come`);
}
