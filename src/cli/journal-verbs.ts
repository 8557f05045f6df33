/** The verbs that read a session's journal: what it did, why, how it stood, and how to branch off. */
import type { Command } from 'commander';
import type { Surroundings } from './surroundings.js';

const ID =
  'a session: 4 or more characters of its id, or its name (default: the one of this folder)';
const JSON_FLAG = ['--json', 'print versioned JSON'] as const;

interface JsonFlag {
  readonly json?: boolean;
}

export function addJournalVerbs(
  program: Command,
  { context, finish }: Pick<Surroundings, 'context' | 'finish'>,
): void {
  program
    .command('report')
    .description('what a session did, changed, ran and used, what is unverified, and how to go on')
    .argument('[id]', ID)
    .option('--since <time>', 'only what happened from then on: a duration such as 12h, or a time')
    .option('--markdown', 'as Markdown')
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, flags: ReportFlags) => {
      const { report } = await import('./report.js');
      finish(await report({ id, ...flags }, context()));
    });
  program
    .command('show')
    .description('why it did that: a round with its request, answer, calls, and what decided')
    .argument('[id]', ID)
    .option('--round <n>', 'the round (default: the newest)')
    .option('--agent <name>', 'main, or a sub-agent such as sub-1 (default: main)')
    .option('--request', 'all messages of the request')
    .option('--call <id>', 'all of one call, such as main_3_1')
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, flags: ShowFlags) => {
      const { show } = await import('./show.js');
      finish(await show({ id, ...flags }, context()));
    });
  program
    .command('replay')
    .description('how a session stood at the end of a round, rebuilt from its journal')
    .argument('[id]', ID)
    .option('--at <round>', 'a round of the main agent, 0 for the beginning (default: the end)')
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, flags: JsonFlag & { at?: string }) => {
      const { replay } = await import('./replay.js');
      finish(await replay({ id, ...flags }, context()));
    });
  program
    .command('fork')
    .description('a new session that goes on from a round of another; files stay as they are')
    .argument('<id>', ID)
    .argument('[goal]', 'a further goal; - reads stdin, @FILE a file; piped stdin is appended')
    .requiredOption('--at <round>', 'the last round of the main agent to take over')
    .option('--name <name>', 'what to call the new session')
    .option(...JSON_FLAG)
    .action(async (id: string, goal: string | undefined, flags: ForkFlags) => {
      const { fork } = await import('./fork.js');
      const { readGoal } = await import('./goal.js');
      const read = await readGoal(goal, process.stdin);
      finish(await fork({ id, goal: read, ...flags }, context()));
    });
}

interface ReportFlags extends JsonFlag {
  readonly since?: string;
  readonly markdown?: boolean;
}

interface ShowFlags extends JsonFlag {
  readonly round?: string;
  readonly agent?: string;
  readonly request?: boolean;
  readonly call?: string;
}

interface ForkFlags extends JsonFlag {
  readonly at: string;
  readonly name?: string;
}
