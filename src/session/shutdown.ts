/**
 * Ends a session in seven steps. No child process is left alive, whatever the agents do. Called once.
 */
import type { SessionEnded } from '../../messages/coordinator.js';
import type { Clock } from './actor-pump.js';
import type { Mesh } from './mesh.js';
import { systemClock } from './system-clock.js';

/** Agents that have not ended their turn after this are left behind; their processes are killed. */
export const GRACE_MS = 5_000;

export interface ShutdownParts {
  readonly mesh: Mesh;
  /** What waits for the disk waits no longer. */
  unblock(): Promise<void>;
  /** Ends the process groups of running calls: TERM, then KILL. */
  killProcesses(): Promise<void>;
  /** Resolves when everything that was put on record so far is on disk, and has been told. */
  settle(): Promise<void>;
  /** Writes the last row and closes the journal. */
  sealJournal(): Promise<void>;
  /** Tells the clients, who restore their own terminals. */
  sayBye(): Promise<void>;
  /** Frees locks and servers, last of all. */
  release(): Promise<void>;
}

export async function shutDown(
  parts: ShutdownParts,
  end: Omit<SessionEnded, 'type'> & { readonly reason: string },
  clock: Clock = systemClock,
): Promise<void> {
  const { mesh } = parts;
  // 1 and 2: the quit has reached the coordinator; every call is cancelled, every agent told to end.
  mesh.deliver({ to: 'tools', message: { type: 'tool.cancelAll', agent: null } });
  // 3: they finish, or the grace is over.
  const stopped = mesh.agents.stopAll(end.reason);
  await parts.unblock();
  await Promise.race([stopped, graceIsOver(clock)]);
  // 4: whatever still runs is ended.
  await parts.killProcesses();
  await parts.settle();
  // 5: what was said is heard out, then written; the session is marked.
  await mesh.tell({ type: 'session.ended', state: end.state, text: end.text });
  await mesh.close();
  await parts.sealJournal();
  // 6: the clients are told.
  await parts.sayBye();
  // 7: main waits for the rest.
  await parts.release();
}

/** The process goes on for other reasons; this is none. */
const graceIsOver = (clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    const timer: unknown = clock.setTimeout(resolve, GRACE_MS);
    if (timer instanceof Object && 'unref' in timer) (timer as NodeJS.Timeout).unref();
  });
