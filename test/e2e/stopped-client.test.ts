/**
 * Three dashboards and one reader of the socket watch a session that is flooded with output, and one of the
 * dashboards is stopped in the middle of it. The session does not notice; what waits for who does not read
 * is bounded; who goes on reading catches up.
 */
import { readFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import type { ControlEvent } from '../../messages/control.js';
import type { SessionId } from '../../messages/ids.js';
import type { RehearsalServer } from '../../src/rehearsal/server.js';
import { standingSession } from '../../src/cli/liveness.js';
import { tokenPath } from '../../src/store/socket-path.js';
import { finish, start, wholeId } from '../support/e2e/background.js';
import {
  FINISH,
  FINISHED,
  modelServer,
  shell,
  type TurnFile,
} from '../support/e2e/model-server.js';
import { newPlace, processesOf, type Place } from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';
import { hasTmux, Terminal } from '../support/e2e/terminal.js';

/** Few enough to be over, on a busy machine too, before who does not read is dropped. */
const ROUNDS = 4;
const MB = 2 ** 20;
/** A round prints this, and says a text of thousands of deltas. */
const PRINTED_BYTES = 8 * MB;
const TEXT = Array.from({ length: 4_000 }, (_, n) => `word${n}`).join(' ');

const flood: readonly TurnFile[] = [
  { when: { contains: FINISH }, text: FINISHED, times: -1 },
  {
    text: `Round {{round}}. ${TEXT}`,
    calls: [
      shell(`head -c ${PRINTED_BYTES} /dev/zero | tr '\\0' 'x' | fold -w 200; echo {{round}}`),
    ],
    times: -1,
  },
];

/** The window of a local model would be full after a few rounds. */
const ROOMY = { env: { OURO_CONTEXT_WINDOW: '2000000' } };

const residentBytes = (pid: number): number => {
  const found = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  return 1024 * Number(found?.[1]);
};

/** The most memory that the process has while so many further rounds are asked for. */
async function mostMemory(server: RehearsalServer, pid: number): Promise<number> {
  const enough = server.requests.length + ROUNDS;
  let most = 0;
  await eventually(`${ROUNDS} rounds`, () => {
    most = Math.max(most, residentBytes(pid));
    return server.requests.length >= enough;
  });
  return most;
}

/** The process of a dashboard that has just come. */
async function attach(place: Place, id: string): Promise<{ terminal: Terminal; pid: number }> {
  const attached = (): number[] =>
    processesOf(place).flatMap(({ pid, commandLine }) =>
      /^\S*node \S+ attach /.test(commandLine) ? [pid] : [],
    );
  const before = attached();
  const terminal = await Terminal.open(place);
  // A shell with job control would take the terminal back from a process that is stopped.
  terminal.enter('set +m');
  terminal.ouro('attach', id);
  await terminal.shows('Discoveries');
  const pid = attached().find((found) => !before.includes(found));
  if (pid === undefined) throw new Error('there is no process of the dashboard');
  return { terminal, pid };
}

/** The round that a dashboard shows; 0: none. */
const roundOn = ({ screen }: Terminal): number => Number(/\br(\d+)\b/.exec(screen)?.[1] ?? 0);

const shows = (terminal: Terminal, round: number): Promise<boolean> =>
  eventually(`round ${round} on a dashboard`, () => roundOn(terminal) >= round);

/** One that was stopped for longer than 30 s was dropped: then it says so, and how to come back. */
const catchesUp = (terminal: Terminal, round: number): Promise<boolean> =>
  eventually(`round ${round} on the one that was stopped`, () => {
    if (terminal.screen.includes('Lost the session. R resumes it')) terminal.press('R');
    return roundOn(terminal) >= round;
  });

/** Subscribes to everything, and reads nothing until it is told to. */
function subscribe(place: Place, id: string): { pid: number; socket: Socket } {
  const session = standingSession({ home: place.home, now: () => Date.now() }, id as SessionId);
  const [path, pid] = [session?.socket ?? '', session?.pid ?? 0];
  const token = readFileSync(tokenPath(path), 'utf8');
  const socket = createConnection(path);
  socket.write(`${JSON.stringify({ v: 1, token, id: 1, do: 'subscribe' })}\n`);
  socket.pause();
  return { pid, socket };
}

/** What waited for it, up to the first snapshot that shows this round. */
async function readUpTo(socket: Socket, round: number) {
  let [bytes, lagged] = [0, 0];
  for await (const line of createInterface({ input: socket })) {
    bytes += line.length;
    const event = JSON.parse(line) as ControlEvent | { ev?: never };
    if (event.ev === 'lagged') lagged += event.data.dropped;
    if (event.ev === 'snapshot' && (event.data.agents[0]?.round ?? 0) >= round) break;
  }
  socket.destroy();
  return { bytes, lagged };
}

test.skipIf(!hasTmux || process.platform !== 'linux')(
  'a dashboard that is stopped in a flood costs the session nothing, and catches up afterwards',
  { timeout: 120_000 },
  async () => {
    const place = newPlace();
    const server = await modelServer(flood);
    const flags = ['--permission-mode', 'bypass', '--sandbox', 'off'];
    const id = wholeId(place, await start(place, server, flags, ROOMY));
    const [one, two, stopped] = [
      await attach(place, id),
      await attach(place, id),
      await attach(place, id),
    ];
    const { pid, socket } = subscribe(place, id);
    socket.resume();
    const withAll = await mostMemory(server, pid);

    process.kill(stopped.pid, 'SIGSTOP');
    socket.pause();
    const withStopped = await mostMemory(server, pid);
    expect(withStopped / withAll, 'memory beside that of the same flood before').toBeLessThan(1.5);
    const round = server.requests.length;
    for (const { terminal } of [one, two]) await shows(terminal, round);
    expect(roundOn(stopped.terminal), 'on the one that is stopped').toBeLessThan(round);

    const missed = await readUpTo(socket, round);
    expect(missed.lagged, 'events that were dropped for it').toBeGreaterThan(0);
    expect(missed.bytes, 'what waited for it').toBeLessThan(4 * MB);

    process.kill(stopped.pid, 'SIGCONT');
    await catchesUp(stopped.terminal, server.requests.length);
    expect(await finish(place, id)).toBe(0);
    for (const { terminal } of [one, two, stopped]) await terminal.shows('Ended done');
  },
);
