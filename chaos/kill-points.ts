/** When a session's process is killed: at a named point, which is waited for, or at any moment. */
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance, Weighted } from '../simulation/chance.js';
import { killQuietly } from '../test/support/e2e/processes.js';
import { keepersOf } from './place.js';
import { until, type Victim } from './victim.js';

export const POINTS = {
  anywhere: 'at any moment',
  'request seen': 'the model server has a request and has not answered it',
  'answer under way': 'a moment later',
  'answer sent': 'its last byte has just left the server',
  'command at work': 'a command has done what it is for, and has not ended',
  'words acknowledged': 'a person has just been told that their words are kept',
  'compaction asked': 'the model has been asked for a summary',
  paused: 'a pause was acknowledged',
  'being stopped': 'a stop was acknowledged, or TERM sent, and it is leaving',
  'coming back': 'ouro resume or the guardian is starting it again',
} as const;

export type Point = keyof typeof POINTS;

const WEIGHTS: readonly Weighted<Point>[] = [
  ['anywhere', 3],
  ['request seen', 2],
  ['answer under way', 2],
  ['answer sent', 2],
  ['command at work', 3],
  ['words acknowledged', 2],
  ['compaction asked', 2],
  ['paused', 1],
  ['being stopped', 2],
  ['coming back', 3],
];

/** The first life of a session has nothing to come back from. */
export function drawPoint(chance: Chance, isFirst: boolean): Point {
  const point = chance.weighted(WEIGHTS);
  return isFirst && point === 'coming back' ? 'anywhere' : point;
}

/** Longer than a round with a failure in it; a compaction takes several rounds to come. */
const PATIENCE_MS = 4_000;
const SUMMARY_PATIENCE_MS = 10_000;
const ANYWHERE_MS = 700;
const LEAVING_MS = 150;

/** Returns once the process is to be killed: at that point, or anywhere when it did not come. */
export async function reach(victim: Victim, point: Point, chance: Chance): Promise<Point> {
  const { server, bystander } = victim;
  const came = await (async (): Promise<boolean> => {
    switch (point) {
      case 'anywhere':
      case 'coming back':
        return false;
      case 'request seen':
        return server.next('request', PATIENCE_MS);
      case 'answer under way': {
        const seen = await server.next('request', PATIENCE_MS);
        await sleep(chance.between(2, 40));
        return seen;
      }
      case 'answer sent':
        return server.next('answer', PATIENCE_MS);
      case 'compaction asked':
        return server.next('summary', SUMMARY_PATIENCE_MS);
      case 'command at work':
        return ledgerGrows(victim);
      case 'words acknowledged':
        return victim.say();
      case 'paused':
        return (await bystander?.ask({ do: 'pause' })) ?? false;
      case 'being stopped':
        return leave(victim, chance);
    }
  })();
  if (!came) await sleep(chance.between(0, ANYWHERE_MS));
  return came ? point : 'anywhere';
}

async function ledgerGrows({ place }: Victim): Promise<boolean> {
  const size = (): number => statSync(place.ledger, { throwIfNoEntry: false })?.size ?? 0;
  const before = size();
  return until(() => size() > before, PATIENCE_MS);
}

async function leave({ place, bystander }: Victim, chance: Chance): Promise<boolean> {
  const asked = chance.happens(0.5)
    ? ((await bystander?.ask({ do: 'stop' })) ?? false)
    : keepersOf(place).daemons.some((pid) => killQuietly(pid, 'SIGTERM'));
  await sleep(chance.between(0, LEAVING_MS));
  return asked;
}
