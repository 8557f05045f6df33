/** Targets that this benchmark does not reach, so that a table without them does not look complete. */
import { notMeasured } from '../figures.js';
import type { Part } from '../part.js';

export const elsewhere: Part = {
  name: 'elsewhere',
  about: 'targets that are not measured here, and why',
  run: () =>
    Promise.resolve([
      notMeasured('dashboard: frame, key to paint', 'p95 ≤ 8 ms, ≤ 50 ms', 'needs a terminal'),
      notMeasured('dashboard, idle', '≤ 0.5 % of a core', 'needs a terminal'),
    ]),
};
