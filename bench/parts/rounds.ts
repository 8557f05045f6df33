/**
 * What the harness takes of a round, timed at the model server, at several lengths of the session. The disk
 * is another one from minute to minute, so every figure is held against the fsyncs of its own rounds.
 */
import { gapsBetween, runCourse, type Course } from '../course.js';
import { difference, median, metIf, single, summarise, type Row } from '../figures.js';
import { newPlace, removePlace } from '../ouro.js';
import { byExtent, type Bench, type Part } from '../part.js';

const P50_LIMIT_MS = 3;
const P99_LIMIT_MS = 15;

/** A round's own way to the disk: the intent of the request, and that of the call. */
const FSYNCS = 2;

/** Short sessions from which the rounds around the 10th come; one alone has too few of them. */
const EARLY_ROUNDS = 20;
const EARLY_FROM = 6;
const EARLY_TO = 15;

const AROUND = 50;

/** The own share may grow by this part of what it is at round 200 before it counts as growing. */
const FLAT_WITHIN = 0.25;

/** What was seen around one round. */
interface Window {
  readonly ouro: readonly number[];
  readonly bare: readonly number[];
  readonly fsyncs: readonly number[];
}

export const rounds: Part = {
  name: 'rounds',
  about: 'harness time per round at rounds 10, 200, 2,000 (10,000 with --long)',
  async run(bench): Promise<Row[]> {
    const early = await earlyRounds(bench);
    const course = await bench.course();
    const lengths = [200, 2_000, 10_000].filter((round) => round <= course.rounds);
    return [
      fsyncRow(course),
      roundRow(10, early),
      ...lengths.map((round) => roundRow(round, windowAt(course, round))),
      ...(lengths.length > 1 ? [shareRow(course)] : []),
    ];
  },
};

async function earlyRounds({ server, extent }: Bench): Promise<Window> {
  const windows: Window[] = [];
  for (let i = 0; i < byExtent({ extent }, { quick: 3, normal: 8, long: 8 }); i += 1) {
    const place = newPlace();
    try {
      const say = (): void => undefined;
      const course = await runCourse({ server, place, rounds: EARLY_ROUNDS, say });
      windows.push(windowOf(course, EARLY_FROM, EARLY_TO, course.fsyncs));
    } finally {
      removePlace(place);
    }
  }
  return {
    ouro: windows.flatMap(({ ouro }) => ouro),
    bare: windows.flatMap(({ bare }) => bare),
    fsyncs: windows.flatMap(({ fsyncs }) => fsyncs),
  };
}

function windowAt(course: Course, round: number): Window {
  const [from, to] = [round - AROUND, round + AROUND];
  const near = course.fsyncs.filter((sample) => sample.round >= from && sample.round <= to);
  return windowOf(course, from, to, near);
}

const windowOf = (
  { ouro, bare }: Course,
  from: number,
  to: number,
  fsyncs: Course['fsyncs'],
): Window => ({
  ouro: gapsBetween(ouro, from, to),
  bare: gapsBetween(bare, from, to),
  fsyncs: fsyncs.map(({ ms }) => ms),
});

const fsyncRow = ({ fsyncs }: Course): Row => ({
  name: 'fsync of 4 KB',
  unit: 'ms',
  floor: null,
  measured: summarise(fsyncs.map(({ ms }) => ms)),
  compared: '',
  target: '',
  verdict: { kind: 'no target' },
});

function roundRow(round: number, { ouro, bare, fsyncs }: Window): Row {
  const measured = summarise(ouro);
  const fsync = summarise(fsyncs);
  const limit = P50_LIMIT_MS + FSYNCS * fsync.p50;
  // Of the median here too: the slowest of a few hundred writes says more of the disk than of us.
  const highest = P99_LIMIT_MS + FSYNCS * fsync.p50;
  const floor = { what: 'bare loop', p50: median(bare) };
  return {
    name: `round ${round.toLocaleString('en')}, harness time`,
    unit: 'ms',
    floor,
    measured,
    compared: difference(measured.p50, floor.p50, 'ms', 2),
    target: `≤ 3 ms + 2 fsyncs = ${limit.toFixed(1)}; p99 ≤ ${highest.toFixed(1)}`,
    verdict: metIf(measured.p50 <= limit && (measured.p99 ?? 0) <= highest),
  };
}

/** Sending a longer history takes longer for everybody: what counts is what grows beyond the bare loop. */
function shareRow(course: Course): Row {
  const shareAt = (round: number): number => {
    const { ouro, bare, fsyncs } = windowAt(course, round);
    return median(ouro) - median(bare) - FSYNCS * median(fsyncs);
  };
  const [before, then] = [shareAt(200), shareAt(course.rounds)];
  const allowed = FLAT_WITHIN * before;
  return {
    name: `own share, round ${course.rounds.toLocaleString('en')}`,
    unit: 'ms',
    floor: { what: 'round 200', p50: before },
    measured: single(then),
    compared: difference(then, before, 'ms', 2),
    target: `flat (≤ +${allowed.toFixed(2)} ms)`,
    verdict: metIf(then - before <= allowed),
  };
}
