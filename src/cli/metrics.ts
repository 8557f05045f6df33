/**
 * `ouro metrics`: how well the tools were used, from the journal of one session or of all that worked in
 * this folder. Nothing is measured while a session works; everything is computed when it is asked for.
 */
import { realpathSync } from 'node:fs';
import { shortId } from '../../messages/ids.js';
import { count } from '../../tui/text/amounts.js';
import { sanitiseLine } from '../../tui/text/sanitise.js';
import { metricsOf, type Metric } from '../metrics/metrics.js';
import { countSession, sumOf, type SessionCounts } from '../metrics/session-counts.js';
import { readsFiles } from '../permissions/reads-files.js';
import { openJournalReader } from '../store/journal-store.js';
import { sessionDir } from '../store/layout.js';
import { listSessions, type StandingSession } from './liveness.js';
import { selectSession } from './select-session.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb, usage, type VerbFailure, type VerbOutput } from './verb-output.js';

export interface MetricsOptions {
  readonly id?: string | undefined;
  /** Every session that worked here, as one. */
  readonly all?: boolean | undefined;
  readonly json?: boolean | undefined;
}

export const metrics = (options: MetricsOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, (output) => {
    const chosen = chooseSessions(options, context);
    if ('code' in chosen) return output.fail(chosen);
    const counted = chosen.flatMap((session) => {
      const counts = countsOf(session, context, options.all === true ? output : null);
      return counts === null ? [] : [{ session, counts }];
    });
    const computed = metricsOf(sumOf(counted.map(({ counts }) => counts)));
    output.line(headline(counted.map(({ session }) => session)));
    for (const line of tableOf(computed)) output.line(line);
    const sessions = counted.map(({ session: { id, name } }) => ({ id, name }));
    output.data({ ok: true, sessions, metrics: computed });
    return EXIT_DONE;
  });

function chooseSessions(
  { id, all = false }: MetricsOptions,
  context: VerbContext,
): readonly StandingSession[] | VerbFailure {
  if (all && id !== undefined) return usage(`name a session or say --all, not both: ${id}`);
  if (all) return listSessions(context, { workspace: realpathSync(context.cwd), all: true });
  const selected = selectSession({ id, fitting: 'any' }, context);
  return selected.ok ? [selected.session] : selected.failure;
}

/** Null: its journal cannot be read, and `skip` was told so. Throws where there is nobody to tell. */
function countsOf(
  { id }: StandingSession,
  { home }: VerbContext,
  skip: VerbOutput | null,
): SessionCounts | null {
  try {
    const view = openJournalReader({ dir: sessionDir(home, id), session: id });
    try {
      return countSession(view.rows(), readsFiles);
    } finally {
      view.close();
    }
  } catch (error) {
    if (skip === null || !(error instanceof Error)) throw error;
    skip.note(`left out ${shortId(id)}: ${error.message}`);
    return null;
  }
}

function headline(sessions: readonly StandingSession[]): string {
  const [only, ...others] = sessions;
  if (only === undefined) return 'no session worked in this folder';
  if (others.length > 0) return `${sessions.length} sessions of this folder`;
  return `${shortId(only.id)}  ${sanitiseLine(only.name)}`;
}

function tableOf(measured: readonly Metric[]): readonly string[] {
  const rows = measured.map((metric) => [
    metric.verdict,
    valueText(metric),
    metric.target,
    metric.title,
  ]);
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row, index) => {
    const cells = widths.map((width, at) => row[at]?.padEnd(width) ?? '');
    return `${cells.join('  ')}  ${row[3] ?? ''} (${countsText(measured[index])})`;
  });
}

function valueText({ value, unit }: Metric): string {
  if (value === null) return '-';
  if (unit === 'share') return `${(value * 100).toFixed(1)} %`;
  return unit === 'ratio' ? `${value.toFixed(1)}x` : String(value);
}

const countsText = (metric: Metric | undefined): string =>
  Object.entries(metric?.counts ?? {})
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${count(value)}`)
    .join(', ');
