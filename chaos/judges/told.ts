/**
 * What somebody outside was told, against what the journal has in the end. The model server is told of a
 * call's result by the next request, a client of the control socket by a fact; both come after the commit.
 */
import type { JournalRow } from '../../messages/journal.js';
import { rowsOf } from '../../test/support/e2e/journal.js';
import { finding, type Finding } from '../finding.js';

export interface Told {
  /** Calls whose results the server has read. */
  readonly answered: ReadonlySet<string>;
  /** Outcomes that clients were told of, by call. */
  readonly finished: ReadonlyMap<string, string>;
  /** Words of a person that were acknowledged; each text is there once. */
  readonly said: readonly string[];
}

/** `rows`: of a session that has ended with nothing left to read. */
export function judgeTold({ answered, finished, said }: Told, rows: readonly JournalRow[]) {
  const outcomes = new Map<string, string>(
    rowsOf(rows, 'tool.outcome').map(({ body }) => [body.callId, body.outcome.status]),
  );
  return [
    ...[...answered]
      .filter((callId) => !outcomes.has(callId))
      .map((callId) => finding('rounds-lost', `the server has read a result of ${callId}`)),
    ...[...finished]
      .filter(([callId, status]) => outcomes.get(callId) !== status)
      .map(([callId, status]) => {
        const now = outcomes.get(callId) ?? 'not in the journal';
        return finding('rounds-lost', `${callId} was reported as ${status}, and is ${now}`);
      }),
    ...said.flatMap((words) => judgeWords(words, rows)),
  ];
}

function judgeWords(words: string, rows: readonly JournalRow[]): Finding[] {
  const acted = rowsOf(rows, 'user.action').filter(
    ({ body: { action } }) => action.do === 'send' && action.text === words,
  );
  if (acted.length === 0) return [finding('actions-lost', `"${words}" is not in the journal`)];
  const read = rowsOf(rows, 'message.added').filter(
    ({ body: { message } }) => message.role === 'user' && message.text.includes(words),
  );
  if (read.length === 1) return [];
  const how = read.length === 0 ? 'was never read' : `was read ${read.length} times`;
  return [finding('actions-lost', `"${words}" was acknowledged and ${how}`)];
}
