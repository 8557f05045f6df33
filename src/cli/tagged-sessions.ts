/** Sessions with what a person calls them and how much they hold, for the verbs that keep order among them. */
import { count, dollars, duration } from '../../tui/text/amounts.js';
import { sanitiseLine } from '../../tui/text/sanitise.js';
import { shortId } from '../../messages/ids.js';
import { sessionDir } from '../store/layout.js';
import { folderBytes } from '../store/session-folder.js';
import { tagsOf } from '../store/session-labels.js';
import type { StandingSession } from './liveness.js';
import { sessionJson } from './session-names.js';

export interface TaggedSession {
  readonly session: StandingSession;
  readonly tags: readonly string[];
  /** Everything in its folder. */
  readonly bytes: number;
}

export const taggedSession = (home: string, session: StandingSession): TaggedSession => ({
  session,
  tags: tagsOf(home, session.id),
  bytes: folderBytes(sessionDir(home, session.id)),
});

export const taggedJson = ({ session, tags, bytes }: TaggedSession): object => ({
  ...sessionJson(session),
  tags,
  bytes,
});

/** `3f0c2a9e  done  12 rounds  $0.02  3d ago  1.2 MB  [keep]  a name`. */
export function taggedLine({ session, tags, bytes }: TaggedSession, now: number): string {
  const { id, state, rounds, costUsd, updatedAt, name } = session;
  return [
    shortId(id),
    state.padEnd(11),
    `${count(rounds)} rounds`.padStart(11),
    dollars(costUsd).padStart(8),
    `${duration(now - updatedAt)} ago`.padStart(10),
    sizeText(bytes).padStart(8),
    ...(tags.length === 0 ? [] : [`[${tags.join(' ')}]`]),
    sanitiseLine(name),
  ].join('  ');
}

const STEP = 1000;
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** `812 B`, `1.2 MB`; 1 KB is 1000 bytes, as in the configuration. */
export function sizeText(bytes: number): string {
  let [amount, unit] = [bytes, 0];
  while (amount >= STEP && unit < UNITS.length - 1) {
    amount /= STEP;
    unit += 1;
  }
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[unit] ?? ''}`;
}
