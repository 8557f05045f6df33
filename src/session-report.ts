/** A report on a session from its journal, with the sums that the session itself keeps. */
import { dirname } from 'node:path';
import {
  NO_TOTALS,
  withCall,
  withModelUse,
  withRound,
  withSettled,
  withUnanswered,
} from '../actors/totals.js';
import { UnclaimedCosts } from '../actors/unclaimed-costs.js';
import type { Millis } from '../messages/ids.js';
import type { JournalRow } from '../messages/journal.js';
import { createJudge } from './permissions/judge.js';
import { readsFiles } from './permissions/reads-files.js';
import { reportOn } from './report/report-fold.js';
import type { SessionReport } from './report/report.js';
import type { Sums } from './report/spending.js';
import { openJournalReader } from './store/journal-store.js';
import type { JournalPlace } from './store/journal-file.js';

export interface ReportRequest {
  readonly place: JournalPlace;
  readonly since: Millis | null;
  readonly now: Millis;
  readonly isLive: boolean;
}

/** Those that the session itself keeps. */
export const SUMS: Sums = {
  ...{ none: NO_TOTALS, round: withRound, call: withCall, use: withModelUse },
  ...{ settled: withSettled, unanswered: withUnanswered },
  unclaimed: () => new UnclaimedCosts(),
};

/** Null: the journal does not say what the session is. Throws what reading a journal throws. */
export function sessionReport({ place, ...wish }: ReportRequest): SessionReport | null {
  const view = openJournalReader(place);
  try {
    const onlyLooks = looker(workspaceIn(view.rows()), dirname(dirname(place.dir)));
    return reportOn(view.rows(), { ...wish, sums: SUMS, onlyLooks });
  } finally {
    view.close();
  }
}

/** The first row says it. */
function workspaceIn(rows: Iterable<JournalRow>): string {
  for (const { kind, body } of rows) return kind === 'session.started' ? body.spec.workspace : '/';
  return '/';
}

/**
 * Whether a command changes nothing: it reads or lists files, or is proven to do no more than the mode
 * `plan` allows. An estimate, from the folder as it is now.
 */
function looker(workspace: string, ouroHome: string): (command: string) => boolean {
  const created = createJudge({ mode: 'plan', allow: [], workspace, ouroHome });
  return (subject) => {
    if (readsFiles(subject)) return true;
    const request = { tool: 'shell', effect: 'execute', subject, cwd: workspace } as const;
    return created.ok && created.judge.judge(request).allowed;
  };
}
