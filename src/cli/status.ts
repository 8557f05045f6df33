/** `ouro status`: one session as it stands now; of one that is not running what is known, and exit 1. */
import { shortId } from '../../messages/ids.js';
import type { Snapshot } from '../../messages/snapshot.js';
import { resultText } from '../../tui/result-text.js';
import { statusText } from '../../tui/tables.js';
import { dollars, duration, plural } from '../../tui/text/amounts.js';
import { fitWidth, sanitiseLine } from '../../tui/text/sanitise.js';
import { reach } from './ask-session.js';
import { endLine, howItEnded } from './how-it-ended.js';
import type { SessionEnd } from './how-it-ended.js';
import type { StandingSession } from './liveness.js';
import { resumeCommand, selectSession } from './select-session.js';
import { sessionJson } from './session-names.js';
import { wantsColour } from './verb-context.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb } from './verb-output.js';
import type { VerbFailure } from './verb-output.js';

export interface StatusOptions {
  readonly id?: string | undefined;
  readonly json?: boolean | undefined;
}

export const status = (options: StatusOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const selected = selectSession({ id: options.id, fitting: 'any' }, context);
    if (!selected.ok) return output.fail(selected.failure);
    const { session } = selected;
    const asked = await snapshotOf(session);
    if (asked.ok) {
      output.line(statusText(asked.snapshot, context.now()));
      output.data({ ok: true, snapshot: asked.snapshot });
      return EXIT_DONE;
    }
    const end = session.live ? null : howItEnded(context.home, session);
    output.line(knownText(session, end, context));
    const { code, message } = asked.failure;
    const details = { session: sessionJson(session), result: end?.result ?? null };
    return output.fail({ code, message: `${shortId(session.id)}: ${message}`, details });
  });

type Asked =
  | { readonly ok: true; readonly snapshot: Snapshot }
  | { readonly ok: false; readonly failure: VerbFailure };

export async function snapshotOf(session: StandingSession): Promise<Asked> {
  const reached = await reach(session);
  if (!reached.ok) return reached;
  try {
    const reply = await reached.client.request({ do: 'status' });
    if (reply.ok && reply.data !== null && 'version' in reply.data) {
      return { ok: true, snapshot: reply.data };
    }
    const message = reply.ok ? 'it answered without a snapshot' : reply.error.message;
    return { ok: false, failure: { code: 'no_answer', message } };
  } finally {
    reached.client.close();
  }
}

const LABEL_CELLS = 11;

/** What index and result say, in the form of a running session's status. */
function knownText(session: StandingSession, end: SessionEnd | null, context: VerbContext): string {
  const { updatedAt, startedAt, rounds, costUsd } = session;
  const ago = (at: number): string => `${duration(context.now() - at)} ago`;
  const lines: [string, string][] = [
    ['session', `${shortId(session.id)}  ${session.name}`],
    ['state', `${session.state}, started ${ago(startedAt)}, last heard of ${ago(updatedAt)}`],
    ['goal', session.goal],
    ['workspace', session.workspace],
    ['model', session.model],
    ['rounds', `${plural(rounds, 'round')}, cost ${dollars(costUsd)}`],
  ];
  if (end !== null && end.result === null) {
    lines.push(['ended', endLine(end)], ['go on', resumeCommand(session)]);
  }
  const text = lines.map(
    ([label, words]) => `${fitWidth(label, LABEL_CELLS)}${sanitiseLine(words)}`,
  );
  const result = end?.result ?? null;
  if (result !== null) text.push(resultText(result, { colour: wantsColour(context) }));
  return text.join('\n');
}
