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
import { localDay } from '../../messages/calendar.js';
import type { Millis, SessionId } from '../../messages/ids.js';
import type { Discovery, JournalRow } from '../../messages/journal.js';
import { openJournalReader } from './journal-store.js';
import { sessionDir, sessionsDir } from './layout.js';
import { givenName } from './session-labels.js';
import type { SessionRecord } from './session-record.js';
import type { SettledRequest } from './spending-store.js';

/** Whether there is anything to find. */
export const hasSessions = (home: string): boolean => sessionIds(home).length > 0;

/** Also those whose journal cannot be read. */
export const sessionIds = (home: string): readonly SessionId[] =>
  existsSync(sessionsDir(home)) ? (readdirSync(sessionsDir(home)) as SessionId[]) : [];

/** A request of a session, as the spending of a day remembers it. */
export interface FoundSpending extends SettledRequest {
  readonly day: string;
}

export interface FoundSession {
  readonly record: SessionRecord;
  readonly spending: readonly FoundSpending[];
  readonly findings: readonly (Discovery & { readonly at: Millis })[];
}

export function sessionsOnDisk(home: string): FoundSession[] {
  return sessionIds(home).flatMap((id) => {
    const record = readSession(home, id);
    return record === null ? [] : [record];
  });
}

function readSession(home: string, id: SessionId): FoundSession | null {
  try {
    const journal = openJournalReader({ dir: sessionDir(home, id), session: id });
    try {
      const found = recordOf(journal.rows());
      const name = givenName(home, id);
      if (found === null || name === null) return found;
      return { ...found, record: { ...found.record, name } };
    } finally {
      journal.close();
    }
  } catch {
    return null;
  }
}

function recordOf(rows: Iterable<JournalRow>): FoundSession | null {
  let spec: SessionSpec | null = null;
  let goal = '';
  let end: EndStatus | null = null;
  let updatedAt: Millis = 0;
  const totals = { rounds: 0, promptTokens: 0, completionTokens: 0 };
  const spending: FoundSpending[] = [];
  const findings: (Discovery & { at: Millis })[] = [];
  for (const row of rows) {
    updatedAt = row.ts;
    spec = withChange(spec, row);
    if (row.kind === 'session.started' || row.kind === 'session.resumed') {
      spec = row.body.spec;
      end = null;
    } else if (row.kind === 'session.ended') end = row.body.status;
    else if (row.kind === 'goal.set') goal = row.body.goal;
    else if (row.kind === 'discovery.added') findings.push({ ...row.body, at: row.ts });
    else if (row.kind === 'model.outcome' && row.body.status === 'ok') {
      totals.rounds += 1;
      totals.promptTokens += row.body.usage?.promptTokens ?? 0;
      totals.completionTokens += row.body.usage?.completionTokens ?? 0;
    }
    const spent = spendingIn(row, spec);
    if (spent !== null) spending.push(spent);
  }
  if (spec === null) return null;
  const { id, name, workspace, model, startedAt } = spec;
  const record = {
    ...{ id, name, workspace, model, startedAt, goal, updatedAt },
    ...totals,
    state: end === null ? 'interrupted' : stateAfter(end),
    pid: null,
    // One unknown price makes the sum unknown.
    costUsd: spending.reduce<number | null>(
      (sum, { usd }) => (sum === null || usd === null ? null : sum + usd),
      0,
    ),
    holds: [],
    socket: null,
    endStatus: end,
    exitCode: end === null ? null : EXIT_CODES[end],
  };
  // What a script has found is told to nobody.
  return { record, spending, findings: spec.rehearsal === null ? findings : [] };
}

/** What is listed of a session and can change under way; names that people give are files beside the journal. */
function withChange(spec: SessionSpec | null, { kind, body }: JournalRow): SessionSpec | null {
  if (spec === null) return null;
  if (kind === 'session.titled' && spec.named === false)
    return { ...spec, name: body.title ?? spec.name };
  if (kind === 'user.action' && body.action.do === 'set')
    return { ...spec, model: body.action.change.model ?? spec.model };
  return spec;
}

/** Null: the row is not about a request that may have cost something. */
function spendingIn(row: JournalRow, spec: SessionSpec | null): FoundSpending | null {
  const day = localDay(row.ts);
  if (row.kind === 'model.outcome' && row.body.status === 'ok') {
    const { model, usage } = row.body;
    const free = spec?.local === true || (spec?.rehearsal ?? null) !== null;
    const { promptTokens = 0, completionTokens = 0, cachedTokens = 0 } = usage ?? {};
    const usd = usage?.costUsd ?? (free ? 0 : null);
    return { day, model, usd, promptTokens, completionTokens, cachedTokens };
  }
  if (row.kind !== 'budget.settled') return null;
  const { model, usd, tokens: promptTokens, basis } = row.body;
  // What was answered stands with the answer.
  if (basis !== 'broken-off' && basis !== 'lost') return null;
  return { day, model, usd, promptTokens, completionTokens: 0, cachedTokens: 0 };
}
