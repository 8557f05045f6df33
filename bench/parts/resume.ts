/** A long session comes back after a crash: from the command to the daemon's word that it is ready. */
import { cpSync } from 'node:fs';
import { openIndex } from '../../src/store/index-store.js';
import { median, metIf, summarise, type Row } from '../figures.js';
import { newPlace, removePlace, requireOk, runFlags, startOuro, type Place } from '../ouro.js';
import { byExtent, type Bench, type Part } from '../part.js';

const LIMIT_MS = 1_000;

export const resume: Part = {
  name: 'resume',
  about: 'ouro resume of the long session to ready, against ouro start',
  async run(bench): Promise<Row[]> {
    const course = await bench.course();
    const fresh: number[] = [];
    const taken: number[] = [];
    for (let i = 0; i < byExtent(bench, { quick: 3, normal: 7, long: 7 }); i += 1) {
      fresh.push(await startFresh(bench));
      taken.push(await resumeCopy(bench, course.place));
    }
    const measured = summarise(taken);
    const floor = { what: 'ouro start', p50: median(fresh) };
    return [
      {
        name: `resume of ${course.rounds.toLocaleString('en')} rounds, to ready`,
        unit: 'ms',
        floor,
        measured,
        compared: `+${(measured.p50 - floor.p50).toFixed(0)} ms`,
        target: `≤ ${LIMIT_MS} ms at 10,000`,
        verdict: metIf(measured.p50 <= LIMIT_MS),
      },
    ];
  },
};

async function startFresh({ server }: Bench): Promise<number> {
  const place = newPlace();
  const { url, asked } = answering(server, 'fresh');
  try {
    const words = ['start', 'Say done.', ...runFlags(place, url)];
    const ended = await startOuro(place, words, { keepOutput: true }).ended;
    requireOk(ended, 'ouro start');
    await asked;
    await sessionEnd(place);
    return ended.ms;
  } finally {
    removePlace(place);
  }
}

/** Each time from a copy of the home as the crash left it. */
async function resumeCopy({ server }: Bench, course: Place): Promise<number> {
  const home = `${course.home}-again`;
  cpSync(course.home, home, { recursive: true });
  const place = { ...course, home };
  const { asked } = answering(server, 'ouro');
  try {
    const id = newest(place)?.id;
    if (id === undefined) throw new Error('the session is not in the index');
    const ended = await startOuro(place, ['resume', id], { keepOutput: true }).ended;
    requireOk(ended, 'ouro resume');
    await asked;
    await sessionEnd(place);
    return ended.ms;
  } finally {
    removePlace({ ...place, folder: home });
  }
}

/** Answers with words, so that the session ends by itself. */
function answering(server: Bench['server'], lane: string): { url: string; asked: Promise<void> } {
  let arrived: () => void;
  const asked = new Promise<void>((resolve) => (arrived = resolve));
  const url = server.open(lane, () => {
    arrived();
    return { text: 'Done.' };
  });
  return { url, asked };
}

function newest({ home }: Place) {
  const index = openIndex({ home, time: { now: () => Date.now() } });
  try {
    return index.list({ all: true })[0];
  } finally {
    index.close();
  }
}

const END_MS = 5_000;
const POLL_MS = 20;

/** Its files may be taken away only once it has closed them. */
async function sessionEnd(place: Place): Promise<void> {
  const deadline = performance.now() + END_MS;
  const alive = (): boolean => {
    const pid = newest(place)?.pid;
    if (pid == null) return false;
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  while (alive() && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
