/** What a round writes to disk, against what it adds to the conversation. */
import type { Place } from '../ouro.js';
import { metIf, notMeasured, single, type Row } from '../figures.js';
import {
  newPlace,
  noteOf,
  removePlace,
  runFlags,
  startOuro,
  wideEnvironment,
  writeNotes,
} from '../ouro.js';
import { byExtent, type Bench, type Part } from '../part.js';
import { HAS_PROC, NO_PROC, processFigures } from '../process-figures.js';

const LIMIT = 3;

/** What is written once, at the start, is not counted. */
const FROM = 10;

const SIZES = [
  { lines: 8, name: 'written a round, small file' },
  { lines: 800, name: 'written a round, 20 KB file' },
] as const;

export const disk: Part = {
  name: 'disk',
  about: 'bytes written to disk per round against the payload',
  async run(bench): Promise<Row[]> {
    if (!HAS_PROC) return SIZES.map(({ name }) => notMeasured(name, `≤ ${LIMIT} ×`, NO_PROC));
    const rows: Row[] = [];
    for (const { lines, name } of SIZES) rows.push(await writtenRow(bench, name, lines));
    return rows;
  },
};

async function writtenRow(bench: Bench, name: string, lines: number): Promise<Row> {
  const place = newPlace();
  try {
    const rounds = byExtent(bench, { quick: 60, normal: 200, long: 400 });
    writeNotes(place, rounds, lines);
    const { payload, written } = await countBytes(bench, place, rounds);
    return {
      name,
      unit: 'B',
      floor: { what: 'payload', p50: payload },
      measured: single(written),
      compared: `${(written / payload).toFixed(1)} ×`,
      target: `≤ ${LIMIT} ×`,
      verdict: metIf(written <= LIMIT * payload),
    };
  } finally {
    removePlace(place);
  }
}

/** The payload is what a request is longer than the one before it: the call and its result, as JSON. */
async function countBytes(
  { server }: Bench,
  place: Place,
  rounds: number,
): Promise<{ payload: number; written: number }> {
  const seen = new Map<number, { bytes: number; written: number }>();
  const url = server.open('disk', ({ round, bytes }) => {
    const written = processFigures(running.child.pid ?? 0)?.writtenBytes;
    if (written !== undefined) seen.set(round, { bytes, written });
    if (round >= rounds) return { text: 'Done.' };
    return { call: 'read_file', args: { path: noteOf(round) } };
  });
  const words = ['run', '-p', 'Read the notes.', ...runFlags(place, url)];
  const running = startOuro(place, words, { env: wideEnvironment(place) });
  await running.ended;
  const [first, last] = [seen.get(FROM), seen.get(rounds)];
  if (first === undefined || last === undefined) throw new Error(`only ${seen.size} rounds ran`);
  const perRound = (from: number, to: number): number => (to - from) / (rounds - FROM);
  return {
    payload: perRound(first.bytes, last.bytes),
    written: perRound(first.written, last.written),
  };
}
