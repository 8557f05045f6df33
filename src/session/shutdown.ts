/**
 * Ends a session in seven steps, in this order and once only: a later call gets the same promise. No child
 * process is left alive, whatever the agents do.
 */
import type { Mesh } from './mesh.js';

/** Agents that have not ended their turn after this are left behind; their processes are killed. */
export const GRACE_MS = 5_000;

export interface ShutdownParts {
  readonly mesh: Mesh;
  /** Ends the process groups of running calls: TERM, then KILL. */
  killProcesses(): Promise<void>;
  /** Writes the last row and closes the journal. */
  sealJournal(): Promise<void>;
  /** Tells the clients, who restore their own terminals. */
  sayBye(): Promise<void>;
  /** Frees locks and servers, last of all. */
  release(): Promise<void>;
}

export async function shutDown(parts: ShutdownParts, reason: string): Promise<void> {
  const { mesh } = parts;
  // 1, 2: the quit has reached the coordinator; every agent is told to end, every call is cancelled.
  mesh.deliver({ to: 'tools', message: { type: 'tool.cancelAll', agent: null } });
  // 3: they finish, or the grace is over.
  await Promise.race([mesh.agents.stopAll(reason), after(GRACE_MS)]);
  // 4: whatever still runs is ended.
  await parts.killProcesses();
  // 5: what was said is heard out, then written; the session is marked.
  await mesh.close();
  await parts.sealJournal();
  // 6: the clients are told.
  await parts.sayBye();
  // 7: main waits for the rest.
  await parts.release();
}

const after = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms).unref());
