/** Ends the process of a session without grace, and never a process that is not proven to be it. */
import type { SessionId } from '../../messages/ids.js';
import { sessionLock } from '../store/layout.js';
import { readOwner } from '../store/lock.js';
import { isSameProcess } from '../store/process-identity.js';
import { isLive } from './liveness.js';
import { killProcessesOf } from './session-processes.js';
import { becomesTrue } from './waiting-time.js';

/** After KILL nothing but the kernel stands in the way; this is for a machine that is very busy. */
const GONE_MS = 5_000;
const LOOK_MS = 20;

export type Killed =
  | {
      readonly ok: true;
      readonly pid: number;
      /** Processes that it had started, and that ended with it. */
      readonly children: number;
    }
  | { readonly ok: false; readonly reason: string };

export async function killSession(home: string, id: SessionId): Promise<Killed> {
  const lock = sessionLock(home, id);
  const owner = readOwner(lock);
  if (owner === null || !isSameProcess(owner)) {
    const reason = `it is held by a process that cannot be told from others; see who has ${lock} open`;
    return { ok: false, reason };
  }
  const { pid } = owner;
  process.kill(pid, 'SIGKILL');
  // Somebody may have started it again already.
  const over = (): boolean => !isLive(home, id) || readOwner(lock)?.pid !== pid;
  if (!(await becomesTrue(over, { limitMs: GONE_MS, everyMs: LOOK_MS })))
    return { ok: false, reason: `its process ${pid} was killed and has not gone` };
  return { ok: true, pid, children: killProcessesOf(id) };
}
