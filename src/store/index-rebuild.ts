/**
 * Finds the sessions again when the index is gone: each keeps in its own journal what the index knew. A
 * session whose journal cannot be read is left out; nothing in its folder is touched.
 */
import { existsSync, readdirSync } from 'node:fs';
import {
  EXIT_CODES,
  stateAfter,
  type EndStatus,
  type SessionSpec,
} from '../../messages/session.js';
import type { Millis, SessionId } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';
import { openJournalReader } from './journal-store.js';
import { sessionDir, sessionsDir } from './layout.js';
import type { SessionRecord } from './session-record.js';

/** Whether there is anything to find. */
export const hasSessions = (home: string): boolean => sessionIds(home).length > 0;

const sessionIds = (home: string): readonly SessionId[] =>
  existsSync(sessionsDir(home)) ? (readdirSync(sessionsDir(home)) as SessionId[]) : [];

export function sessionsOnDisk(home: string): SessionRecord[] {
  return sessionIds(home).flatMap((id) => {
    const record = readSession(home, id);
    return record === null ? [] : [record];
  });
}

function readSession(home: string, id: SessionId): SessionRecord | null {
  try {
    const journal = openJournalReader({ dir: sessionDir(home, id), session: id });
    try {
      return recordOf(journal.rows());
    } finally {
      journal.close();
    }
  } catch {
    return null;
  }
}

function recordOf(rows: Iterable<JournalRow>): SessionRecord | null {
  let spec: SessionSpec | null = null;
  let goal = '';
  let end: EndStatus | null = null;
  let updatedAt: Millis = 0;
  const totals = { rounds: 0, promptTokens: 0, completionTokens: 0 };
  for (const row of rows) {
    updatedAt = row.ts;
    if (row.kind === 'session.started' || row.kind === 'session.resumed') {
      spec = row.body.spec;
      end = null;
    } else if (row.kind === 'session.ended') end = row.body.status;
    else if (row.kind === 'goal.set') goal = row.body.goal;
    else if (row.kind === 'model.outcome' && row.body.status === 'ok') {
      totals.rounds += 1;
      totals.promptTokens += row.body.usage?.promptTokens ?? 0;
      totals.completionTokens += row.body.usage?.completionTokens ?? 0;
    }
  }
  if (spec === null) return null;
  const { id, name, workspace, model, startedAt } = spec;
  return {
    ...{ id, name, workspace, model, startedAt, goal, updatedAt },
    ...totals,
    state: end === null ? 'interrupted' : stateAfter(end),
    pid: null,
    costUsd: null,
    holds: [],
    socket: null,
    endStatus: end,
    exitCode: end === null ? null : EXIT_CODES[end],
  };
}
