/**
 * One life of a simulated session, from its start to its end or its death: what `src/daemon.ts` puts together
 * for a real process, over simulated ports. Mesh, life, recovery, gateway, dispatch and outage are the real
 * ones.
 */
import { recoverFrom } from '../../actors/checkpoint/recover.js';
import type { Recovered } from '../../actors/recovery.js';
import type { JournalRow } from '../../messages/journal.js';
import type { RunResult } from '../../messages/result.js';
import type { KnownWindow } from '../happenings.js';
import { lookupIn } from '../journal/row-lookup.js';
import { SimulatedJournal } from '../journal/simulated-journal.js';
import { stateText } from '../recovered-state.js';
import type { Scenario } from '../scenario.js';
import { rowsAsRead } from './faulty-ports.js';
import type { LifeParts } from './life-parts.js';
import { simulatedChanges, type SimulatedChanges } from './simulated-changes.js';
import { SimulatedPerson } from './simulated-person.js';
import { SimulatedProcess } from './simulated-process.js';
import { assembleSession, type SessionParts } from './simulated-session.js';
import { startingPoint } from './starting.js';

export interface RunningLife {
  readonly process: SimulatedProcess;
  /** Null: it died. */
  readonly end: Promise<RunResult | null>;
  /** Nobody looks after it any more. */
  leave(): void;
}

export function beginLife(parts: LifeParts): RunningLife {
  const { scenario, timeline, store, chance, note } = parts;
  const process = new SimulatedProcess(timeline);
  note({ type: 'life.opened' });
  const rows = store.read();
  store.open(process);
  const journal = new SimulatedJournal({
    ...parts,
    process,
    chance: chance.stream('journal'),
    commitMs: scenario.commitMs,
    crash: (how) => {
      process.die();
      note({ type: 'life.crashed', how });
    },
  });
  const attended: Attended = { person: null };
  const run = live({ ...parts, process, journal }, rows, attended).catch((error: unknown) => {
    note({ type: 'bug', error });
    return null;
  });
  return {
    process,
    end: Promise.race([run, process.death.then(() => null)]),
    leave: () => attended.person?.leave(),
  };
}

type Opened = LifeParts & Pick<SessionParts, 'process' | 'journal'>;

/** Who looks after it, once there is something to look at. */
interface Attended {
  person: SimulatedPerson | null;
}

async function live(
  parts: Opened,
  before: readonly JournalRow[],
  attended: Attended,
): Promise<RunResult> {
  const { scenario, chance, fault, note, process, journal, store } = parts;
  const changes = await recoveredChanges(parts, before);
  const rows = changes === null ? before : store.read();
  const recovered = recoveredFrom(rows, fault);
  const start = startingPoint(parts, recovered, process.now(), journal.lastSeq + 1);
  const state = recovered === null ? '' : stateText(recovered);
  const window = windowOf(scenario);
  const { spec } = start;
  const { holds } = start.state;
  note({ type: 'life.began', spec, limits: scenario.limits, rows, holds, state, window });
  const session = assembleSession({ ...parts, recovered, start, changes });
  attended.person = new SimulatedPerson({
    ...parts,
    gateway: session.gateway,
    chance: chance.stream('person'),
    temper: scenario.person,
    snapshot: session.snapshot,
    signal: (reason) => session.quit(reason),
  });
  attended.person.arrive();
  return session.run();
}

/** What a crash has cut off in the files is on record before the rest is repaired. Null: there are none. */
async function recoveredChanges(
  parts: Opened,
  rows: readonly JournalRow[],
): Promise<SimulatedChanges | null> {
  const { workspace } = parts.world;
  if (workspace === null) return null;
  const recovered = recoveredFrom(rows, parts.fault);
  const chance = parts.chance.stream('ledger');
  const changes = simulatedChanges({ ...parts, chance, workspace, rows, recovered });
  await changes.recover();
  return changes;
}

/** As a resume does it. */
const recoveredFrom = (rows: readonly JournalRow[], fault: LifeParts['fault']): Recovered | null =>
  rows.length === 0 ? null : recoverFrom(lookupIn(rowsAsRead(rows, fault)));

/** As the keeper of a context divides it. */
function windowOf({ talk, money }: Scenario): KnownWindow | null {
  const { window: tokens, counts } = talk;
  if (tokens === null) return null;
  const reply = money.maxTokens ?? talk.replyTokens;
  return { tokens, replyTokens: Math.min(reply, Math.floor(tokens / 4)), counts };
}
