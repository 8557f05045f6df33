/** Lives through a row of seeds, one after the other, and adds up what was found. */
import type { Fault } from './faults.js';
import { liveThrough, type Verdict, type Violation } from './history.js';

export interface SimulateOptions {
  readonly first: number;
  readonly count: number;
  readonly fault: Fault | null;
  /** Every history over a real journal's file; else one in `FILE_EVERY`. */
  readonly allOnFile: boolean;
  /** Ends with the first history that is not as it should be. */
  readonly stopAtFirst: boolean;
  readonly onVerdict?: (verdict: Verdict) => void;
}

export interface Summary {
  readonly seeds: number;
  readonly failed: readonly Verdict[];
  readonly lives: number;
  readonly crashes: number;
  readonly rows: number;
  readonly requests: number;
  /** Histories over a real journal's file, and histories that were lived through twice. */
  readonly onFile: number;
  readonly repeated: number;
}

/** A file's commits wait for the disk, so that only a share of the histories can afford one. */
export const FILE_EVERY = 64;
/** That a seed repeats itself is looked at for so many of them: it doubles their cost. */
export const REPEAT_EVERY = 16;

export const UNREPEATABLE = 'same-seed-same-journal';

export async function simulate(options: SimulateOptions): Promise<Summary> {
  const { first, count, allOnFile, stopAtFirst, onVerdict } = options;
  const sums = { seeds: 0, lives: 0, crashes: 0, rows: 0, requests: 0, onFile: 0, repeated: 0 };
  const failed: Verdict[] = [];
  for (let seed = first; seed < first + count; seed += 1) {
    const isOnFile = allOnFile || seed % FILE_EVERY === 0;
    const isRepeated = seed % REPEAT_EVERY === 0;
    const verdict = await judge(seed, options.fault, isOnFile, isRepeated);
    onVerdict?.(verdict);
    sums.seeds += 1;
    sums.onFile += isOnFile ? 1 : 0;
    sums.repeated += isRepeated ? 1 : 0;
    for (const sum of ['lives', 'crashes', 'rows', 'requests'] as const) sums[sum] += verdict[sum];
    if (verdict.violations.length === 0) continue;
    failed.push(verdict);
    if (stopAtFirst) break;
  }
  return { ...sums, failed };
}

/** Lived through twice, it must be the same to the byte, whatever keeps its rows. */
async function judge(
  seed: number,
  fault: Fault | null,
  isOnFile: boolean,
  isRepeated: boolean,
): Promise<Verdict> {
  const verdict = await liveThrough({ seed, fault, store: isOnFile ? 'file' : 'memory' });
  if (!isRepeated) return verdict;
  const again = await liveThrough({ seed, fault });
  if (again.digest === verdict.digest && again.steps === verdict.steps) return verdict;
  const what = `${verdict.rows} rows in ${verdict.steps} steps, then ${again.rows} in ${again.steps}`;
  const violation: Violation = { invariant: UNREPEATABLE, what, step: 0 };
  return { ...verdict, violations: [...verdict.violations, violation] };
}
