/**
 * `ouro replay`: how a session stood at the end of any round, rebuilt from its journal, and whether the
 * checkpoints on the way say the same. Changes nothing.
 */
import { shortId } from '../../messages/ids.js';
import { promptOf } from '../../messages/questions.js';
import { statusText } from '../../tui/tables.js';
import { fitWidth, sanitiseLine } from '../../tui/text/sanitise.js';
import { stamp } from '../../tui/text/amounts.js';
import { parseRound } from '../replay/up-to-round.js';
import { momentOf, type Moment } from '../session-moment.js';
import { sessionDir } from '../store/layout.js';
import { selectSession } from './select-session.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb, usage } from './verb-output.js';

export interface ReplayOptions {
  readonly id?: string | undefined;
  /** As typed: a round of the main agent; left out: the end. */
  readonly at?: string | undefined;
  readonly json?: boolean | undefined;
}

export const replay = (options: ReplayOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, (output) => {
    const { id, at } = options;
    const round = at === undefined ? null : parseRound(at);
    if (at !== undefined && round === null)
      return output.fail(usage(`--at ${at}: expected the number of a round; 0 is the beginning`));
    const selected = selectSession({ id, fitting: 'any' }, context);
    if (!selected.ok) return output.fail(selected.failure);
    const { session } = selected;
    const place = { dir: sessionDir(context.home, session.id), session: session.id };
    const moment = momentOf(place, round);
    if (moment === null) {
      const message = `the journal of ${shortId(session.id)} does not say what the session is`;
      return output.fail({ code: 'not_possible', message });
    }
    const fork = moment.forkedFrom;
    if (round !== null && fork !== null && round < fork.round) {
      const message = `session ${shortId(session.id)} has its first ${fork.round} rounds from another: ouro replay ${shortId(fork.session)} --at ${round}`;
      return output.fail({ code: 'not_possible', message });
    }
    if (round !== null && moment.round < round)
      return output.fail({
        code: 'not_possible',
        message: tooLate(session.id, moment.round, round),
      });
    output.line(momentText(moment));
    const { snapshot, todos, rows, at: when } = moment;
    const checkpoints = checkpointsJson(moment);
    const told = { round: moment.round, rows, at: when, snapshot, todos, checkpoints };
    if (checkpoints.differs !== null)
      return output.fail({
        code: 'not_possible',
        message: differing(checkpoints.differs),
        details: told,
      });
    output.data({ ok: true, ...told });
    return EXIT_DONE;
  });

const checkpointsJson = ({ checkpoints }: Moment) => ({
  agree: checkpoints.agreeing,
  unchecked: checkpoints.unchecked,
  differs: checkpoints.disagreement,
});

type Disagreement = NonNullable<Moment['checkpoints']['disagreement']>;

const differing = ({ seq, round, path }: Disagreement): string =>
  `the checkpoint in row ${seq}, of round ${round}, does not say what the rows before it say: ${path} is another. ` +
  'What is shown here is what the rows say. Something in ouro depends on more than its journal, which is a bug: please report it.';

/** Null: there are none. */
function checkpointsText({ checkpoints: { agreeing, unchecked } }: Moment): string | null {
  const agree = `${agreeing} checkpoint${agreeing === 1 ? ' agrees' : 's agree'} with the journal`;
  const others = `${unchecked} of another form not checked`;
  const told = [...(agreeing === 0 ? [] : [agree]), ...(unchecked === 0 ? [] : [others])];
  return told.length === 0 ? null : told.join(', ');
}

const tooLate = (id: Parameters<typeof shortId>[0], last: number, round: number): string =>
  `session ${shortId(id)} has come to round ${last}, not to ${round}: ouro replay ${shortId(id)} --at ${last}`;

const LABEL_CELLS = 11;

function momentText(moment: Moment): string {
  const { snapshot, todos, at, rows, round } = moment;
  const checkpoints = checkpointsText(moment);
  const lines: [string, string][] = [
    ['moment', `${stamp(at)}, after round ${round} of main, ${rows} rows`],
    ...snapshot.questions.map((one): [string, string] => ['asked', `${one.id} ${promptOf(one)}`]),
    ...todos.map(({ task, done }): [string, string] => ['todo', `[${done ? 'x' : ' '}] ${task}`]),
    ...(checkpoints === null ? [] : [['checked', checkpoints] as [string, string]]),
  ];
  const told = lines.map(
    ([label, words]) => `${fitWidth(label, LABEL_CELLS)}${sanitiseLine(words)}`,
  );
  return [statusText(snapshot, at), ...told].join('\n');
}
