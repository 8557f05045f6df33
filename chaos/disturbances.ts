/** What happens to a session while it lives, beside being killed: frozen, cut off, spoken to. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance, Weighted } from '../simulation/chance.js';
import { killQuietly } from '../test/support/e2e/processes.js';
import { keepersOf } from './place.js';
import type { Victim } from './victim.js';

export const DISTURBANCES = {
  nothing: 'it is left alone',
  'words said': 'a person says something',
  'paused and resumed': 'a person holds it for a moment',
  frozen: 'its process is stopped for up to a second, and goes on',
  'frozen for long': 'for longer than what counts as a sleep of the machine',
  'server away': 'nobody listens at the model server for up to two seconds',
  'server cut': 'every connection to the model server is cut',
} as const;

export type Disturbance = keyof typeof DISTURBANCES;

const WEIGHTS: readonly Weighted<Disturbance>[] = [
  ['nothing', 30],
  ['words said', 25],
  ['paused and resumed', 12],
  ['frozen', 12],
  ['frozen for long', 1],
  ['server away', 10],
  ['server cut', 10],
];

/** The longest that a process takes to notice that it slept, behind the 30 s that count as sleep. */
const LONG_FREEZE_MS = 37_000;
const FREEZE_MS = 1_000;
const OUTAGE_MS = 2_000;
const HELD_MS = 150;

/** Long freezes make a run long; a short one has none. */
export function drawDisturbance(chance: Chance, allowLong: boolean): Disturbance {
  const drawn = chance.weighted(WEIGHTS);
  return drawn === 'frozen for long' && !allowLong ? 'frozen' : drawn;
}

export async function disturb(victim: Victim, what: Disturbance, chance: Chance): Promise<void> {
  const { server, bystander } = victim;
  switch (what) {
    case 'nothing':
      return;
    case 'words said':
      await sleep(chance.between(0, 100));
      await victim.say();
      return;
    case 'paused and resumed':
      await bystander?.ask({ do: 'pause', args: { now: chance.happens(0.5) } });
      await sleep(chance.between(0, HELD_MS));
      await bystander?.ask({ do: 'resume', args: { force: true } });
      return;
    case 'frozen':
      await sleep(chance.between(0, 100));
      return freeze(victim, chance.between(50, FREEZE_MS));
    case 'frozen for long':
      return freeze(victim, LONG_FREEZE_MS);
    case 'server away':
      await server.goAway(chance.between(50, OUTAGE_MS));
      await victim.lift();
      return;
    case 'server cut':
      await server.next('request', FREEZE_MS);
      await server.goAway(0);
  }
}

async function freeze({ place }: Victim, ms: number): Promise<void> {
  const { daemons } = keepersOf(place);
  for (const pid of daemons) killQuietly(pid, 'SIGSTOP');
  await sleep(ms);
  for (const pid of daemons) killQuietly(pid, 'SIGCONT');
}
