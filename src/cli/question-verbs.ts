/** The verbs with which a person answers. */
import type { Command } from 'commander';
import type { Surroundings } from './surroundings.js';

const QUESTION = 'ID/q3, or q3 for the session of this folder';
const JSON_FLAG = ['--json', 'print versioned JSON'] as const;

interface JsonFlag {
  readonly json?: boolean;
}

export function addQuestionVerbs(
  program: Command,
  { context, finish }: Pick<Surroundings, 'context' | 'finish'>,
): void {
  program
    .command('questions')
    .description('list the open questions of all sessions')
    .option(...JSON_FLAG)
    .action(async (flags: JsonFlag) => {
      const { questions } = await import('./questions.js');
      finish(await questions(flags, context()));
    });
  program
    .command('answer')
    .description('answer a question with the number of a choice, or with text')
    .argument('<question>', QUESTION)
    .argument('<text>', 'a number, or text')
    .option('--edit <n>', 'the text is choice N, as you have changed it')
    .option(...JSON_FLAG)
    .action(async (question: string, text: string, flags: JsonFlag & { edit?: string }) => {
      const { answer } = await import('./answer.js');
      finish(await answer({ question, text, ...flags }, context()));
    });
  program
    .command('approve')
    .description('allow what a question asks for')
    .argument('<question>', QUESTION)
    .option('--session', 'and the same again for the rest of this session')
    .option(...JSON_FLAG)
    .action(async (question: string, flags: JsonFlag & { session?: boolean }) => {
      const { approve } = await import('./answer.js');
      finish(await approve({ question, ...flags }, context()));
    });
  program
    .command('deny')
    .description('refuse what a question asks for')
    .argument('<question>', QUESTION)
    .argument('[reason]', 'what the agent is told', '')
    .option(...JSON_FLAG)
    .action(async (question: string, reason: string, flags: JsonFlag) => {
      const { deny } = await import('./answer.js');
      finish(await deny({ question, reason, ...flags }, context()));
    });
}
