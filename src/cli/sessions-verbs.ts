/** The verbs that keep order among sessions: list, look at, mark, remove and check them. */
import type { Command } from 'commander';
import type { Surroundings } from './surroundings.js';

const ID =
  'a session: 4 or more characters of its id, or its name (default: the one of this folder)';
const JSON_FLAG = ['--json', 'print versioned JSON'] as const;

interface JsonFlag {
  readonly json?: boolean;
}

type Around = Pick<Surroundings, 'context' | 'finish'>;

export function addSessionsVerbs(program: Command, around: Around): void {
  const sessions = program.command('sessions').description('list, mark, remove and check sessions');
  addLooking(sessions, around);
  addMarking(sessions, around);
  addRemoving(sessions, around);
}

function addLooking(sessions: Command, { context, finish }: Around): void {
  sessions
    .command('list')
    .description('all sessions, newest first, with their tags and sizes')
    .option('--workspace <dir>', 'only those that work there')
    .option('--state <state>', 'only those in this state, such as held or done')
    .option('--tag <tag>', 'only those with this tag')
    .option(...JSON_FLAG)
    .action(async (flags: JsonFlag & { workspace?: string; state?: string; tag?: string }) => {
      const { sessionsList } = await import('./sessions-list.js');
      finish(await sessionsList(flags, context()));
    });
  sessions
    .command('show')
    .description('what is known of a session, and where it is kept')
    .argument('[id]', ID)
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, flags: JsonFlag) => {
      const { sessionsShow } = await import('./sessions-list.js');
      finish(await sessionsShow({ id, ...flags }, context()));
    });
  sessions
    .command('verify')
    .description('whether a journal is as it was written; exits 1 and says where it is not')
    .argument('[id]', ID)
    .option('--all', 'every session')
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, flags: JsonFlag & { all?: boolean }) => {
      const { sessionsVerify } = await import('./sessions-verify.js');
      finish(await sessionsVerify({ id, ...flags }, context()));
    });
}

function addMarking(sessions: Command, { context, finish }: Around): void {
  for (const [verb, remove, description] of [
    ['tag', false, 'mark a session; one that has a tag is never pruned'],
    ['untag', true, 'take tags off a session'],
  ] as const) {
    sessions
      .command(verb)
      .description(description)
      .argument('<id>', ID)
      .argument('<tags...>', 'small letters, digits, dots, dashes and underlines')
      .option(...JSON_FLAG)
      .action(async (id: string, tags: string[], flags: JsonFlag) => {
        const { sessionsTag } = await import('./sessions-label.js');
        finish(await sessionsTag({ id, tags, remove, ...flags }, context()));
      });
  }
  sessions
    .command('rename')
    .description('give a session another name')
    .argument('<id>', ID)
    .argument('<name>', 'the new name')
    .option(...JSON_FLAG)
    .action(async (id: string, name: string, flags: JsonFlag) => {
      const { sessionsRename } = await import('./sessions-label.js');
      finish(await sessionsRename({ id, name, ...flags }, context()));
    });
}

function addRemoving(sessions: Command, { context, finish }: Around): void {
  sessions
    .command('rm')
    .description('remove sessions with all that they left behind; nothing brings them back')
    .argument('[ids...]', ID)
    .option(...JSON_FLAG)
    .action(async (ids: string[], flags: JsonFlag) => {
      const { sessionsRm } = await import('./sessions-rm.js');
      finish(await sessionsRm({ ids, ...flags }, context()));
    });
  sessions
    .command('prune')
    .description('remove what is over [retention]; never what runs or has a tag')
    .option('--dry-run', 'only say what would be removed')
    .option(...JSON_FLAG)
    .action(async (flags: JsonFlag & { dryRun?: boolean }) => {
      const { sessionsPrune } = await import('./sessions-prune.js');
      finish(await sessionsPrune(flags, context()));
    });
}
