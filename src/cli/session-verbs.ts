/** The verbs that look at sessions and steer them. Each loads what it needs when it is used. */
import type { Command } from 'commander';
import { SETTING_KEYS } from '../../messages/settings-change.js';
import type { Surroundings } from './surroundings.js';

const ID =
  'a session: 4 or more characters of its id, or its name (default: the one of this folder)';
const JSON_FLAG = ['--json', 'print versioned JSON'] as const;

interface JsonFlag {
  readonly json?: boolean;
}
interface AllFlag extends JsonFlag {
  readonly all?: boolean;
}

export function addSessionVerbs(program: Command, { context, finish }: Surroundings): void {
  program
    .command('ls')
    .description('list the sessions that have not ended, waiting ones first')
    .option('-a, --all', 'also those that have ended')
    .option('-w, --watch', 'again every second, until Ctrl+C')
    .option(...JSON_FLAG)
    .action(async (flags: AllFlag & { watch?: boolean }) => {
      const { ls } = await import('./ls.js');
      finish(await ls(flags, context()));
    });
  program
    .command('status')
    .description("one session's state; exits 1 when it is not running")
    .argument('[id]', ID)
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, flags: JsonFlag) => {
      const { status } = await import('./status.js');
      finish(await status({ id, ...flags }, context()));
    });
  program
    .command('attach')
    .description('watch a running session: a dashboard, or scrolling lines')
    .argument('[id]', ID)
    .option('--plain', 'scrolling lines, also on a terminal')
    .action(async (id: string | undefined, flags: { plain?: boolean }) => {
      const { attach } = await import('./attach.js');
      finish(await attach({ id, ...flags }, context()));
    });
  program
    .command('logs')
    .description('what the agents did, one line an event; also of a session that has ended')
    .argument('[id]', ID)
    .option('-f, --follow', 'go on until the session ends')
    .option('-n, --lines <n>', 'only the newest lines')
    .option('--since <time>', 'only from then on: a duration such as 10m, or a time')
    .option('--agent <name>', 'only what this agent did')
    .option('--daemon', "the process's own diagnostics")
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, flags: LogsFlags) => {
      const { logs } = await import('./logs.js');
      finish(await logs({ id, ...flags }, context()));
    });
  program
    .command('metrics')
    .description('how well the tools were used, each measure with its target; from the journal')
    .argument('[id]', ID)
    .option('--all', 'all sessions of this folder together')
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, flags: AllFlag) => {
      const { metrics } = await import('./metrics.js');
      finish(await metrics({ id, ...flags }, context()));
    });
  addSteeringVerbs(program, { context, finish });
}

interface LogsFlags extends JsonFlag {
  readonly follow?: boolean;
  readonly lines?: string;
  readonly since?: string;
  readonly agent?: string;
  readonly daemon?: boolean;
}

type Steering = Pick<Surroundings, 'context' | 'finish'>;

function addSteeringVerbs(program: Command, { context, finish }: Steering): void {
  program
    .command('pause')
    .description('send no further request; what is running finishes')
    .argument('[id]', ID)
    .option('--all', 'every running session')
    .option('--now', 'break off the running model request')
    .option('--for <duration>', 'go on by itself after this, such as 2h')
    .option('--until <time>', 'go on by itself then, such as 08:00')
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, flags: PauseFlags) => {
      const { pause } = await import('./pause.js');
      finish(await pause({ id, ...flags }, context()));
    });
  program
    .command('resume')
    .description('lift a pause; a session that is not running goes on from its journal')
    .argument('[id]', ID)
    .option('--all', 'every session that is held or was cut off')
    .option('--add-cost <dollars>', "raise the session's limits of cost by this")
    .option('--add-tokens <n>', 'raise its limit of tokens')
    .option('--add-time <duration>', 'raise its limit of working time, such as 1h')
    .option('--salvage', 'set a damaged journal aside and go on from its last good row')
    .option('--force', 'also when it is held for being stuck, or for how it ended')
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, flags: ResumeFlags) => {
      const { resume } = await import('./resume.js');
      finish(await resume({ id, ...flags }, context()));
    });
  program
    .command('send')
    .description('say something to the agent; it reads it before its next request')
    .argument('<words...>', '[ID] TEXT')
    .option('--queue', 'after this turn instead')
    .option(...JSON_FLAG)
    .action(async (words: string[], flags: JsonFlag & { queue?: boolean }) => {
      const { send } = await import('./send.js');
      finish(await send({ words, ...flags }, context()));
    });
  program
    .command('set')
    .description(
      'change settings of a session, from its next round on; KEY=none takes a limit away',
    )
    .argument('<words...>', `[ID] KEY=VALUE...; keys: ${SETTING_KEYS.join(', ')}`)
    .option(...JSON_FLAG)
    .action(async (words: string[], flags: JsonFlag) => {
      const { set } = await import('./set.js');
      finish(await set({ words, ...flags }, context()));
    });
  program
    .command('stop')
    .description('end a session; it can be resumed')
    .argument('[id]', ID)
    .option('--all', 'every running session')
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, flags: AllFlag) => {
      const { stop } = await import('./stop.js');
      finish(await stop({ id, ...flags }, context()));
    });
  program
    .command('kill')
    .description('end a session without grace, also one that does not answer')
    .argument('[id]', ID)
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, flags: JsonFlag) => {
      const { kill } = await import('./kill.js');
      finish(await kill({ id, ...flags }, context()));
    });
  program
    .command('wait')
    .description("wait for sessions to end; exits with the session's exit code")
    .argument('[ids...]', ID)
    .option('--for <what>', 'end or held', 'end')
    .option('--timeout <duration>', 'give up after this, with exit code 124')
    .option(...JSON_FLAG)
    .action(async (ids: string[], flags: JsonFlag & { for: string; timeout?: string }) => {
      const { wait } = await import('./wait.js');
      finish(await wait({ ids, ...flags }, context()));
    });
}

interface ResumeFlags extends AllFlag {
  readonly salvage?: boolean;
  readonly force?: boolean;
  readonly addCost?: string;
  readonly addTokens?: string;
  readonly addTime?: string;
}

interface PauseFlags extends AllFlag {
  readonly now?: boolean;
  readonly for?: string;
  readonly until?: string;
}
