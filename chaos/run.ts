/** A run of chaos: session after session, each in a place of its own, until there were enough lives. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chance } from '../simulation/chance.js';
import { killQuietly, processesBelow } from '../test/support/e2e/processes.js';
import { surviveFullDisk } from './full-disk.js';
import { newPlace } from './place.js';
import { liveAndDie } from './session.js';
import { Tally } from './tally.js';
import type { Wishes } from './wishes.js';

/** Of one session before it is brought to its end. */
const LEAST_LIVES = 5;
const MOST_LIVES = 12;
/** A shorter run has no time for a freeze of half a minute. */
const LONG_RUN_LIVES = 100;
/** One session in so many has its disk filled; the second one of a run is the first of them. */
const FULL_DISK_EVERY = 4;
const FULL_DISK_FIRST = 2;

export interface ChaosRun {
  readonly tally: Tally;
  readonly seconds: number;
  /** What is left of sessions with findings; null: nothing is. */
  readonly folder: string | null;
}

export type RunLimits = Pick<Wishes, 'seed' | 'lives' | 'ms' | 'disks'>;

/** A new folder, for the places of one run. */
export const newRoot = (): string => mkdtempSync(join(realpathSync(tmpdir()), 'ouro-chaos-'));

/** For a run that is broken off: nothing that it started lives on, and its folder is gone. */
export function abandon(root: string): void {
  for (const { pid } of processesBelow(root)) killQuietly(pid);
  removeAll(root);
}

export async function runChaos(
  limits: RunLimits,
  say: (text: string) => void,
  root = newRoot(),
): Promise<ChaosRun> {
  const tally = new Tally();
  const startedAt = performance.now();
  const goesOn = (): boolean =>
    tally.lives < limits.lives && performance.now() - startedAt < limits.ms;
  for (let number = 1; goesOn(); number += 1) {
    await oneSession({ number, root, tally, limits, goesOn });
    if (limits.disks && number % FULL_DISK_EVERY === FULL_DISK_FIRST && goesOn()) {
      await surviveFullDisk(join(root, `disk-${number}`), { number, seed: limits.seed, tally });
    }
    const { sessions, lives, findings } = tally;
    say(`session ${sessions}, life ${lives}, ${findings.length} findings`);
  }
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  if (tally.isClean) removeAll(root);
  return { tally, seconds, folder: tally.isClean ? null : root };
}

interface Numbered {
  readonly number: number;
  readonly root: string;
  readonly tally: Tally;
  readonly limits: RunLimits;
  readonly goesOn: () => boolean;
}

async function oneSession({ number, root, tally, limits, goesOn }: Numbered): Promise<void> {
  const chance = new Chance(`${limits.seed}/session ${number}`);
  const place = newPlace(join(root, String(number)));
  const until = tally.lives + chance.between(LEAST_LIVES, MOST_LIVES);
  const before = tally.findings.length;
  const allowLong = limits.lives >= LONG_RUN_LIVES;
  await liveAndDie({
    number,
    place,
    chance,
    tally,
    allowLong,
    goesOn: () => goesOn() && tally.lives < until,
  });
  if (tally.findings.length === before) removeAll(place.root);
}

const removeAll = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
