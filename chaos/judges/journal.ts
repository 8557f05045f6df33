/** Whether a journal still holds all that it once held, and settles each call once. */
import { isDeepStrictEqual } from 'node:util';
import type { JournalRow } from '../../messages/journal.js';
import { hasSideEffects } from '../../messages/tools.js';
import { rowsOf } from '../../test/support/e2e/journal.js';
import { finding, type Finding } from '../finding.js';

/** Rows that anybody could read before a death are there after it, the same, in their places. */
export function judgeRows(before: readonly JournalRow[], after: readonly JournalRow[]): Finding[] {
  const at = before.findIndex((row, index) => !isDeepStrictEqual(row, after[index]));
  if (at < 0) return [];
  const { seq, kind } = before[at] ?? { seq: 0, kind: '' };
  const fate = after[at] === undefined ? 'is gone' : 'is another one';
  return [finding('rounds-lost', `row ${seq} (${kind}), which was there before a death, ${fate}`)];
}

/**
 * Of a session that has ended: each call has one outcome, and one that changes something was begun once at
 * most. Those that only look are begun again after a crash.
 */
export function judgeCalls(rows: readonly JournalRow[]): Finding[] {
  const asked = rowsOf(rows, 'message.added').flatMap(({ body: { message } }) =>
    message.role === 'assistant' ? message.calls.map(({ id }) => id) : [],
  );
  const changing = rowsOf(rows, 'tool.intent').filter(({ body }) => hasSideEffects(body.effect));
  const begun = countOf(changing.map(({ body }) => body.callId));
  const ended = countOf(rowsOf(rows, 'tool.outcome').map(({ body }) => body.callId));
  return asked.flatMap((id) => {
    const [begins, ends] = [begun.get(id) ?? 0, ended.get(id) ?? 0];
    if (begins > 1) return [finding('effects-doubled', `${id} was begun ${begins} times`)];
    if (ends > 1) return [finding('effects-doubled', `${id} has ${ends} outcomes`)];
    return ends === 1 ? [] : [finding('rounds-lost', `${id} was asked for and has no outcome`)];
  });
}

function countOf(ids: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
