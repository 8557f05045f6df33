/**
 * `ouro wait`: blocks until sessions have ended, and exits as they did, so that a script can go on from
 * there; or until one is held. A session that is ended really is: its lock is free.
 */
import { DURATION_FORM, parseDuration } from '../../config/duration.js';
import { shortId } from '../../messages/ids.js';
import { selectSession } from './select-session.js';
import type { StandingSession } from './liveness.js';
import { endLine } from './how-it-ended.js';
import { watchFor } from './session-watch.js';
import type { Awaited, Sighting } from './session-watch.js';
import { EXIT_DONE, EXIT_NOT_POSSIBLE, runVerb, usage } from './verb-output.js';
import type { VerbFailure, VerbOutput } from './verb-output.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_WAIT_TIMEOUT } from '../../messages/session.js';
import { withDeadline } from './waiting-time.js';

export interface WaitOptions {
  /** None: the session of this workspace. */
  readonly ids: readonly string[];
  /** `end` unless said otherwise. */
  readonly for?: string | undefined;
  readonly timeout?: string | undefined;
  readonly json?: boolean | undefined;
}

export const wait = (options: WaitOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const plan = planOf(options);
    if ('code' in plan) return output.fail(plan);
    const sessions: StandingSession[] = [];
    for (const id of options.ids.length === 0 ? [undefined] : options.ids) {
      const selected = selectSession({ id, fitting: 'any' }, context);
      if (!selected.ok) return output.fail(selected.failure);
      sessions.push(selected.session);
    }
    const seen = await withDeadline(plan.timeoutMs, (over) =>
      Promise.all(sessions.map(({ id }) => watchFor(plan.what, id, context, over))),
    );
    return tell(
      output,
      sessions.map((session, at) => verdict(session, plan.what, seen[at])),
    );
  });

interface Plan {
  readonly what: Awaited;
  readonly timeoutMs: number | null;
}

function planOf({ for: what = 'end', timeout }: WaitOptions): Plan | VerbFailure {
  if (what === 'question') {
    return usage('--for question is not available in this version; use --for held or --for end');
  }
  if (what !== 'end' && what !== 'held') {
    return usage(`--for ${what}: expected end or held`);
  }
  const timeoutMs = timeout === undefined ? null : parseDuration(timeout);
  return timeout !== undefined && timeoutMs === null
    ? usage(`--timeout ${timeout}: expected ${DURATION_FORM}`)
    : { what, timeoutMs };
}

interface Verdict {
  readonly session: StandingSession;
  readonly exitCode: number;
  readonly line: string;
  /** False: what was waited for did not come. */
  readonly ok: boolean;
  readonly json: object;
}

function verdict(session: StandingSession, what: Awaited, sighting: Sighting | undefined): Verdict {
  const named = { session, json: { session: session.id } };
  if (sighting === undefined || sighting.kind === 'over') {
    const line = 'the time was over first';
    return { ...named, exitCode: EXIT_WAIT_TIMEOUT, line, ok: false };
  }
  if (sighting.kind === 'held') {
    const { holds } = sighting;
    const line = `held (${holds.map(({ kind }) => kind).join(', ')})`;
    return { ...named, exitCode: EXIT_DONE, line, ok: true, json: { ...named.json, holds } };
  }
  const { end } = sighting;
  const { status, exitCode, result } = end;
  const json = { ...named.json, status: status ?? 'interrupted', exit_code: exitCode, result };
  if (what === 'end') return { ...named, exitCode, line: endLine(end), ok: true, json };
  const line = `it ended without being held: ${endLine(end)}`;
  return { ...named, exitCode: EXIT_NOT_POSSIBLE, line, ok: false, json };
}

function tell(output: VerbOutput, verdicts: readonly Verdict[]): number {
  for (const { session, line, ok } of verdicts) {
    const text = `${shortId(session.id)}: ${line}`;
    if (ok) output.line(text);
    else output.note(text);
  }
  const missed = verdicts.find(({ ok }) => !ok);
  const code = missed?.exitCode === EXIT_WAIT_TIMEOUT ? 'timeout' : 'not_possible';
  const error = missed === undefined ? {} : { error: { code, message: missed.line } };
  const sessions = verdicts.map(({ json }) => json);
  output.data({ ok: missed === undefined, ...error, sessions });
  return verdicts.find(({ exitCode }) => exitCode !== EXIT_DONE)?.exitCode ?? EXIT_DONE;
}
