/**
 * One long session: the program and the bare loop, each in its own process, read one small file a round at
 * the same model server. They take turns, block by block; between turns the disk is sampled. The program is
 * killed in the middle of its last round, so that its home is what a crash leaves behind.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FsyncProbe } from './disk.js';
import type { Lane, ModelServer, Reply } from './model-server.js';
import { noteOf, runFlags, startNode, startOuro, writeNotes, type Place } from './ouro.js';
import { processFigures, type ProcessFigures } from './process-figures.js';
import { Turns } from './turns.js';

/** Long enough that what a change of turns cools down is warm again for nearly all of it. */
const BLOCK = 50;

/** Of a note: a small file, but not an empty one. */
const NOTE_LINES = 8;

const FSYNCS_A_TURN = 5;

/** A client that has not sent anything for this long will not. */
const STALLED_MS = 60_000;

const BARE_LOOP = fileURLToPath(new URL('floors/bare-loop.mjs', import.meta.url));

/** What was seen of one client at the model server. */
export interface Track {
  /** By round; absent where the round began after a wait for the other client. */
  readonly gaps: ReadonlyMap<number, number>;
  /** Bytes of each request, by round. */
  readonly bytes: ReadonlyMap<number, number>;
  /** Every `BLOCK` rounds, from the first on; nothing where the kernel does not tell. */
  readonly figures: ReadonlyMap<number, ProcessFigures>;
}

export interface FsyncSample {
  /** The round that the program had reached. */
  readonly round: number;
  readonly ms: number;
}

export interface Course {
  readonly rounds: number;
  readonly ouro: Track;
  readonly bare: Track;
  /** Of the same disk, between the turns. */
  readonly fsyncs: readonly FsyncSample[];
  readonly place: Place;
}

interface CourseOptions {
  readonly server: ModelServer;
  readonly place: Place;
  readonly rounds: number;
  readonly say: (text: string) => void;
}

interface Recorder extends Track {
  readonly gaps: Map<number, number>;
  readonly bytes: Map<number, number>;
  readonly figures: Map<number, ProcessFigures>;
  pid: number;
}

const newRecorder = (): Recorder => ({
  gaps: new Map(),
  bytes: new Map(),
  figures: new Map(),
  pid: 0,
});

const readNote = (round: number): Reply => ({ call: 'read_file', args: { path: noteOf(round) } });

export async function runCourse({ server, place, rounds, say }: CourseOptions): Promise<Course> {
  writeNotes(place, rounds, NOTE_LINES);
  const probe = new FsyncProbe(place.folder);
  const fsyncs: FsyncSample[] = [];
  const ouro = newRecorder();
  const bare = newRecorder();
  const turns = new Turns(['ouro', 'bare'], BLOCK, () => {
    for (let i = 0; i < FSYNCS_A_TURN; i += 1) {
      fsyncs.push({ round: ouro.bytes.size, ms: probe.sample() });
    }
  });
  const firstRequest = join(place.folder, 'first-request.json');
  const watch = new StallWatch();

  const lane = (client: 'ouro' | 'bare', recorder: Recorder): Lane => {
    let waited = true;
    return async ({ round, gapMs, bytes }) => {
      watch.touch();
      recorder.bytes.set(round, bytes);
      if (gapMs !== null && !waited) recorder.gaps.set(round - 1, gapMs);
      if (client === 'ouro' && round % 500 === 0) say(`  round ${round} of ${rounds}`);
      if (round >= rounds) {
        turns.leave(client);
        return client === 'ouro' ? null : { text: 'done' };
      }
      if (round % BLOCK === 1) keepFigures(recorder, round);
      waited = await turns.take(client);
      return readNote(round);
    };
  };

  const inOuro = lane('ouro', ouro);
  const bareUrl = server.open('bare', lane('bare', bare));
  const ends: Promise<unknown>[] = [];
  const startBare = (body: Buffer): void => {
    writeFileSync(firstRequest, body);
    const words = [BARE_LOOP, bareUrl, place.workspace, firstRequest];
    const running = startNode(words, { limitMs: null });
    bare.pid = running.child.pid ?? 0;
    watch.add(running.child);
    ends.push(running.ended);
  };
  const ouroUrl = server.open('ouro', (arrival) => {
    // The bare loop begins with the very same request.
    if (arrival.round === 1) startBare(arrival.body);
    if (arrival.round >= rounds) running.child.kill('SIGKILL');
    return inOuro(arrival);
  });
  const words = ['run', '-p', 'Read the notes.', ...runFlags(place, ouroUrl)];
  const running = startOuro(place, words, { limitMs: null });
  ouro.pid = running.child.pid ?? 0;
  watch.add(running.child);
  try {
    await running.ended;
    turns.leave('ouro');
    await Promise.all(ends);
  } finally {
    watch.stop();
    probe.close();
  }
  if (ouro.bytes.size < rounds || bare.bytes.size < rounds) {
    throw new Error(`stopped at round ${ouro.bytes.size} (bare loop: ${bare.bytes.size})`);
  }
  return { rounds, ouro, bare, fsyncs, place };
}

function keepFigures(recorder: Recorder, round: number): void {
  const figures = processFigures(recorder.pid);
  if (figures !== null) recorder.figures.set(round, figures);
}

/** Ends both clients when neither has asked for a long time: one waits for the other, for ever. */
class StallWatch {
  readonly #children: { kill(signal: NodeJS.Signals): boolean }[] = [];
  readonly #timer = setInterval(() => this.#check(), STALLED_MS / 4);
  #last = performance.now();

  add(child: { kill(signal: NodeJS.Signals): boolean }): void {
    this.#children.push(child);
  }

  touch(): void {
    this.#last = performance.now();
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const child of this.#children) child.kill('SIGKILL');
  }

  #check(): void {
    if (performance.now() - this.#last > STALLED_MS) this.stop();
  }
}

/** The samples of the rounds from `from` to `to`. */
export const gapsBetween = ({ gaps }: Track, from: number, to: number): number[] =>
  [...gaps].filter(([round]) => round >= from && round <= to).map(([, ms]) => ms);
