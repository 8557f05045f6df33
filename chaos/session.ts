/** One session from its start to the end of its work, with so many deaths in between, and the judgement over it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../simulation/chance.js';
import { rowsOf } from '../test/support/e2e/journal.js';
import { killQuietly, processesOf } from '../test/support/e2e/processes.js';
import { disturb, drawDisturbance } from './disturbances.js';
import { judgeEffects, ledgerCalls } from './judges/effects.js';
import { judgeCalls } from './judges/journal.js';
import { judgeLeftovers } from './judges/leftovers.js';
import { judgeTold } from './judges/told.js';
import { drawPoint, reach } from './kill-points.js';
import { keepersOf, startVerb, type ChaosPlace } from './place.js';
import { FINISH, LAST_WORDS, sessionScript } from './session-script.js';
import type { Tally } from './tally.js';
import { until, Victim } from './victim.js';
import { WatchedServer } from './watched-server.js';

export interface SessionPlan {
  readonly number: number;
  readonly place: ChaosPlace;
  readonly chance: Chance;
  readonly tally: Tally;
  /** Longer freezes than half a minute may come. */
  readonly allowLong: boolean;
  /** False: no further life is to be begun; the session is brought to its end. */
  readonly goesOn: () => boolean;
}

/** How a session comes back: it was never there, a person brings it, or its guardian does. */
type Rise = 'start' | 'resume' | 'guardian';

/** Before anything happens to it: lives are short mostly, and some sessions grow until they are compacted. */
const MOST_ROUNDS = 25;
const ROUNDS_MS = 6_000;
/** From the word to finish to the end of the process; a sub-agent may be at work, an outage may be waited for. */
const END_MS = 60_000;
/** A process that was told to end needs a moment on a busy machine. */
const LEAVE_MS = 8_000;
/** Within its first second a guardian waits, then it starts the session. */
const REVIVAL_MS = 1_800;
const RESUME_MS = 700;

export const liveAndDie = (plan: SessionPlan): Promise<void> =>
  withVictim(plan, (victim) => liveLives(victim, plan));

/** A session that was not started yet, with its server; what becomes of both is summed up in the end. */
export async function withVictim(
  { place, chance, tally, number }: Pick<SessionPlan, 'place' | 'chance' | 'tally' | 'number'>,
  live: (victim: Victim) => Promise<void>,
): Promise<void> {
  const server = await WatchedServer.start(sessionScript(chance.stream('script'), place.ledger));
  const victim = new Victim(place, server);
  tally.sessions += 1;
  try {
    await live(victim);
  } finally {
    await server.close();
    for (const { pid } of processesOf(place)) killQuietly(pid);
    const findings = [...victim.findings, ...server.findings];
    tally.findings.push(...findings.map((found) => ({ ...found, session: number })));
    tally.resumeMs.push(...victim.resumeMs);
    tally.requests += server.requests;
    tally.summaries += server.summaries;
    tally.words += victim.said.length;
    tally.rows += victim.rows.length;
  }
}

async function liveLives(victim: Victim, plan: SessionPlan): Promise<void> {
  let rise: Rise = 'start';
  while (plan.goesOn()) {
    plan.tally.lives += 1;
    const next = await oneLife(victim, plan, rise);
    if (next === null) return;
    rise = next;
  }
  if (rise === 'start') return;
  plan.tally.lives += 1;
  if (await comeBack(victim, rise)) await finish(victim, plan.tally);
}

/** Null: there is no going on. */
async function oneLife(victim: Victim, plan: SessionPlan, rise: Rise): Promise<Rise | null> {
  const { chance, tally, allowLong } = plan;
  const point = drawPoint(chance, rise === 'start');
  if (point === 'coming back') {
    await dieOnTheWay(victim, chance, rise);
    tally.killed(point);
    return 'resume';
  }
  if (!(await comeBack(victim, rise))) return null;
  if (rise === 'guardian') tally.revived += 1;
  const disturbance = drawDisturbance(chance, allowLong);
  const rounds = chance.skewed(0, MOST_ROUNDS);
  victim.tell(`${rise}, ${rounds} rounds, ${disturbance}, ${point}`);
  await victim.works(rounds, ROUNDS_MS);
  await disturb(victim, disturbance, chance);
  tally.disturbed(disturbance);
  const reached = await reach(victim, point, chance);
  // A guardian takes ten seconds to bring a session back for the second time.
  const alone = rise !== 'guardian' && reached !== 'being stopped' && chance.happens(0.4);
  await victim.kill(alone ? 'daemon' : 'both');
  tally.killed(reached);
  if (alone && reached === 'paused') victim.expectsPause();
  return alone ? 'guardian' : 'resume';
}

async function comeBack(victim: Victim, rise: Rise): Promise<boolean> {
  switch (rise) {
    case 'start':
      return victim.start();
    case 'resume':
      return victim.resume();
    case 'guardian':
      return victim.revived();
  }
}

/** The verb, the guardian and the daemon, whichever of them there are at that moment. */
async function dieOnTheWay(victim: Victim, chance: Chance, rise: Rise): Promise<void> {
  if (rise === 'guardian') {
    await sleep(chance.between(0, REVIVAL_MS));
    await victim.kill('both');
    return;
  }
  const verb = startVerb(victim.place, victim.resumeWords);
  await sleep(chance.between(0, RESUME_MS));
  await victim.kill('both');
  await verb.ended;
  // It may have been too early for a daemon, which is there now.
  await victim.kill('both');
}

/** Lets it come to its end, and judges all that it has done. */
export async function finish(victim: Victim, tally: Tally): Promise<void> {
  if (!(await victim.say(FINISH)))
    victim.found('not-finished', 'it did not take the word to finish');
  const isOver = async (): Promise<boolean> => {
    if (keepersOf(victim.place).daemons.length === 0) return true;
    await victim.lift();
    return false;
  };
  if (!(await until(isOver, END_MS))) victim.found('not-finished', 'it did not come to its end');
  victim.compareRows();
  judge(victim, tally);
  await until(() => processesOf(victim.place).length === 0, LEAVE_MS);
  victim.findings.push(...judgeLeftovers(processesOf(victim.place)));
}

function judge(victim: Victim, tally: Tally): void {
  const { rows, place, server, ledger, finished, said } = victim;
  const end = rowsOf(rows, 'session.ended').at(-1)?.body;
  if (rows.at(-1)?.kind !== 'session.ended' || end?.text !== LAST_WORDS) {
    victim.found('not-finished', `it ended with ${JSON.stringify(end ?? rows.at(-1))}`);
  }
  const calls = ledgerCalls(rows, place.ledger);
  tally.effects += calls.length;
  tally.unknown += calls.filter(({ status }) => status === 'unknown').length;
  victim.findings.push(
    ...judgeCalls(rows),
    ...judgeEffects(ledger, calls),
    ...judgeTold({ answered: server.answered, finished, said }, rows),
  );
}
