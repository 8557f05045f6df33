/** The verbs that show what a session changed in its files, and put it back. */
import type { Command } from 'commander';
import type { Surroundings } from './surroundings.js';

const ID = 'a session: 4 or more characters of its id, or its name';
const JSON_FLAG = ['--json', 'print versioned JSON'] as const;

interface UndoFlags {
  readonly to?: string;
  readonly dryRun?: boolean;
  readonly partial?: boolean;
  readonly json?: boolean;
}

export function addUndoVerbs(
  program: Command,
  { context, finish }: Pick<Surroundings, 'context' | 'finish'>,
): void {
  program
    .command('diff')
    .description('what a session changed in its files, as a patch; what cannot be undone on stderr')
    .argument('[id]', `${ID} (default: the one of this folder)`)
    .option('--stat', 'only the files, with the number of lines')
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, flags: { stat?: boolean; json?: boolean }) => {
      const { diff } = await import('./diff.js');
      finish(await diff({ id, ...flags }, context()));
    });
  program
    .command('undo')
    .description('put back what a session changed in its files')
    .argument('[id]', ID)
    .option('--to <round>', 'only what was changed after this round')
    .option('--dry-run', 'say what would be done, and do nothing')
    .option('--partial', 'leave out what somebody else changed since, instead of refusing')
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, flags: UndoFlags) => {
      const { undo } = await import('./undo.js');
      finish(await undo({ id, ...flags }, context()));
    });
}
