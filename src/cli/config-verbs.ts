/** The verbs that show, check and explain the configuration, and that decide about a workspace's own files. */
import { Option, type Command } from 'commander';
import type { ConfigFlags } from './read-config.js';
import type { Surroundings } from './surroundings.js';

const JSON_FLAG = ['--json', 'print versioned JSON'] as const;

export function addConfigVerbs(
  program: Command,
  { context, finish }: Pick<Surroundings, 'context' | 'finish'>,
): void {
  const config = program
    .command('config')
    .description('show, check and explain the configuration; trust the files of a workspace');
  withSettings(config.command('show'))
    .description('every setting as a session here would get it; keys for servers are never printed')
    .option('--origin', 'and where each came from: a file and line, a variable, a flag')
    .action(async (flags: ConfigFlags & { origin?: boolean }) => {
      const { configShow } = await import('./config-show.js');
      finish(await configShow(flags, context()));
    });
  withSettings(config.command('check'))
    .description('exits 52 and names file, line and key where something is wrong, else 0')
    .action(async (flags: ConfigFlags) => {
      const { configCheck } = await import('./config-check.js');
      finish(await configCheck(flags, context()));
    });
  withPlaces(config.command('path'))
    .description('which files are read, and which of them are there')
    .action(async (flags: ConfigFlags) => {
      const { configPath } = await import('./config-path.js');
      finish(await configPath(flags, context()));
    });
  withSettings(config.command('explain'))
    .description(
      'what would become of a call, and which rule decides; exits 0 if it is allowed, 1 if it is refused or a person is asked',
    )
    .argument('<call>', "a tool and what it is for, such as 'shell(npm test)'")
    .action(async (call: string, flags: ConfigFlags) => {
      const { configExplain } = await import('./config-explain.js');
      finish(await configExplain({ call, ...flags }, context()));
    });
  config
    .command('trust')
    .description("show what a workspace's own files would do, and let them take effect")
    .argument('[dir]', 'the workspace (default: this folder)')
    .option('-y, --yes', 'do not ask')
    .option('--revoke', 'end the trust, also that of sessions')
    .option(...JSON_FLAG)
    .action(async (dir: string | undefined, flags: TrustFlags) => {
      const { configTrust } = await import('./config-trust.js');
      finish(await configTrust({ dir, ...flags }, context()));
    });
}

interface TrustFlags {
  readonly yes?: boolean;
  readonly revoke?: boolean;
  readonly json?: boolean;
}

const repeat = (value: string, before: readonly string[] | undefined): string[] => [
  ...(before ?? []),
  value,
];

const withPlaces = (verb: Command): Command =>
  verb
    .option('-C, --workspace <dir>', 'the folder that a session would work in (default: this one)')
    .option('--config <file>', 'read this file instead of the one in $OURO_HOME')
    .option('--trust-workspace', "as if the workspace's own files were trusted")
    .option(...JSON_FLAG);

/** Flags of a run that set something. */
const withSettings = (verb: Command): Command =>
  withPlaces(verb)
    .option('-m, --model <name>', 'as of a run')
    .option('--base-url <url>', 'as of a run')
    .option('--max-rounds <n>', 'as of a run')
    .option('--max-time <duration>', 'as of a run')
    .option('--permission-mode <mode>', 'as of a run')
    .addOption(new Option('--allow <rule>', 'as of a run; repeatable').argParser(repeat))
    .addOption(new Option('--deny <rule>', 'as of a run; repeatable').argParser(repeat))
    .addOption(new Option('--add-dir <dir>', 'as of a run; repeatable').argParser(repeat))
    .option('--sandbox <mode>', 'as of a run')
    .option('--network', 'as of a run');
