/** Of a session that is over nothing is to be left: neither what it ran, nor its own process and guardian. */
import type { LivingProcess } from '../../test/support/e2e/processes.js';
import { finding, type Finding } from '../finding.js';

/** Enough of a command line to know it again. */
const SHOWN_CHARS = 160;

export const judgeLeftovers = (left: readonly LivingProcess[]): Finding[] =>
  left.map(({ pid, commandLine }) =>
    finding('processes-left', `${pid} ${commandLine.slice(0, SHOWN_CHARS)}`),
  );
