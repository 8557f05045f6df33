/** What was asked and returned earlier in a session, from its journal: it is there when other files are gone. */
import { setImmediate } from 'node:timers/promises';
import type { CallId } from '../messages/ids.js';
import type { JournalRow } from '../messages/journal.js';
import type { Ground } from './ground.js';
import { openJournalReader } from './store/journal-store.js';
import type { StoredOutputs } from './tools/read-output.js';

/** Other work gets its turn after so many rows. */
const ROWS_AT_ONCE = 500;

export const storedOutputs = (ground: Pick<Ground, 'dir' | 'spec'>): StoredOutputs => ({
  async whole(callId: CallId) {
    let found: string | null = null;
    await readAll(ground, (row) => {
      if (row.kind === 'tool.outcome' && row.body.callId === callId) found = row.body.outcome.text;
    });
    return found;
  },
  replay: (visit, signal) => readAll(ground, visit, signal),
});

/** On a connection of its own, so that the session can write meanwhile. */
async function readAll(
  { dir, spec }: Pick<Ground, 'dir' | 'spec'>,
  visit: (row: JournalRow) => void,
  signal?: AbortSignal,
): Promise<void> {
  const view = openJournalReader({ dir, session: spec.id });
  try {
    let read = 0;
    for (const row of view.rowsAfter(0)) {
      visit(row);
      read += 1;
      if (read % ROWS_AT_ONCE !== 0) continue;
      await setImmediate();
      signal?.throwIfAborted();
    }
  } finally {
    view.close();
  }
}
