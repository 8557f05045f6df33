/** `ouro report`: what a session did while nobody looked, as text, Markdown or JSON. */
import { shortId } from '../../messages/ids.js';
import { reportMarkdown, reportText } from '../report/report-text.js';
import { sessionReport } from '../session-report.js';
import { sessionDir } from '../store/layout.js';
import { isLive } from './liveness.js';
import { startOf, TIME_FORM } from './log-selection.js';
import { selectSession } from './select-session.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb, usage } from './verb-output.js';

export interface ReportOptions {
  readonly id?: string | undefined;
  /** A duration back from now, or a time. */
  readonly since?: string | undefined;
  readonly markdown?: boolean | undefined;
  readonly json?: boolean | undefined;
}

export const report = (options: ReportOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const { id, since, markdown = false, json = false } = options;
    if (markdown && json) return output.fail(usage('choose --json or --markdown, not both'));
    const from = since === undefined ? null : startOf(since, context.now());
    if (since !== undefined && from === null)
      return output.fail(usage(`--since ${since}: expected ${TIME_FORM}`));
    const selected = selectSession({ id, fitting: 'any' }, context);
    if (!selected.ok) return output.fail(selected.failure);
    const { session } = selected;
    const { home } = context;
    // Asked before the journal is read: what is written later is not missed.
    const live = isLive(home, session.id);
    const found = sessionReport({
      place: { dir: sessionDir(home, session.id), session: session.id },
      since: from,
      now: context.now(),
      isLive: live,
    });
    if (found === null) {
      const message = `the journal of ${shortId(session.id)} does not say what the session is`;
      return output.fail({ code: 'not_possible', message });
    }
    // It may have been renamed since it was started.
    const { reportDiff } = await import('../session-diff.js');
    const diff = reportDiff(session, home);
    const named = { ...found, name: session.name, diff };
    output.line(markdown ? reportMarkdown(named) : reportText(named));
    output.data({ ok: true, report: named });
    return EXIT_DONE;
  });
