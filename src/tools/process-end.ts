/** How processes are ended: asked with TERM, given a moment, then ended with KILL. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Endable } from './process-identity.js';

/** What a process has for tidying up. */
export const TERM_GRACE_MS = 2_000;

const POLL_MS = 20;

/** After KILL nothing but the kernel stands in the way; this is for a machine that is very busy. */
const KILL_WAIT_MS = 1_000;

/** Resolves when it is gone, or after all that can be done. */
export async function end(target: Endable): Promise<void> {
  if (!target.lives()) return;
  target.signal('SIGTERM');
  if (await isGoneWithin(TERM_GRACE_MS, target)) return;
  target.signal('SIGKILL');
  await isGoneWithin(KILL_WAIT_MS, target);
}

async function isGoneWithin(limitMs: number, target: Endable): Promise<boolean> {
  const until = performance.now() + limitMs;
  while (target.lives()) {
    if (performance.now() >= until) return false;
    await sleep(POLL_MS);
  }
  return true;
}
