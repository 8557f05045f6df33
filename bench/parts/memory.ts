/** Memory and processor time: of a session that works, from the long course, and of one that is held. */
import type { Course, Track } from '../course.js';
import { difference, metIf, notMeasured, single, slope, type Row } from '../figures.js';
import { heldSession, type HeldFigures } from '../held-session.js';
import { byExtent, type Bench, type Part } from '../part.js';
import { HAS_PROC, NO_PROC } from '../process-figures.js';

const MB = 1024 * 1024;
const MEMORY_LIMIT_MB = 120;
const SLOPE_LIMIT_KB = 1;
const IDLE_LIMIT_PERCENT = 0.1;
const ATTACH_LIMIT_MS = 200;
/** Growth over all clients together that is still the noise of a garbage collector. */
const LEFT_BEHIND_LIMIT_MB = 5;

/**
 * V8 collects garbage about 8 and 16 s after the last work, 30 ms each time, and then never again. A held
 * session is held for hours, so that is waited out; in a quick run the figures are taken before it begins.
 */
const SETTLE_MS = { quick: 1_500, normal: 18_000, long: 18_000 };

/** The first of these rounds is past everything that is loaded and compiled once. */
const SLOPE_FROM = 501;
const ROUND = 201;

export const memory: Part = {
  name: 'memory',
  about: 'memory and processor time of the daemon, held and at work',
  async run(bench): Promise<Row[]> {
    if (!HAS_PROC) return [notMeasured('memory, processor time', '', NO_PROC)];
    const held = await heldSession(bench, {
      settleMs: byExtent(bench, SETTLE_MS),
      idleMs: byExtent(bench, { quick: 3_000, normal: 10_000, long: 30_000 }),
      warmClients: byExtent(bench, { quick: 1_000, normal: 4_000, long: 10_000 }),
      clients: byExtent(bench, { quick: 100, normal: 1_000, long: 1_000 }),
    });
    return [...heldRows(held), ...courseRows(bench, await bench.course())];
  },
};

function heldRows(held: HeldFigures): Row[] {
  const grown = (held.rssAfterClients - held.rssBeforeClients) / MB;
  return [
    absolute('memory, held', 'MB', held.rssBytes / MB, MEMORY_LIMIT_MB),
    absolute('processor, held', '%', held.cpuPercent, IDLE_LIMIT_PERCENT),
    {
      ...absolute('attach: socket to first snapshot', 'ms', held.attach.p50, ATTACH_LIMIT_MS),
      measured: held.attach,
    },
    {
      ...absolute(`memory left by ${held.clients} clients`, 'MB', grown, LEFT_BEHIND_LIMIT_MB),
      target: `nothing (≤ ${LEFT_BEHIND_LIMIT_MB} MB)`,
    },
  ];
}

function courseRows({ extent }: Bench, { ouro, bare, rounds }: Course): Row[] {
  const at = (track: Track): { rssMb: number; cpuS: number } => {
    const figures = track.figures.get(ROUND) ?? track.figures.get(151);
    const first = track.figures.get(1);
    if (figures === undefined || first === undefined)
      throw new Error('the process left no figures');
    return { rssMb: figures.rssBytes / MB, cpuS: (figures.cpuMs - first.cpuMs) / 1000 };
  };
  const [own, floor] = [at(ouro), at(bare)];
  const rows: Row[] = [
    {
      ...absolute('memory after 200 rounds', 'MB', own.rssMb, MEMORY_LIMIT_MB),
      floor: { what: 'bare loop', p50: floor.rssMb },
      compared: difference(own.rssMb, floor.rssMb, 'MB', 0),
    },
    {
      ...absolute('processor, rounds 1 to 200', 's', own.cpuS, 0),
      floor: { what: 'bare loop', p50: floor.cpuS },
      compared: `${(own.cpuS / floor.cpuS).toFixed(2)} ×`,
      target: '',
      verdict: { kind: 'no target' },
    },
  ];
  const last = extent === 'quick' ? '' : ` to ${rounds.toLocaleString('en')}`;
  const name = `memory a round, from ${SLOPE_FROM - 1}${last}`;
  const target = `< ${SLOPE_LIMIT_KB} KB`;
  if (extent === 'quick')
    return [...rows, notMeasured(name, target, 'too few rounds with --quick')];
  return [...rows, slopeRow(name, target, ouro, bare)];
}

/** Both keep the whole conversation: the bare loop's slope is what that alone takes. */
function slopeRow(name: string, target: string, ouro: Track, bare: Track): Row {
  const of = ({ figures }: Track): number =>
    slope(
      [...figures]
        .filter(([round]) => round >= SLOPE_FROM)
        .map(([round, { rssBytes }]) => [round, rssBytes / 1024]),
    );
  const [own, floor] = [of(ouro), of(bare)];
  return {
    name,
    unit: 'KB',
    floor: { what: 'bare loop', p50: floor },
    measured: single(own),
    compared: difference(own, floor, 'KB', 1),
    target,
    verdict: metIf(own < SLOPE_LIMIT_KB),
  };
}

const absolute = (name: string, unit: Row['unit'], value: number, limit: number): Row => ({
  name,
  unit,
  floor: null,
  measured: single(value),
  compared: '',
  target: `≤ ${limit} ${unit}`,
  verdict: metIf(value <= limit),
});
