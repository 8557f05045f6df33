/**
 * A session that says and prints much in every round, watched by three clients, one of which stops reading
 * for some of the time. The turns alternate, so that what grows with the session grows for both.
 */
import { createConnection, type Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type ControlClient } from '../src/control/client.js';
import { tokenPath } from '../src/store/socket-path.js';
import {
  newPlace,
  removePlace,
  requireOk,
  runFlags,
  startOuro,
  wideEnvironment,
  type Place,
} from './ouro.js';
import type { Bench } from './part.js';
import { processFigures } from './process-figures.js';
import { newestSession, sessionEnd } from './session-end.js';

const CLIENTS = 3;
const PRINTED_BYTES = 8 * 1024 * 1024;
const WORDS = Array.from({ length: 4_000 }, (_, n) => `word${n} `);
/** What is loaded and compiled once belongs to neither. */
const WARM_ROUNDS = 4;
const POLL_MS = 10;
const PATIENCE_MS = 60_000;

export interface Watched {
  /** From the last byte of an answer to the next request: the command and the harness. */
  readonly roundMs: number[];
  /** The highest that was seen. */
  rssBytes: number;
  /** From a question whether the session works to its answer: no turn of its event loop took longer. */
  readonly pulseMs: number[];
}

export interface FloodFigures {
  readonly reading: Watched;
  readonly stopped: Watched;
}

interface Flood {
  readonly place: Place;
  readonly clients: readonly Socket[];
  readonly id: string;
  readonly pid: number;
  readonly control: ControlClient;
  /** Of every round so far. */
  readonly gaps: readonly number[];
}

/** `turns` of `rounds` rounds each, for each of the two. */
export async function floodedSession(
  { server }: Bench,
  { turns, rounds }: { readonly turns: number; readonly rounds: number },
): Promise<FloodFigures> {
  const place = newPlace();
  const gaps: number[] = [];
  const url = server.open('flood', ({ round, gapMs }) => {
    if (gapMs !== null) gaps.push(gapMs);
    const command = `head -c ${PRINTED_BYTES} /dev/zero | tr '\\0' x | fold -w 200; echo ${round}`;
    return { call: 'shell', args: { command }, words: WORDS };
  });
  try {
    const flood = await begin(place, url, gaps);
    try {
      return await alternate(flood, turns, rounds);
    } finally {
      for (const client of flood.clients) client.destroy();
      flood.control.close();
      await startOuro(place, ['kill', flood.id]).ended;
      await sessionEnd(place);
    }
  } finally {
    removePlace(place);
  }
}

async function begin(place: Place, url: string, gaps: readonly number[]): Promise<Flood> {
  const free = ['--permission-mode', 'bypass', '--sandbox', 'off'];
  const words = ['start', 'Say much.', ...runFlags(place, url), ...free];
  const env = wideEnvironment(place);
  requireOk(await startOuro(place, words, { env, keepOutput: true }).ended, 'ouro start');
  const { id = '', socket = null, pid = null } = newestSession(place) ?? {};
  if (socket === null || pid === null) throw new Error('the session has no control socket');
  const connected = await connect({ socketPath: socket, tokenPath: tokenPath(socket) });
  if (!connected.ok) throw new Error(connected.message);
  return {
    place,
    id,
    pid,
    gaps,
    control: connected.client,
    clients: Array.from({ length: CLIENTS }, () => subscribe(socket)),
  };
}

/** Takes everything there is, and throws it away. */
function subscribe(path: string): Socket {
  const token = readFileSync(tokenPath(path), 'utf8');
  const socket = createConnection(path);
  socket.write(`${JSON.stringify({ v: 1, token, id: 1, do: 'subscribe' })}\n`);
  return socket.resume();
}

async function alternate(flood: Flood, turns: number, rounds: number): Promise<FloodFigures> {
  const figures = { reading: noneYet(), stopped: noneYet() };
  await watch(flood, WARM_ROUNDS, noneYet());
  for (let turn = 0; turn < turns; turn += 1) {
    await watch(flood, rounds, figures.reading);
    flood.clients[0]?.pause();
    await watch(flood, rounds, figures.stopped);
    flood.clients[0]?.resume();
  }
  return figures;
}

const noneYet = (): Watched => ({ roundMs: [], rssBytes: 0, pulseMs: [] });

async function watch({ gaps, pid, control }: Flood, rounds: number, into: Watched): Promise<void> {
  const from = gaps.length;
  const deadline = performance.now() + PATIENCE_MS;
  while (gaps.length < from + rounds) {
    if (performance.now() > deadline) throw new Error('the flooded session does not go on');
    into.rssBytes = Math.max(into.rssBytes, processFigures(pid)?.rssBytes ?? 0);
    const askedAt = performance.now();
    await control.request({ do: 'pulse' });
    into.pulseMs.push(performance.now() - askedAt);
    await sleep(POLL_MS);
  }
  into.roundMs.push(...gaps.slice(from));
}
