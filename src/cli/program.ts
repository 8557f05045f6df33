/**
 * The command line: every verb, its arguments, flags and help. What a verb does is loaded when it is used,
 * so that verbs that only talk to a session start at once.
 */
import { Command, CommanderError } from 'commander';
import { nearest } from '../../config/nearest.js';
import { EXIT_CODES } from '../../messages/session.js';
import { VERSION } from '../version.js';
import type { Terminal } from './run-end.js';
import { addConfigVerbs } from './config-verbs.js';
import { addCostVerb } from './cost-verb.js';
import { addJournalVerbs } from './journal-verbs.js';
import { addContextVerbs } from './context-verbs.js';
import { addDoctorVerb } from './doctor-verb.js';
import { addQuestionVerbs } from './question-verbs.js';
import type { Surroundings } from './surroundings.js';
import { addRunVerbs } from './run-verbs.js';
import { addTransferVerbs } from './session-transfer.js';
import { addUndoVerbs } from './undo-verbs.js';
import { addSessionVerbs } from './session-verbs.js';
import { addSessionsVerbs } from './sessions-verbs.js';
import { addUpkeepVerbs } from './upkeep-verbs.js';
import { verbContext } from './verb-context.js';

/** Runs one command line and returns its exit code. */
export async function runProgram(words: readonly string[]): Promise<number> {
  const terminal: Terminal = { out: process.stdout, err: process.stderr, env: process.env };
  let code = 0;
  const surroundings: Surroundings = {
    terminal,
    context: () => verbContext(terminal),
    finish: (result) => {
      code = result;
    },
  };
  const program = new Command('ouro')
    .description('An autonomous agent you can leave running.')
    .version(`ouro ${VERSION}`, '-V, --version', 'print the version')
    .exitOverride()
    .enablePositionalOptions()
    .argument('[verb]')
    .action(async (verb: string | undefined) => {
      if (verb !== undefined) refuseVerb(program, verb);
      const { overview } = await import('./overview.js');
      code = await overview(verbContext(terminal));
    });
  addRunVerbs(program, surroundings);
  addSessionVerbs(program, surroundings);
  addJournalVerbs(program, surroundings);
  addSessionsVerbs(program, surroundings);
  addUndoVerbs(program, surroundings);
  addQuestionVerbs(program, surroundings);
  addConfigVerbs(program, surroundings);
  addCostVerb(program, surroundings);
  addTransferVerbs(program, surroundings);
  addContextVerbs(program, surroundings);
  addDoctorVerb(program, surroundings);
  addUpkeepVerbs(program, surroundings);
  try {
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : usageError(error, words, terminal);
  }
}

function refuseVerb(program: Command, verb: string): never {
  const meant = nearest(
    verb,
    program.commands.map((command) => command.name()),
  );
  const hint = meant === null ? 'ouro --help lists them all' : `did you mean ${meant}?`;
  program.error(`error: unknown verb '${verb}'; ${hint}`);
}

/** A misused run says so in the form it was asked for; the person has been told already. */
async function usageError(
  error: CommanderError,
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const format = /--output-format[= ](json|stream-json)\b/.exec(words.join(' '))?.[1];
  if (format === 'json' || format === 'stream-json') {
    const { emptyResult } = await import('../session/run-result.js');
    const { jsonLine } = await import('../../tui/text/json.js');
    const result = emptyResult({ status: 'usage', reason: error.message, text: '' });
    terminal.out.write(`${jsonLine(result)}\n`);
  }
  return EXIT_CODES.usage;
}
