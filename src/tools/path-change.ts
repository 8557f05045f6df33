/** Waits until something at a path is not as it was: made, changed or gone. */
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Asked rather than told: what is watched may not exist yet, and may be replaced instead of changed. */
const POLL_MS = 500;

/** Also resolves when the signal aborts. Never rejects. */
export async function pathChange(path: string, signal: AbortSignal): Promise<void> {
  const before = stateOf(path);
  while (!signal.aborted && stateOf(path) === before) {
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

function stateOf(path: string): string {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? 'missing' : [stat.ino, stat.size, stat.mtimeNs].join('/');
  } catch {
    return 'missing';
  }
}
