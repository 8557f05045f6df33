/** What the index of a home says of its newest session, and how to wait until its process is gone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openIndex } from '../src/store/index-store.js';
import type { SessionRecord } from '../src/store/session-record.js';
import type { Place } from './ouro.js';

/** A session that has nothing left to do is gone long before that. */
const END_MS = 5_000;
const POLL_MS = 20;

export function newestSession({ home }: Place): SessionRecord | null {
  const index = openIndex({ home, time: { now: () => Date.now() } });
  try {
    return index.list({ all: true })[0] ?? null;
  } finally {
    index.close();
  }
}

/** Its files may be taken away, and its workspace used again, only once it has closed them. */
export async function sessionEnd(place: Place): Promise<void> {
  const pid = newestSession(place)?.pid ?? null;
  const deadline = performance.now() + END_MS;
  while (pid !== null && isAlive(pid)) {
    if (performance.now() > deadline) throw new Error(`process ${pid} did not end`);
    await sleep(POLL_MS);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
