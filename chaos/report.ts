/** What a run has done and found, as a table for people and as JSON for programs. */
import { CHECKS, type Check } from './finding.js';
import { DISTURBANCES, type Disturbance } from './disturbances.js';
import { POINTS, type Point } from './kill-points.js';
import type { ChaosRun } from './run.js';

/** Findings that are shown one by one; the first is the one to look at. */
const SHOWN = 10;
const JSON_VERSION = 1;

const keysOf = <T extends string>(entries: Readonly<Record<T, string>>): readonly T[] =>
  Object.keys(entries) as T[];

/** Null when there were none. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
}

export function asJson({ tally, seconds, folder }: ChaosRun, seed: number): object {
  const {
    sessions,
    lives,
    revived,
    requests,
    summaries,
    rows,
    effects,
    unknown,
    words,
    fullDisks,
  } = tally;
  const { resumeMs, skipped, findings } = tally;
  return {
    v: JSON_VERSION,
    seed,
    seconds,
    clean: tally.isClean,
    counts: {
      sessions,
      lives,
      revived,
      requests,
      summaries,
      rows,
      effects,
      unknown,
      words,
      fullDisks,
    },
    kills: Object.fromEntries(tally.kills),
    disturbances: Object.fromEntries(tally.disturbances),
    resume_ms: {
      count: resumeMs.length,
      p50: quantile(resumeMs, 0.5),
      p95: quantile(resumeMs, 0.95),
    },
    checks: Object.fromEntries(keysOf(CHECKS).map((check) => [check, tally.countOf(check)])),
    findings,
    skipped,
    folder,
  };
}

export function asTable(run: ChaosRun): string {
  const { tally } = run;
  const ms = (share: number): string => `${Math.round(quantile(tally.resumeMs, share) ?? 0)} ms`;
  const lines: (readonly [string, number | string])[] = [
    ['sessions', tally.sessions],
    ['lives', tally.lives],
    ['  begun by a guardian', tally.revived],
    ...countLines('killed: ', keysOf<Point>(POINTS), tally.kills),
    ...countLines('', keysOf<Disturbance>(DISTURBANCES), tally.disturbances),
    ['disks filled', tally.fullDisks],
    ['requests', tally.requests],
    ['  for a summary', tally.summaries],
    ['commands in the ledgers', tally.effects],
    ['  recorded as unknown', tally.unknown],
    ['words acknowledged', tally.words],
    ['resume to ready, p50', ms(0.5)],
    ['resume to ready, p95', ms(0.95)],
    ...keysOf<Check>(CHECKS).map((check) => [`must be 0: ${check}`, tally.countOf(check)] as const),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

const countLines = <T extends string>(
  before: string,
  names: readonly T[],
  counts: ReadonlyMap<T, number>,
): (readonly [string, number])[] =>
  names.map((name) => [`  ${before}${name}`, counts.get(name) ?? 0] as const);

/** What to look at after a failure; '' after none. */
export function whatToLookAt({ tally, folder }: ChaosRun, seed: number): string {
  if (tally.isClean || folder === null) return '';
  const shown = tally.findings.slice(0, SHOWN).map(({ session, check, what }) => {
    return `session ${session}, ${check}: ${what}`;
  });
  const more = tally.findings.length - shown.length;
  return [
    '',
    ...shown,
    ...(more > 0 ? [`and ${more} more: --json has them all`] : []),
    '',
    `Everything of these sessions is kept in ${folder}, in a folder with the session's number:`,
    '  story.log  what was done to it, in order; home/  its journal and daemon.log; ledger  what really happened',
    `  OURO_HOME=${folder}/NUMBER/home node bin/ouro.js logs`,
    `The same plan again: npm run chaos -- --seed ${seed} --lives ${tally.lives}`,
  ].join('\n');
}
