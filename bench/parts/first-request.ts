/** From the start of the process to its first model request, seen from the model server. */
import { Oneshot } from '../../messages/channels/oneshot.js';
import { median, ratioRow, summarise, type Row } from '../figures.js';
import { bareNodeMs, newPlace, removePlace, runFlags, startOuro, type Place } from '../ouro.js';
import { byExtent, type Bench, type Part } from '../part.js';
import { sessionEnd } from '../session-end.js';

const WAYS = [
  { words: ['run', '-p'], name: 'first request: ouro run -p', limit: 6 },
  { words: ['start'], name: 'first request: ouro start', limit: 8 },
] as const;

/** A request that has not come by then does not come. */
const PATIENCE_MS = 10_000;

export const firstRequest: Part = {
  name: 'first-request',
  about: 'time to the first model request of ouro run -p and ouro start',
  async run(bench): Promise<Row[]> {
    const samples = byExtent(bench, { quick: 5, normal: 12, long: 30 });
    const places = WAYS.map(() => newPlace());
    const node: number[] = [];
    const taken = WAYS.map((): number[] => []);
    try {
      for (let i = 0; i < samples; i += 1) {
        node.push(await bareNodeMs());
        for (const [w, { words }] of WAYS.entries()) {
          const place = places[w];
          if (place !== undefined) taken[w]?.push(await timeToRequest(bench, place, words));
        }
      }
    } finally {
      places.forEach(removePlace);
    }
    const floor = { what: 'node -e 0', p50: median(node) };
    return WAYS.map(({ name, limit }, w) =>
      ratioRow({ name, unit: 'ms', floor, measured: summarise(taken[w] ?? []), limit }),
    );
  },
};

/** The request is answered with words, so that the session ends; its process is gone when this returns. */
async function timeToRequest(
  { server }: Bench,
  place: Place,
  words: readonly string[],
): Promise<number> {
  const arrived = new Oneshot<number>();
  const url = server.open('first', ({ at }) => {
    arrived.settle(at);
    return { text: 'Done.' };
  });
  const running = startOuro(place, [...words, 'Say done.', ...runFlags(place, url)]);
  const gaveUp = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no request came')), PATIENCE_MS).unref();
  });
  const at = await Promise.race([arrived.answer, gaveUp]);
  await running.ended;
  await sessionEnd(place);
  return at - running.startedAt;
}
