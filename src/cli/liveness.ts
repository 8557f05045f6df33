/**
 * Sessions as they really stand. The index says what was last heard of a session; whether its process still
 * lives is the lock's to say, and where the two differ the lock is right.
 */
import type { SessionId } from '../../messages/ids.js';
import { hasEnded } from '../../messages/session.js';
import type { IndexStore } from '../store/index-store.js';
import { sessionLock } from '../store/layout.js';
import { isLocked } from '../store/lock.js';
import type { SessionRecord } from '../store/session-record.js';
import { withIndex } from './open-home.js';
import type { Place } from './open-home.js';

/** A record whose state, holds and pid hold now. */
export interface StandingSession extends SessionRecord {
  readonly live: boolean;
}

export const isLive = (home: string, id: SessionId): boolean => isLocked(sessionLock(home, id));

export interface SessionFilter {
  /** Only those that work there; a real path. */
  readonly workspace?: string;
  /** Also those that have ended. */
  readonly all?: boolean;
}

/** Newest first. A session that died without a word is listed as if it had not ended: it can be resumed. */
export const listSessions = (place: Place, filter: SessionFilter): StandingSession[] =>
  withIndex(place, [], (index) =>
    index.list(filter).map((record) => asItStands(place.home, index, record)),
  );

/** Null: the index does not know it. */
export const standingSession = (place: Place, id: SessionId): StandingSession | null =>
  withIndex(place, null, (index) => {
    const record = index.get(id);
    return record === null ? null : asItStands(place.home, index, record);
  });

export function asItStands(
  home: string,
  index: IndexStore,
  record: SessionRecord,
): StandingSession {
  if (isLive(home, record.id)) {
    // It has written down how it ended and has not left yet.
    return { ...record, state: hasEnded(record.state) ? 'stopping' : record.state, live: true };
  }
  // Read again: it may have ended between the first look at the index and the one at the lock.
  const latest = hasEnded(record.state) ? record : (index.get(record.id) ?? record);
  return hasEnded(latest.state) ? { ...latest, pid: null, live: false } : dead(latest);
}

const dead = (record: SessionRecord): StandingSession => ({
  ...record,
  state: 'interrupted',
  pid: null,
  holds: [],
  heldUntil: null,
  endStatus: null,
  exitCode: null,
  live: false,
});
