/** What a run of chaos has done and found so far, summed up over its sessions. */
import type { Disturbance } from './disturbances.js';
import { CHECKS, type Check, type Finding } from './finding.js';
import type { Point } from './kill-points.js';

export interface SessionFinding extends Finding {
  /** The number of the session in its run, from 1. */
  readonly session: number;
}

const COUNTED = [
  'sessions',
  'lives',
  'requests',
  'summaries',
  'effects',
  'unknown',
  'words',
  'rows',
] as const;

/** Plain data: survives JSON. */
export type Figures = Readonly<Record<(typeof COUNTED)[number], number>> & {
  readonly findings: readonly SessionFinding[];
  readonly resumeMs: readonly number[];
};

export class Tally {
  readonly kills = new Map<Point, number>();
  readonly disturbances = new Map<Disturbance, number>();
  readonly resumeMs: number[] = [];
  readonly findings: SessionFinding[] = [];
  /** What could not be done here, and why. */
  readonly skipped: string[] = [];
  sessions = 0;
  lives = 0;
  /** Lives that a guardian had begun. */
  revived = 0;
  requests = 0;
  /** Requests for a summary: compactions. */
  summaries = 0;
  /** Calls that were to write into a ledger. */
  effects = 0;
  /** Those of them whose outcome is on record as unknown. */
  unknown = 0;
  /** Words that were acknowledged. */
  words = 0;
  rows = 0;
  fullDisks = 0;

  /** What another process has counted. */
  add({ findings, resumeMs, ...counts }: Figures): void {
    this.findings.push(...findings);
    this.resumeMs.push(...resumeMs);
    for (const name of COUNTED) this[name] += counts[name];
  }

  get figures(): Figures {
    const { sessions, lives, requests, summaries, effects, unknown, words, rows } = this;
    const { findings, resumeMs } = this;
    const counts = { sessions, lives, requests, summaries, effects, unknown, words, rows };
    return { findings, resumeMs, ...counts };
  }

  killed(point: Point): void {
    this.kills.set(point, (this.kills.get(point) ?? 0) + 1);
  }

  disturbed(what: Disturbance): void {
    this.disturbances.set(what, (this.disturbances.get(what) ?? 0) + 1);
  }

  countOf(check: Check): number {
    return this.findings.filter((found) => found.check === check).length;
  }

  get isClean(): boolean {
    return (Object.keys(CHECKS) as Check[]).every((check) => this.countOf(check) === 0);
  }
}
