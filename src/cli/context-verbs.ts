/** The verbs of `ouro context`. */
import type { Command } from 'commander';
import type { Surroundings } from './surroundings.js';

const ID =
  'a session: 4 or more characters of its id, or its name (default: the one of this folder)';
const JSON_FLAG = ['--json', 'print versioned JSON'] as const;

interface JsonFlag {
  readonly json?: boolean;
}

export function addContextVerbs(program: Command, { context, finish }: Surroundings): void {
  const group = program
    .command('context')
    .description('what an agent sends to its model, and how to take a compaction back');
  group
    .command('show')
    .description('how full the window is, what was masked or summarised, and what would be next')
    .argument('[id]', ID)
    .option('--agent <name>', 'of this agent (default: main)')
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, flags: JsonFlag & { agent?: string }) => {
      const { contextShow } = await import('./context-show.js');
      finish(await contextShow({ id, ...flags }, context()));
    });
  group
    .command('undo')
    .description('restore what a compaction took out, in a session that is not running')
    .argument('[id]', ID)
    .option('--row <seq>', 'this compaction, and every later one (default: the newest alone)')
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, flags: JsonFlag & { row?: string }) => {
      const { contextUndo } = await import('./context-undo.js');
      finish(await contextUndo({ id, ...flags }, context()));
    });
}
