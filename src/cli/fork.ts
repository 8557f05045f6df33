/** `ouro fork`: a new session that begins with the conversation of another up to a round. It starts nothing. */
import { randomUUID } from 'node:crypto';
import { shortId, type SessionId } from '../../messages/ids.js';
import { sanitiseLine } from '../../tui/text/sanitise.js';
import { parseRound } from '../replay/up-to-round.js';
import { forkSession } from '../session-fork.js';
import { sessionDir } from '../store/layout.js';
import type { ReadGoal } from './goal.js';
import { selectSession } from './select-session.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb, usage } from './verb-output.js';

export interface ForkOptions {
  readonly id: string;
  /** As typed. */
  readonly at: string;
  readonly name?: string | undefined;
  readonly goal: ReadGoal;
  readonly json?: boolean | undefined;
}

export const fork = (options: ForkOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const { id, at, name = null, goal } = options;
    const round = parseRound(at);
    if (round === null)
      return output.fail(usage(`--at ${at}: expected the number of a round; 0 is the beginning`));
    if (name?.trim() === '') return output.fail(usage('--name: expected a name that is not empty'));
    if (!goal.ok) return output.fail(usage(goal.ending.reason));
    if (goal.notice !== null) output.note(goal.notice);
    const selected = selectSession({ id, fitting: 'any' }, context);
    if (!selected.ok) return output.fail(selected.failure);
    const { home } = context;
    const origin = selected.session.id;
    const forked = await forkSession({
      home,
      origin: { dir: sessionDir(home, origin), session: origin },
      round,
      id: randomUUID() as SessionId,
      name,
      goal: goal.goal,
      time: context,
    });
    if (!forked.ok) return output.fail({ code: 'not_possible', message: forked.message });
    const { spec, rows, turnIsOver } = forked;
    const short = shortId(spec.id);
    const goOn = turnIsOver
      ? [`ouro run -r ${short} "a further goal"`]
      : [`ouro resume ${short}`, `ouro run -r ${short}`];
    output.line(`${short}  ${sanitiseLine(spec.name)}`);
    output.line(
      `  branched off ${shortId(origin)} after round ${round}; its files are as they are now`,
    );
    for (const command of goOn) output.line(`  ${command}`);
    const from = { session: origin, round, rows };
    output.data({ ok: true, session: spec.id, name: spec.name, forked_from: from, go_on: goOn });
    return EXIT_DONE;
  });
