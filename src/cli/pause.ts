/** `ouro pause`: no further request is sent; what runs finishes, or with `--now` the request is aborted. */
import { DURATION_FORM, parseClock, parseDuration } from '../../config/duration.js';
import type { Millis } from '../../messages/ids.js';
import { ask, report } from './ask-session.js';
import { selectSessions } from './select-session.js';
import { runVerb, usage } from './verb-output.js';
import type { VerbFailure } from './verb-output.js';
import type { VerbContext } from './verb-context.js';

export interface PauseOptions {
  readonly id?: string | undefined;
  readonly all?: boolean | undefined;
  readonly now?: boolean | undefined;
  /** A duration, after which it goes on by itself. */
  readonly for?: string | undefined;
  /** A time, at which it goes on by itself. */
  readonly until?: string | undefined;
  readonly json?: boolean | undefined;
}

export const pause = (options: PauseOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const end = endOfPause(options, context.now());
    if (end.failure !== undefined) return output.fail(end.failure);
    const selected = selectSessions({ id: options.id, all: options.all, fitting: 'live' }, context);
    if (!selected.ok) return output.fail(selected.failure);
    if (selected.sessions.length === 0) output.line('no session is running');
    const args = { now: options.now === true, until: end.until };
    const asked = selected.sessions.map((session) => ask(session, { do: 'pause', args }));
    return report(output, await Promise.all(asked));
  });

type EndOfPause =
  { readonly until: Millis | null; readonly failure?: never } | { readonly failure: VerbFailure };

function endOfPause({ for: length, until }: PauseOptions, now: Millis): EndOfPause {
  if (length !== undefined && until !== undefined) {
    return { failure: usage('say how long with --for or until when with --until, not both') };
  }
  if (length !== undefined) {
    const ms = parseDuration(length);
    return ms === null
      ? { failure: usage(`--for ${length}: expected ${DURATION_FORM}`) }
      : { until: now + ms };
  }
  if (until === undefined) return { until: null };
  const at = parseClock(until, now);
  return at === null
    ? {
        failure: usage(
          `--until ${until}: expected a time to come, such as 08:00 or 2030-01-31T08:00`,
        ),
      }
    : { until: at };
}
