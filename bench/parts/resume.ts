/** A long session comes back after a crash: from the command to the daemon's word that it is ready. */
import { cpSync } from 'node:fs';
import { Oneshot } from '../../messages/channels/oneshot.js';
import { difference, median, metIf, summarise, type Row } from '../figures.js';
import { newPlace, removePlace, requireOk, runFlags, startOuro, type Place } from '../ouro.js';
import { byExtent, type Bench, type Part } from '../part.js';
import { newestSession, sessionEnd } from '../session-end.js';

const LIMIT_MS = 1_000;

export const resume: Part = {
  name: 'resume',
  about: 'ouro resume of the long session to ready, against ouro start',
  async run(bench): Promise<Row[]> {
    const course = await bench.course();
    const fresh: number[] = [];
    const taken: number[] = [];
    for (let i = 0; i < byExtent(bench, { quick: 3, normal: 5, long: 5 }); i += 1) {
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
        compared: difference(measured.p50, floor.p50, 'ms', 0),
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
  cpSync(course.home, home, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  const place = { ...course, home };
  const { asked } = answering(server, 'ouro');
  try {
    const id = newestSession(place)?.id;
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
  const asked = new Oneshot<void>();
  const url = server.open(lane, () => {
    asked.settle();
    return { text: 'Done.' };
  });
  return { url, asked: asked.answer };
}
