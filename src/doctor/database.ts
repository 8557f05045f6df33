/** Whether sessions can be kept: SQLite, the disk below it, and the list of sessions. */
import { ok, problem, reasonOf, type Finding } from './finding.js';

export interface DatabasePorts {
  /** Tries SQLite out on a file of its own. */
  readonly trial: () =>
    | { readonly works: true; readonly version: string }
    | { readonly works: false; readonly reason: string };
  /** Opens the list of sessions and counts them; throws, with what to do, where that is not possible. */
  readonly countSessions: () => number;
}

export function checkDatabase({ trial, countSessions }: DatabasePorts): readonly Finding[] {
  const tried = trial();
  if (!tried.works) {
    const advice = 'what is named above has to be put right before a session can be kept';
    return [problem('sqlite', tried.reason, advice)];
  }
  const sqlite = ok(
    'sqlite',
    `SQLite ${tried.version}; a write-ahead log with synchronous = FULL works`,
  );
  try {
    const sessions = countSessions();
    return [sqlite, ok('sessions', `${sessions} in the list`)];
  } catch (error) {
    return [
      sqlite,
      problem('sessions', reasonOf(error), 'put that right, then look again: ouro doctor'),
    ];
  }
}
