/** Rows of a call as a journal has them. */
import { callIdOf, MAIN_AGENT, type CallId } from '../../messages/ids.js';
import { factOf, type JournalRow } from '../../messages/journal.js';

export function pastCall(round: number, name: string, args: object, text: string): JournalRow[] {
  const id: CallId = callIdOf(MAIN_AGENT, round, 1);
  const asked = { role: 'assistant', text: '', calls: [{ id, name, args }] } as const;
  const outcome = { status: 'ok', text, truncated: false } as const;
  return [
    { ...factOf('message.added', MAIN_AGENT, round, { message: asked }), seq: 2 * round, ts: 0 },
    {
      ...factOf('tool.outcome', MAIN_AGENT, round, { callId: id, name, outcome }),
      seq: 2 * round + 1,
      ts: 0,
    },
  ];
}
