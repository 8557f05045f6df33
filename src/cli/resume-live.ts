/** The half of `ouro resume` that is about sessions whose process lives: it lifts what a person set. */
import { ask, report } from './ask-session.js';
import type { StandingSession } from './liveness.js';
import { runVerb } from './verb-output.js';
import type { VerbContext } from './verb-context.js';

export type LiveResume =
  | { readonly handled: true; readonly code: number }
  /** It has no process: it is to be started from its journal. */
  | { readonly handled: false };

export async function resumeLive(
  session: StandingSession,
  { json }: { readonly json?: boolean | undefined },
  context: VerbContext,
): Promise<LiveResume> {
  if (!session.live) return { handled: false };
  const code = await runVerb(context, { json }, async (output) =>
    report(output, [await ask(session, { do: 'resume' })]),
  );
  return { handled: true, code };
}
