/** No machine and no port throws. */
import type { Invariant } from './invariant.js';

export const noBugs: Invariant = {
  name: 'no-bugs',
  promise: 'Nothing ends a session but what is meant to.',
  watch: (report) => ({
    see: ({ what }) => {
      if (what.type === 'bug') {
        report(
          what.error instanceof Error
            ? (what.error.stack ?? what.error.message)
            : String(what.error),
        );
      }
    },
  }),
};
