/** Waits until something at a path is not as it was: made, changed or gone. */
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Millis } from '../../messages/ids.js';

/** Asked rather than told: what is watched may not exist yet, and may be replaced instead of changed. */
const POLL_MS = 500;

/**
 * Also resolves when the signal aborts. Never rejects. `since`: when the waiting began, if that was in an
 * earlier run of the process; what changed in between counts, except that something was removed.
 */
export async function pathChange(
  path: string,
  since: Millis | null,
  signal: AbortSignal,
): Promise<void> {
  if (since !== null && changedAt(path) > since) return;
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

function changedAt(path: string): Millis {
  try {
    return statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
  } catch {
    return 0;
  }
}
