/**
 * One life of a simulated session, from its start to its end or its death: what `src/daemon.ts` puts together
 * for a real process, over simulated ports. Mesh, life, recovery, gateway, dispatch and outage are the real
 * ones.
 */
import { recoverFrom } from '../../actors/checkpoint/recover.js';
import type { RunResult } from '../../messages/result.js';
import { lookupIn } from '../journal/row-lookup.js';
import { SimulatedJournal } from '../journal/simulated-journal.js';
import { stateText } from '../recovered-state.js';
import { rowsAsRead } from './faulty-ports.js';
import type { LifeParts } from './life-parts.js';
import { SimulatedPerson } from './simulated-person.js';
import { SimulatedProcess } from './simulated-process.js';
import { assembleSession } from './simulated-session.js';
import { startingPoint } from './starting.js';

export interface RunningLife {
  readonly process: SimulatedProcess;
  /** Null: it died. */
  readonly end: Promise<RunResult | null>;
  /** Nobody looks after it any more. */
  leave(): void;
}

export function beginLife(parts: LifeParts): RunningLife {
  const { scenario, timeline, store, chance, fault, note } = parts;
  const process = new SimulatedProcess(timeline);
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
  const recovered = rows.length === 0 ? null : recoverFrom(lookupIn(rowsAsRead(rows, fault)));
  const start = startingPoint(parts, recovered, process.now(), journal.lastSeq + 1);
  const { spec, limits } = scenario;
  const state = recovered === null ? '' : stateText(recovered);
  note({ type: 'life.began', spec, limits, rows, holds: start.state.holds, state });

  const session = assembleSession({ ...parts, process, journal, recovered, start });
  const person = new SimulatedPerson({
    ...parts,
    process,
    gateway: session.gateway,
    chance: chance.stream('person'),
    temper: scenario.person,
    snapshot: session.snapshot,
    signal: (reason) => session.quit(reason),
  });
  person.arrive();
  const run = session.run().catch((error: unknown) => {
    note({ type: 'bug', error });
    return null;
  });
  return {
    process,
    end: Promise.race([run, process.death.then(() => null)]),
    leave: () => person.leave(),
  };
}
