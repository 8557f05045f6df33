/**
 * What the scripted model of one session says, drawn by chance: commands that write into the ledger, alone,
 * beside each other, slow, talkative, with children that outlive them; files; sub-agents; and in between
 * answers that come in pieces, late, broken, or not at all. It goes on until it is told to finish.
 */
import type { z } from 'zod';
import type { Chance } from '../simulation/chance.js';
import { scenarioSchema } from '../src/rehearsal/scenario-schema.js';
import type { Scenario } from '../src/rehearsal/scenario.js';

type TurnFile = z.input<typeof scenarioSchema>['turn'][number];
type CallFile = NonNullable<TurnFile['calls']>[number];
type Fault = NonNullable<TurnFile['fault']>;

export const FINISH = 'Finish now.';
export const LAST_WORDS = 'Finished as asked.';

/** Rounds that differ; behind them the plainest one is repeated. */
const TURNS = 150;
const FAULTY = 0.08;
/** Kept over a death or two; then it ends by itself, so that there is room for others. */
const KEPT_SECONDS = 15;
const NOTES = ['note-1.md', 'note-2.md', 'note-3.md'];
/** Longer than any session of a run: such a process has to be ended by somebody. */
const OUTLIVING_SECONDS = 600;

/** The answer is lost, and the round is asked for again. Those that make a client wait are rare. */
const FAULTS: readonly (readonly [Fault, number])[] = [
  [{ kind: 'cut' }, 4],
  [{ kind: 'cut', after: 0 }, 2],
  [{ kind: 'status', status: 429, retry_after: 0 }, 3],
  [{ kind: 'status', status: 500, retry_after: 0 }, 3],
  [{ kind: 'status', status: 503, retry_after: 0 }, 2],
  [{ kind: 'error_in_200' }, 2],
  [{ kind: 'empty' }, 1],
  [{ kind: 'hang' }, 1],
  [{ kind: 'silence' }, 1],
];

const call = (name: string, args: Record<string, unknown>): CallFile => ({ name, args });

/** A command that does something to the ledger: its own call's id, as one line. */
const recording = (ledger: string, before: string, after: string): CallFile =>
  call('shell', { command: `${before}echo "$OURO_CALL" >> ${ledger}${after}` });

const pause = (chance: Chance): string => `sleep 0.0${chance.between(1, 6)}`;

type Work = (chance: Chance, ledger: string) => readonly CallFile[];

const plain: Work = (chance, ledger) => [
  recording(ledger, `${pause(chance)}; `, `; ${pause(chance)}; echo "$OURO_CALL"`),
];

/** Enough output, round after round, for a small window to fill up. */
const TALK = '; seq 1 400; echo "$OURO_CALL"';

const WORK: readonly (readonly [Work, number])[] = [
  [plain, 6],
  [(chance, ledger) => [recording(ledger, '', `; ${pause(chance)}${TALK}`)], 4],
  [(chance, ledger) => [...plain(chance, ledger), ...plain(chance, ledger)], 2],
  [
    (chance, ledger) => [
      call('write_file', { path: chance.pick(NOTES), content: `Round {{round}}.\n` }),
      ...plain(chance, ledger),
      call('list_dir', { path: '.' }),
    ],
    2,
  ],
  [
    (_, ledger) => [
      recording(
        ledger,
        `setsid sleep ${OUTLIVING_SECONDS} >/dev/null 2>&1 & `,
        '; echo "$OURO_CALL"',
      ),
    ],
    1,
  ],
  [() => [call('shell', { command: `sleep ${OUTLIVING_SECONDS}`, background: true })], 1],
  [
    () => [call('shell', { command: `sleep ${KEPT_SECONDS}`, background: true, keep: 'restart' })],
    1,
  ],
  [() => [call('delegate', { type: 'worker', task: 'Add a line to the ledger.' })], 1],
  [() => [call('think', { thought: 'On to round {{round}}.' })], 1],
];

export function sessionScript(chance: Chance, ledger: string): Scenario {
  const names = NOTES.join(', ');
  const turns: TurnFile[] = [
    {
      when: { contains: '<history>' },
      text: `The ledger was filled line by line; ${names} were written.`,
      delay_ms: 80,
      times: -1,
    },
    { when: { contains: FINISH }, text: LAST_WORDS, times: -1 },
    {
      when: { agent: 'sub', round: 1 },
      calls: [recording(ledger, 'sleep 0.02; ', '; sleep 0.02')],
      times: -1,
    },
    { when: { agent: 'sub' }, text: 'The line is there.', times: -1 },
    ...Array.from({ length: TURNS }, () => drawTurns(chance, ledger)).flat(),
    { calls: plain(chance, ledger), times: -1 },
  ] as TurnFile[];
  return scenarioSchema.parse({ name: 'chaos', goal: 'Fill the ledger.', turn: turns });
}

/** One round, with the failures that come before it. */
function drawTurns(chance: Chance, ledger: string): readonly TurnFile[] {
  const work = chance.weighted(WORK);
  const turn: TurnFile = { calls: [...work(chance, ledger)], ...drawPace(chance) };
  if (!chance.happens(FAULTY)) return [turn];
  return [{ ...turn, fault: chance.weighted(FAULTS) }, turn];
}

function drawPace(
  chance: Chance,
): Pick<TurnFile, 'delay_ms' | 'chunk' | 'chunk_delay_ms' | 'text'> {
  const delay = { delay_ms: chance.skewed(0, 120) };
  if (!chance.happens(0.3)) return delay;
  const text = 'One more line for the ledger, said at length. '.repeat(chance.between(5, 20));
  return { ...delay, text, chunk: 400, chunk_delay_ms: 3 };
}
