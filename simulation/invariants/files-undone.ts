/** Whatever crashes there were, undoing to a round gives the files of that round, and nothing is left out. */
import type { Invariant } from './invariant.js';

export const filesUndone: Invariant = {
  name: 'files-undone',
  promise: 'What a session changed can be put back, as of any round.',
  watch: (report) => ({
    see: ({ what }) => {
      if (what.type !== 'files.undone') return;
      for (const reason of what.refused) report(`undone to row ${what.from}: ${reason}`);
      for (const path of what.wrong) report(`undone to row ${what.from}: ${path}`);
    },
  }),
};
