/**
 * How a session that does not run any more came to its end: by its own result, by what the index or the
 * journal says, or, when its process just vanished, by nothing at all.
 */
import { readFileSync } from 'node:fs';
import type { SessionId } from '../../messages/ids.js';
import type { RunResult } from '../../messages/result.js';
import { EXIT_CODES } from '../../messages/session.js';
import type { EndStatus } from '../../messages/session.js';
import { resultLine } from '../../tui/result-text.js';
import { JournalDamage, JournalMissing } from '../store/journal-errors.js';
import { openJournalReader } from '../store/journal-store.js';
import { resultFile, sessionDir } from '../store/layout.js';
import type { StandingSession } from './liveness.js';

export interface SessionEnd {
  /** Null: its process ended before it could say how. */
  readonly status: EndStatus | null;
  /** What `ouro wait` exits with. */
  readonly exitCode: number;
  /** Null: none was kept of this end. */
  readonly result: RunResult | null;
}

/** For a session that left no result. */
const EXIT_DIED = 1;

export const endOfResult = (result: RunResult): SessionEnd => ({
  status: result.status,
  exitCode: result.exit_code,
  result,
});

/** Must not be asked of a session that lives. */
export function howItEnded(home: string, session: StandingSession): SessionEnd {
  const status = session.endStatus ?? statusInJournal(home, session.id);
  if (status === null) return { status, exitCode: EXIT_DIED, result: null };
  const result = readResult(home, session.id);
  // One of an earlier run is not about this end.
  if (result?.status === status) return endOfResult(result);
  return { status, exitCode: session.exitCode ?? EXIT_CODES[status], result: null };
}

/** For people, in one line. */
export function endLine({ status, exitCode, result }: SessionEnd): string {
  if (result !== null) return resultLine(result);
  if (status !== null) return `${status} (exit code ${exitCode})`;
  return 'interrupted: its process ended without a word';
}

function readResult(home: string, id: SessionId): RunResult | null {
  try {
    const found: unknown = JSON.parse(readFileSync(resultFile(home, id), 'utf8'));
    return isResult(found) ? found : null;
  } catch {
    return null;
  }
}

const isResult = (value: unknown): value is RunResult =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'result';

/** Read to its end: the newest word on the session itself counts. Null: that is not about an end, or lost. */
function statusInJournal(home: string, id: SessionId): EndStatus | null {
  let status: EndStatus | null = null;
  try {
    const view = openJournalReader({ dir: sessionDir(home, id), session: id });
    try {
      for (const row of view.rows()) {
        if (row.kind === 'session.ended') status = row.body.status;
        else if (row.kind === 'session.started' || row.kind === 'session.resumed') status = null;
      }
    } finally {
      view.close();
    }
  } catch (error) {
    if (!(error instanceof JournalMissing || error instanceof JournalDamage)) throw error;
    return null;
  }
  return status;
}
