/**
 * Whether each command had its effect as often as the journal says. Every command that counts appends the id
 * of its call to a ledger, once; the ledger lies outside of everything that the session looks after.
 */
import type { JournalRow } from '../../messages/journal.js';
import type { ToolStatus } from '../../messages/tools.js';
import { rowsOf } from '../../test/support/e2e/journal.js';
import { finding, type Finding } from '../finding.js';

export interface LedgerCall {
  readonly callId: string;
  /** Null: it was begun, and nothing says how it ended. */
  readonly status: ToolStatus | null;
}

/** The calls that were begun and whose command names the ledger. */
export function ledgerCalls(rows: readonly JournalRow[], ledger: string): readonly LedgerCall[] {
  const asked = rowsOf(rows, 'message.added').flatMap(({ body: { message } }) =>
    message.role === 'assistant' ? message.calls : [],
  );
  const writers = new Set(
    asked.filter(({ args }) => JSON.stringify(args).includes(ledger)).map(({ id }) => id),
  );
  const ends = new Map(
    rowsOf(rows, 'tool.outcome').map(({ body }) => [body.callId, body.outcome.status]),
  );
  const begun = rowsOf(rows, 'tool.intent').map(({ body }) => body.callId);
  return begun
    .filter((callId) => writers.has(callId))
    .map((callId) => ({ callId, status: ends.get(callId) ?? null }));
}

/** `lines`: of the ledger, each the id of a call. */
export function judgeEffects(lines: readonly string[], calls: readonly LedgerCall[]): Finding[] {
  const times = new Map<string, number>();
  for (const line of lines) times.set(line, (times.get(line) ?? 0) + 1);
  const known = new Set(calls.map(({ callId }) => callId));
  const unknown = [...times.keys()].filter((line) => !known.has(line));
  return [
    ...unknown.map((line) =>
      finding('effects-untrue', `the ledger has "${line}", and no such call was begun`),
    ),
    ...calls.flatMap(({ callId, status }) => judgeCall(callId, status, times.get(callId) ?? 0)),
  ];
}

function judgeCall(callId: string, status: ToolStatus | null, times: number): Finding[] {
  if (times > 1) return [finding('effects-doubled', `${callId} happened ${times} times`)];
  switch (status) {
    case 'ok':
      if (times === 1) return [];
      return [finding('effects-untrue', `${callId} is recorded as done, and did not happen`)];
    case 'denied':
    case 'overloaded':
      if (times === 0) return [];
      return [finding('effects-untrue', `${callId} is recorded as ${status}, and happened`)];
    // It may have been ended before, while or after it wrote: both are true to what is recorded.
    case 'unknown':
    case 'failed':
    case 'timeout':
    case 'cancelled':
      return [];
    case null:
      return [finding('rounds-lost', `${callId} was begun, and nothing says how it ended`)];
  }
}
