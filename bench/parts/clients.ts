/** What a client that does not read costs a session in a flood of output: nothing, if the promise holds. */
import { median, metIf, notMeasured, single, summarise, type Row } from '../figures.js';
import { floodedSession } from '../flooded-session.js';
import { byExtent, type Part } from '../part.js';
import { HAS_PROC, NO_PROC } from '../process-figures.js';

const MB = 1024 * 1024;
const WHAT = 'all three read';

const LAG_LIMIT_MS = 50;

/** While a model streams, commands print, and everything is journaled. */
function pulseRow(pulseMs: readonly number[]): Row {
  const measured = summarise(pulseMs);
  const p99 = measured.p99 ?? Infinity;
  return {
    name: 'event loop in a flood: question to answer',
    unit: 'ms',
    floor: null,
    measured,
    compared: `p99 ${p99.toFixed(1)} ms`,
    target: `p99 < ${LAG_LIMIT_MS} ms`,
    verdict: metIf(p99 < LAG_LIMIT_MS),
  };
}

export const clients: Part = {
  name: 'clients',
  about: 'round time and memory in a flood, one of three clients stopped against none',
  async run(bench): Promise<Row[]> {
    if (!HAS_PROC) return [notMeasured('one client stopped', '', NO_PROC)];
    const { reading, stopped } = await floodedSession(bench, {
      turns: byExtent(bench, { quick: 2, normal: 4, long: 10 }),
      rounds: byExtent(bench, { quick: 4, normal: 6, long: 10 }),
    });
    const floor = median(reading.roundMs);
    const shared = { target: 'no difference', verdict: { kind: 'no target' } } as const;
    return [
      pulseRow([...reading.pulseMs, ...stopped.pulseMs]),
      {
        ...shared,
        name: 'round in a flood, one client stopped',
        unit: 'ms',
        floor: { what: WHAT, p50: floor },
        measured: summarise(stopped.roundMs),
        compared: `${(median(stopped.roundMs) / floor).toFixed(2)} ×`,
      },
      {
        ...shared,
        name: 'memory in a flood, one client stopped',
        unit: 'MB',
        floor: { what: WHAT, p50: reading.rssBytes / MB },
        measured: single(stopped.rssBytes / MB),
        compared: `${(stopped.rssBytes / reading.rssBytes).toFixed(2)} ×`,
      },
    ];
  },
};
