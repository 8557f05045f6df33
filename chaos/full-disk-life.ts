/**
 * The life of a session whose disk fills up, run on that disk by `full-disk.ts`. The session may be held or
 * may end; both are right, as long as nothing that was acknowledged is lost and it goes on once there is room.
 * Prints its figures as JSON.
 */
import { closeSync, cpSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Chance } from '../simulation/chance.js';
import { keepersOf, newPlace } from './place.js';
import { finish, withVictim } from './session.js';
import { Tally } from './tally.js';
import type { Victim } from './victim.js';

/** Large pieces first; the smallest is a block. */
const PIECES = [1024 * 1024, 64 * 1024, 4 * 1024];
/** Some rounds of work: a journal that is not empty, and one that goes on. */
const ROUNDS_BEFORE = 4;
const ROUNDS_AFTER = 3;
/** Until a session has noticed that it cannot write: it has some rounds' room in the files it has. */
const NOTICE_MS = 60_000;
const REFILL_MS = 200;
/** A hold for a full disk may lift itself; nobody has to wait long for that. */
const BY_ITSELF_MS = 10_000;
const ROUND_MS = 20_000;

/** Until not a block is left. May be called again for what was freed meanwhile. */
function fill(file: string): void {
  const out = openSync(file, 'a');
  try {
    for (const size of PIECES) writeUntilFull(out, Buffer.alloc(size, 'x'));
  } finally {
    closeSync(out);
  }
}

function writeUntilFull(out: number, piece: Buffer): void {
  try {
    for (;;) writeSync(out, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

type Reaction = 'held' | 'ended' | 'went on';

async function fillUp(victim: Victim, file: string): Promise<Reaction> {
  const giveUpAt = performance.now() + NOTICE_MS;
  while (performance.now() < giveUpAt) {
    fill(file);
    await sleep(REFILL_MS);
    if (keepersOf(victim.place).daemons.length === 0) return 'ended';
    const holds = (await victim.bystander?.snapshot())?.holds ?? [];
    if (holds.some(({ kind }) => kind === 'disk')) return 'held';
  }
  return 'went on';
}

async function live(victim: Victim, disk: string, tally: Tally): Promise<void> {
  tally.lives += 1;
  if (!(await victim.start())) return;
  await victim.works(ROUNDS_BEFORE, ROUND_MS);
  await victim.say();
  const filler = join(disk, 'filler');
  const reaction = await fillUp(victim, filler);
  victim.tell(`on a full disk it ${reaction}`);
  if (reaction === 'went on')
    victim.found('not-finished', 'it did not notice that its disk is full');
  rmSync(filler);
  victim.compareRows();
  const goesOn = reaction === 'held' && (await victim.works(ROUNDS_AFTER, BY_ITSELF_MS));
  if (!goesOn) {
    tally.lives += 1;
    await victim.kill('both');
    if (!(await victim.resume())) return;
    if (!(await victim.works(ROUNDS_AFTER, ROUND_MS))) {
      victim.found('not-finished', 'it did not go on when there was room again');
    }
  }
  await finish(victim, tally);
}

const [folder = '', disk = '', number = '1', seed = '1'] = process.argv.slice(2);
const tally = new Tally();
const place = newPlace(join(disk, 'place'), folder);
const chance = new Chance(`${seed}/disk ${number}`);
await withVictim({ place, chance, tally, number: Number(number) }, (victim) =>
  live(victim, disk, tally),
);
// The disk goes with this process.
if (!tally.isClean) {
  const filter = (path: string): boolean => !path.endsWith('.sock');
  cpSync(place.root, join(folder, 'kept'), { recursive: true, filter });
}
process.stdout.write(`${JSON.stringify(tally.figures)}\n`);
