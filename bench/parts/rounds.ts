/** What the harness takes of a round, timed at the model server, at several lengths of the session. */
import { gapsBetween, runCourse, type Course, type Track } from '../course.js';
import { median, metIf, single, summarise, type Row } from '../figures.js';
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

export const rounds: Part = {
  name: 'rounds',
  about: 'harness time per round at rounds 10, 200, 2,000 (10,000 with --long)',
  async run(bench) {
    const early = await earlyRounds(bench);
    const course = await bench.course();
    const fsync = summarise(course.fsyncMs);
    const at = (round: number): Measured => {
      const [from, to] = [round - AROUND, Math.min(round + AROUND, course.rounds - 1)];
      return {
        ouro: gapsBetween(course.ouro, from, to),
        bare: gapsBetween(course.bare, from, to),
      };
    };
    const lengths = [200, 2_000, 10_000].filter((round) => round <= course.rounds);
    return [
      {
        name: 'fsync of 4 KB',
        unit: 'ms',
        floor: null,
        measured: fsync,
        compared: '',
        target: '',
        verdict: { kind: 'no target' },
      },
      roundRow(10, early, course.fsyncMs),
      ...lengths.map((round) => roundRow(round, at(round), course.fsyncMs)),
      ...(course.rounds > 200 ? [flatRow(course.rounds, at(200), at(course.rounds))] : []),
    ];
  },
};

interface Measured {
  readonly ouro: readonly number[];
  readonly bare: readonly number[];
}

async function earlyRounds({ server, extent }: Bench): Promise<Measured> {
  const ouro: number[] = [];
  const bare: number[] = [];
  const early = (track: Track): number[] => gapsBetween(track, EARLY_FROM, EARLY_TO);
  for (let i = 0; i < byExtent({ extent }, { quick: 3, normal: 8, long: 8 }); i += 1) {
    const place = newPlace();
    try {
      const say = (): void => undefined;
      const course = await runCourse({ server, place, rounds: EARLY_ROUNDS, say });
      ouro.push(...early(course.ouro));
      bare.push(...early(course.bare));
    } finally {
      removePlace(place);
    }
  }
  return { ouro, bare };
}

function roundRow(round: number, { ouro, bare }: Measured, fsyncMs: readonly number[]): Row {
  const measured = summarise(ouro);
  const fsync = summarise(fsyncMs);
  const limit = P50_LIMIT_MS + FSYNCS * fsync.p50;
  const highest = P99_LIMIT_MS + FSYNCS * (fsync.p99 ?? fsync.p50);
  const floor = { what: 'bare loop', p50: median(bare) };
  return {
    name: `round ${round.toLocaleString('en')}, harness time`,
    unit: 'ms',
    floor,
    measured,
    compared: `+${(measured.p50 - floor.p50).toFixed(2)} ms`,
    target: `≤ ${P50_LIMIT_MS} ms + 2 fsyncs (${limit.toFixed(1)}); p99 ≤ ${P99_LIMIT_MS} + 2 (${highest.toFixed(1)})`,
    verdict: metIf(measured.p50 <= limit && (measured.p99 ?? 0) <= highest),
  };
}

/** Sending a longer history takes longer for everybody: what counts is what grows beyond the bare loop. */
function flatRow(last: Course['rounds'], first: Measured, then: Measured): Row {
  const own = ({ ouro, bare }: Measured): number => median(ouro) - median(bare);
  const before = own(first);
  const grown = own(then) - before;
  const allowed = FLAT_WITHIN * before;
  return {
    name: `harness share at round ${last.toLocaleString('en')}`,
    unit: 'ms',
    floor: { what: 'share at round 200', p50: before },
    measured: single(own(then)),
    compared: `${grown < 0 ? '' : '+'}${grown.toFixed(2)} ms`,
    target: `flat (≤ +${allowed.toFixed(2)} ms)`,
    verdict: metIf(grown <= allowed),
  };
}
