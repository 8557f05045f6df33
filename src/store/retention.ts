/** Which sessions are over what is to be kept. Pure: decides, and removes nothing. */
import type { Millis, SessionId } from '../../messages/ids.js';

export interface KeptSession {
  readonly id: SessionId;
  readonly workspace: string;
  readonly updatedAt: Millis;
  readonly bytes: number;
  /** It runs, or a person has marked it: never removed, but it counts. */
  readonly isKept: boolean;
}

export interface RetentionLimits {
  readonly days: number;
  readonly perWorkspace: number;
  readonly maxBytes: number;
}

export type OverLimit = 'age' | 'number' | 'size';

const DAY_MS = 86_400_000;

/** Oldest first, each with the first limit that it is over. */
export function beyondRetention(
  sessions: readonly KeptSession[],
  { days, perWorkspace, maxBytes }: RetentionLimits,
  now: Millis,
): { readonly id: SessionId; readonly why: OverLimit }[] {
  const newestFirst = sessions.toSorted((a, b) => b.updatedAt - a.updatedAt);
  const inWorkspace = new Map<string, number>();
  const over = new Map<SessionId, OverLimit>();
  for (const { id, workspace, updatedAt, isKept } of newestFirst) {
    const place = (inWorkspace.get(workspace) ?? 0) + 1;
    inWorkspace.set(workspace, place);
    if (isKept) continue;
    if (now - updatedAt > days * DAY_MS) over.set(id, 'age');
    else if (place > perWorkspace) over.set(id, 'number');
  }
  let left = sum(sessions.filter(({ id }) => !over.has(id)).map(({ bytes }) => bytes));
  for (const { id, bytes, isKept } of newestFirst.toReversed()) {
    if (left <= maxBytes) break;
    if (isKept || over.has(id)) continue;
    over.set(id, 'size');
    left -= bytes;
  }
  return newestFirst.toReversed().flatMap(({ id }) => {
    const why = over.get(id);
    return why === undefined ? [] : [{ id, why }];
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
