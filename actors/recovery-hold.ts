/**
 * Whether a session that goes on after its process ended has to be looked at first: because it has died again
 * and again without getting any further, or because nobody has heard of it for long. Pure.
 */
import { shortId, type Millis, type SessionId } from '../messages/ids.js';
import type { JournalRow } from '../messages/journal.js';
import type { Hold } from '../messages/pause.js';

/** Once may be chance, twice bad luck. */
export const DEATHS_BEFORE_HOLD = 3;

/** What was right to do a day ago may not be now. */
export const STALE_MS = 24 * 60 * 60 * 1000;

export interface DeathsState {
  readonly sinceProgress: number;
  readonly died: boolean;
}

/** Counts how often the process has died since anything was got done. */
export class Deaths {
  #sinceProgress: number;
  /** The newest process has not ended by its own will. */
  #died: boolean;

  constructor({ sinceProgress, died }: DeathsState = { sinceProgress: 0, died: false }) {
    this.#sinceProgress = sinceProgress;
    this.#died = died;
  }

  get state(): DeathsState {
    return { sinceProgress: this.#sinceProgress, died: this.#died };
  }

  /** `isHeld`: nothing was being done when this row was written. */
  apply(row: JournalRow, isHeld: boolean): void {
    switch (row.kind) {
      case 'session.started':
        this.#died = true;
        return;
      case 'session.resumed':
        this.#sinceProgress = this.count(isHeld);
        this.#died = true;
        return;
      case 'session.ended':
        this.#died = row.body.status === 'internal_error';
        return;
      default:
        if (isProgress(row)) this.#sinceProgress = 0;
    }
  }

  /** At the point where the journal ends, this end included: one that was held got no further anyway. */
  count(isHeld: boolean): number {
    if (!this.#died) return 0;
    return isHeld ? this.#sinceProgress : this.#sinceProgress + 1;
  }
}

/** It got further, or a person has changed what it will do. What a restart writes by itself is neither. */
function isProgress(row: JournalRow): boolean {
  switch (row.kind) {
    case 'model.outcome':
      return row.body.status === 'ok';
    case 'tool.outcome':
      return row.body.outcome.status !== 'unknown';
    case 'question.answered':
      return row.body.answer.status !== 'withdrawn';
    case 'hold.lifted':
      return row.body.kind === 'recovery';
    case 'goal.set':
    case 'user.action':
    case 'context.masked':
    case 'context.summarised':
    case 'context.restarted':
    case 'context.undone':
      return true;
    default:
      return false;
  }
}

export interface ComingBack {
  readonly session: SessionId;
  readonly deaths: number;
  /** The newest row. */
  readonly lastTs: Millis;
  readonly now: Millis;
  /** A person asked for it, and knows how old it is. */
  readonly byPerson: boolean;
}

/** Null: it may go on. */
export function recoveryHold(coming: ComingBack): Hold | null {
  const { session, deaths, lastTs, now, byPerson } = coming;
  const hold = (reason: string): Hold => ({
    kind: 'recovery',
    scope: 'session',
    since: now,
    until: null,
    reason,
    release: `ouro resume ${shortId(session)} --force`,
  });
  if (deaths >= DEATHS_BEFORE_HOLD)
    return hold(`its process has died ${deaths} times at the same point`);
  const silentMs = now - lastTs;
  if (byPerson || silentMs <= STALE_MS) return null;
  const hours = Math.floor(silentMs / (60 * 60 * 1000));
  return hold(`nothing was heard of it for ${hours} hours, and nobody has asked for it`);
}
