/** `ouro replay`: how a session stood at the end of any round, rebuilt from its journal. Changes nothing. */
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
    const { snapshot, todos, rows } = moment;
    output.data({ ok: true, round: moment.round, rows, at: moment.at, snapshot, todos });
    return EXIT_DONE;
  });

const tooLate = (id: Parameters<typeof shortId>[0], last: number, round: number): string =>
  `session ${shortId(id)} has come to round ${last}, not to ${round}: ouro replay ${shortId(id)} --at ${last}`;

const LABEL_CELLS = 11;

function momentText({ snapshot, todos, at, rows, round }: Moment): string {
  const lines: [string, string][] = [
    ['moment', `${stamp(at)}, after round ${round} of main, ${rows} rows`],
    ...snapshot.questions.map((one): [string, string] => ['asked', `${one.id} ${promptOf(one)}`]),
    ...todos.map(({ task, done }): [string, string] => ['todo', `[${done ? 'x' : ' '}] ${task}`]),
  ];
  const told = lines.map(
    ([label, words]) => `${fitWidth(label, LABEL_CELLS)}${sanitiseLine(words)}`,
  );
  return [statusText(snapshot, at), ...told].join('\n');
}
