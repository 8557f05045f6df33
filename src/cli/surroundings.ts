/** What every verb is added with: where it prints, what it is told, and where its exit code goes. */
import type { Terminal } from './run-end.js';
import type { VerbContext } from './verb-context.js';

export interface Surroundings {
  readonly terminal: Terminal;
  readonly context: () => VerbContext;
  /** Keeps the exit code of the verb. */
  readonly finish: (code: number) => void;
}
