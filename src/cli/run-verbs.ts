/** The verbs that make sessions run: `run`, `start`, `resume`, `rehearse`. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Surroundings } from './surroundings.js';
import type { RunFlags } from './run-flags.js';

const GOAL_HELP = 'what is to be done; - reads stdin, @FILE a file; piped stdin is appended';

export function addRunVerbs(program: Command, { terminal, finish }: Surroundings): void {
  withOutputFlags(withSessionFlags(withModelFlags(program.command('run'))))
    .description('run in the foreground: a dashboard on a terminal, else headless')
    .argument('[goal]', GOAL_HELP)
    .option('-p, --print', 'headless: log lines on stderr, only the result on stdout')
    .option('--bg', 'in the background, like start')
    .action(async (goal: string | undefined, flags: RunFlags) => {
      const { run } = await import('./run.js');
      finish(await run({ goal, flags, background: false }, terminal));
    });
  withSessionFlags(withModelFlags(program.command('start')))
    .description('run in the background; prints the id and the commands to follow it')
    .argument('[goal]', GOAL_HELP)
    .action(async (goal: string | undefined, flags: RunFlags) => {
      const { run } = await import('./run.js');
      finish(await run({ goal, flags, background: true }, terminal));
    });
  withOutputFlags(withSessionFlags(program.command('rehearse')))
    .description('run against the built-in scripted model server: no real model, no cost')
    .argument(
      '<scenario>',
      'name of a bundled scenario (survey, ledger, rounds, faults), a TOML file, or a recording',
    )
    .argument('[goal]', 'what is to be done; the scenario has a goal of its own')
    .option('-p, --print', 'headless: log lines on stderr, only the result on stdout')
    .option('--bg', 'in the background')
    .option('--serve', 'only serve the scenario; prints the address and stays until a signal')
    .addOption(portOption())
    .action(async (scenario: string, goal: string | undefined, flags: RehearseFlags) => {
      const { rehearse, serveScenario } = await import('./rehearse.js');
      finish(
        flags.serve === true
          ? await serveScenario(scenario, flags.port, terminal)
          : await rehearse({ scenario, goal, flags }, terminal),
      );
    });
}

interface RehearseFlags extends RunFlags {
  readonly serve?: boolean;
  readonly port: number;
}

const portOption = (): Option =>
  new Option('--port <number>', 'port for --serve; 0 takes a free one')
    .default(0)
    .argParser(portOf);

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('Expected a whole number from 0 to 65535.');
}

const repeat = (value: string, before: readonly string[] | undefined): string[] => [
  ...(before ?? []),
  value,
];

/** What every session is told. */
function withSessionFlags(verb: Command): Command {
  return verb
    .option('-C, --workspace <dir>', 'the folder to work in (default: this one)')
    .addOption(
      new Option(
        '--add-dir <dir>',
        'a further folder in which tools may read and write; repeatable',
      ).argParser(repeat),
    )
    .option('--name <name>', 'what to call the session in lists')
    .option('--max-rounds <n>', 'end after this many model requests (headless: 200)')
    .addOption(new Option('--max-turns <n>', 'the same as --max-rounds').hideHelp())
    .option(
      '--max-time <duration>',
      'end after this much working time, such as 90m (headless: 60m)',
    )
    .option('--max-cost <dollars>', 'spend no more than this, or "none" (a paid server: 2)')
    .addOption(new Option('--max-budget-usd <dollars>', 'the same as --max-cost').hideHelp())
    .option('--max-tokens <n>', 'use no more tokens than this, of all agents together')
    .option('--output-schema <file>', 'the final answer has to be JSON that fits this JSON Schema')
    .addOption(new Option('--json-schema <file>', 'the same as --output-schema').hideHelp())
    .option('--plan', 'plan first: change nothing until a plan is submitted')
    .option('--no-plan', 'do not, whatever the configuration says')
    .option('--permission-mode <mode>', 'default, accept-edits, plan, dont-ask or bypass')
    .addOption(
      new Option(
        '--allow <rule>',
        'allow what the mode would refuse, such as "shell(npm test*)"; repeatable',
      ).argParser(repeat),
    )
    .addOption(
      new Option(
        '--deny <rule>',
        'refuse what would be allowed; wins over --allow; repeatable',
      ).argParser(repeat),
    )
    .addOption(
      new Option('--disallowed-tools <rule>', 'the same as --deny').argParser(repeat).hideHelp(),
    )
    .addOption(
      new Option('--allowed-tools <rule>', 'the same as --allow').argParser(repeat).hideHelp(),
    )
    .addOption(
      new Option(
        '--on-question <what>',
        'who answers a question: wait for a person, deny at once, or fail (headless: deny)',
      ).choices(['wait', 'deny', 'fail']),
    )
    .option('--sandbox <mode>', 'confine commands: auto, require or off (default: auto)')
    .option('--network', 'commands in the sandbox may reach the network')
    .option(
      '--trust-workspace',
      "let the workspace's own configuration and .env count for this session",
    )
    .option('--share-workspace', 'let another session write in the same workspace')
    .option('--worktree', 'work in a new git worktree of this repository, on a branch of its own')
    .option('--tolerate-denials', 'a denied call does not make the run a failure')
    .option('--config <file>', 'read this file instead of the one in $OURO_HOME')
    .option('--log-level <level>', 'trace, debug, info, warn, error or silent');
}

/** Who answers: a server, or the session that has one already. */
const withModelFlags = (verb: Command): Command =>
  verb
    .option('-c, --continue', "go on with this workspace's newest session")
    .option('-r, --resume <id>', 'go on with the session of this id')
    .option('-m, --model <name>', 'the model to ask')
    .option('--record <file>', "write the model's answers into this new file, for ouro rehearse")
    .addOption(
      new Option(
        '--fallback-model <name>',
        'asked for a round when the model cannot answer; repeatable, in this order',
      ).argParser(repeat),
    )
    .option(
      '--base-url <url>',
      'an OpenAI-compatible model server, such as http://127.0.0.1:11434/v1',
    );

/** For runs in the foreground. */
const withOutputFlags = (verb: Command): Command =>
  verb
    .addOption(
      new Option('--output-format <format>', 'what stdout gets; implies headless').choices([
        'text',
        'json',
        'stream-json',
      ]),
    )
    .option(
      '--max-wait <duration>',
      'headless: wait this long for a model server that is away (default: 5m; 0: do not wait)',
    )
    .option('-o, --output-file <file>', 'write the result to a file too; implies headless')
    .option('--log-format <format>', 'pretty or json (default: JSON where CI is set)')
    .option('-q, --quiet', 'errors only on stderr')
    .option('-v, --verbose', 'more on stderr');
