/** The control plane of one session: its socket, and the way of a person's actions into its journal. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { Time } from '../actors/ports.js';
import type { RunResult } from '../messages/result.js';
import { createActionGateway, type ActionGatewayOptions } from './control/action-gateway.js';
import type { Pulse } from './control/connection.js';
import { startControlServer } from './control/server.js';
import type { Ground } from './ground.js';
import type { Mesh } from './session/mesh.js';
import { diskReason } from './store/disk-errors.js';
import { newSocketPath, tokenPath } from './store/socket-path.js';
import { VERSION } from './version.js';

export interface SessionControl {
  readonly socketPath: string;
  /** Answers who still waits, and takes no further action. */
  close(): void;
  /** Tells the clients that it is over. */
  bye(result: RunResult): Promise<void>;
}

export async function openControl(
  ground: Ground,
  mesh: Mesh,
  { home, time, admit }: { home: string; time: Time; admit: ActionGatewayOptions['admit'] & {} },
): Promise<SessionControl> {
  const { spec, journal, index } = ground;
  removeLeftovers(index.get(spec.id)?.socket ?? null);
  const gateway = createActionGateway({
    journal,
    ids: randomUUID,
    time,
    deliver: (action) => mesh.tell(action),
    stop: () => void mesh.tell({ type: 'quit', reason: 'stopped', at: time.now() }),
    facts: mesh.facts,
    admit,
    agentRound: () => mesh.snapshots.current.agents[0]?.round ?? 0,
  });
  const { socketPath, server } = await listenIn(home, journal, {
    session: spec.id,
    version: VERSION,
    pid: process.pid,
    snapshots: mesh.snapshots,
    deltas: mesh.deltas,
    facts: mesh.facts,
    act: (action) => gateway.act(action),
    pulse: async () =>
      (await mesh.pulse()) ? readNewest(journal) : { ok: false, unreadable: null },
  });
  return { socketPath, close: () => gateway.close(), bye: (result) => server.bye(result) };
}

/** From the file, not from memory: a journal that cannot be read is one that cannot be gone on from. */
function readNewest(journal: Ground['journal']): Pulse {
  try {
    let newest = 0;
    for (const { seq } of journal.rows(journal.lastSeq)) newest = seq;
    return { ok: true, seq: newest };
  } catch (error) {
    // A disk that fails is told of and waited for elsewhere; whoever asks is no reason to end.
    return { ok: false, unreadable: error instanceof Error ? error.message : String(error) };
  }
}

type Served = Omit<Parameters<typeof startControlServer>[0], 'socketPath' | 'tokenPath'>;

/** Where the disk has no room for its files they get what they need of the reserve: without them nobody could help. */
async function listenIn(home: string, journal: Ground['journal'], served: Served) {
  for (;;) {
    const socketPath = newSocketPath(home);
    try {
      const paths = { socketPath, tokenPath: tokenPath(socketPath) };
      return { socketPath, server: await startControlServer({ ...served, ...paths }) };
    } catch (error) {
      removeLeftovers(socketPath);
      if (diskReason(error) === null || !journal.giveRoom()) throw error;
    }
  }
}

/** What a process that was killed could not take away. */
function removeLeftovers(socketPath: string | null): void {
  if (socketPath === null) return;
  rmSync(socketPath, { force: true });
  rmSync(tokenPath(socketPath), { force: true });
}
