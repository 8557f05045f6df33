/** What the model was shown of an earlier call, from the journal: it is there when its own file is gone. */
import { setImmediate } from 'node:timers/promises';
import type { Ground } from './ground.js';
import { openJournalReader } from './store/journal-store.js';
import type { StoredOutput } from './tools/read-output.js';

/** Other work gets its turn after so many rows. */
const ROWS_AT_ONCE = 500;

/** On a connection of its own, so that the session can write meanwhile. */
export const storedOutput =
  ({ dir, spec }: Pick<Ground, 'dir' | 'spec'>): StoredOutput =>
  async (callId) => {
    const view = openJournalReader({ dir, session: spec.id });
    try {
      let found: string | null = null;
      let read = 0;
      for (const row of view.rowsAfter(0)) {
        if (row.kind === 'tool.outcome' && row.body.callId === callId)
          found = row.body.outcome.text;
        read += 1;
        if (read % ROWS_AT_ONCE === 0) await setImmediate();
      }
      return found;
    } finally {
      view.close();
    }
  };
