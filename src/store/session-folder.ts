/** The folder of a session as a whole: how much it holds, and its removal, which nothing brings back. */
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '../../messages/ids.js';
import type { IndexStore } from './index-store.js';
import { sessionDir, sessionLock } from './layout.js';
import { acquireLock } from './lock.js';

/** 0 when it is not there. Files that come and go meanwhile may be counted or not. */
export function folderBytes(folder: string): number {
  if (!existsSync(folder)) return 0;
  let sum = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) sum += folderBytes(path);
    else sum += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }
  return sum;
}

/** False: it runs, or somebody else has it; then nothing was changed. */
export function removeSession(home: string, index: IndexStore, id: SessionId): boolean {
  const dir = sessionDir(home, id);
  if (existsSync(dir)) {
    const lock = acquireLock(sessionLock(home, id), { what: 'removing the session', session: id });
    if (lock === null) return false;
    try {
      rmSync(dir, { recursive: true, force: true });
    } finally {
      lock.release();
    }
  }
  // After the folder: an interruption leaves a line by which it can be removed again.
  index.remove(id);
  return true;
}
