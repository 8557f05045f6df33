/**
 * `ouro set`: changes settings of a session. One that runs goes by them from its next round on; in one that
 * does not they are put on record, and hold when it goes on.
 */
import { shortId } from '../../messages/ids.js';
import type { SettingsChange } from '../../messages/settings-change.js';
import { argsOfChange } from '../control/set-args.js';
import { ask, reach, report, type Outcome } from './ask-session.js';
import { readSettings } from './given-settings.js';
import type { StandingSession } from './liveness.js';
import { selectSession } from './select-session.js';
import type { VerbContext } from './verb-context.js';
import { runVerb } from './verb-output.js';

export interface SetOptions {
  /** As typed: `[ID] KEY=VALUE...`. */
  readonly words: readonly string[];
  readonly json?: boolean | undefined;
}

export const set = (options: SetOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const given = readSettings(options.words);
    if ('code' in given) return output.fail(given);
    const selected = selectSession({ id: given.id, fitting: 'any' }, context);
    if (!selected.ok) return output.fail(selected.failure);
    const { session } = selected;
    const outcome = session.live
      ? await setRunning(session, given.change)
      : await setStopped(session, given.change, context);
    return report(output, [outcome]);
  });

async function setRunning(session: StandingSession, change: SettingsChange): Promise<Outcome> {
  const reached = await reach(session);
  if (!reached.ok) return { session, ok: false, ...reached.failure };
  const { version, capabilities } = reached.client.hello;
  reached.client.close();
  if (capabilities.includes('set')) {
    return ask(session, { do: 'set', args: argsOfChange(change) });
  }
  const id = shortId(session.id);
  const message =
    `it runs on ouro ${version}, which cannot change settings under way; ` +
    `bring it to the installed program first: ouro restart ${id}`;
  return { session, ok: false, code: 'not_possible', message };
}

async function setStopped(
  session: StandingSession,
  change: SettingsChange,
  context: VerbContext,
): Promise<Outcome> {
  const { changeStopped } = await import('../session-stopped-settings.js');
  const { configOf } = await import('./session-config.js');
  const done = await changeStopped({
    home: context.home,
    id: session.id,
    change,
    time: context,
    readConfig: () => configOf(session, context),
  });
  return done.ok
    ? { session, ...done }
    : { session, ok: false, code: 'not_possible', message: done.reason };
}
