/** The index of sessions, opened for one look. Creates nothing: where no session ever ran there is none. */
import { existsSync } from 'node:fs';
import { diskReason, DiskRefuses } from '../store/disk-errors.js';
import { openIndex } from '../store/index-store.js';
import type { IndexStore } from '../store/index-store.js';
import { hasSessions } from '../store/index-rebuild.js';
import { ensureHome, indexFile } from '../store/layout.js';
import type { VerbContext } from './verb-context.js';

export type Place = Pick<VerbContext, 'home' | 'now'>;

/** `ifNone` where there is no index. Throws, with what to do, when home or index cannot be trusted or read. */
export function withIndex<T>(place: Place, ifNone: T, use: (index: IndexStore) => T): T {
  const { home } = place;
  if (!existsSync(indexFile(home)) && !hasSessions(home)) return ifNone;
  ensureHome(home);
  const index = openIndex({ home, time: place, orReadOnly: true });
  try {
    return use(index);
  } catch (error) {
    throw diskReason(error) === null ? error : new DiskRefuses(indexFile(home), error);
  } finally {
    index.close();
  }
}
