/** The verbs that keep sessions going: on the installed program, and over a reboot. */
import type { Command } from 'commander';
import type { ServiceVerb } from './service.js';
import type { Surroundings } from './surroundings.js';

const JSON_FLAG = ['--json', 'print versioned JSON'] as const;

interface JsonFlag {
  readonly json?: boolean;
}

type Given = Pick<Surroundings, 'context' | 'finish'>;

export function addUpkeepVerbs(program: Command, { context, finish }: Given): void {
  program
    .command('restart')
    .description(
      'bring a session in the background to the installed program, once what runs is done',
    )
    .argument('[id]', 'a session: 4 or more characters of its id, or its name')
    .option('--all', 'every session in the background')
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, flags: JsonFlag & { all?: boolean }) => {
      const { restart } = await import('./restart.js');
      finish(await restart({ id, ...flags }, context()));
    });
  addServiceVerbs(program, { context, finish });
}

const SERVICE_VERBS: Readonly<Record<ServiceVerb, string>> = {
  install: 'have your service manager run it from now on; needs no root',
  uninstall: 'take it away again; sessions that run go on',
  print: 'print the unit and change nothing',
  status: 'whether it is installed and runs; exits 1 when not',
};

function addServiceVerbs(program: Command, { context, finish }: Given): void {
  const service = program
    .command('service')
    .description('bring back what was running after a reboot (systemd user unit, launchd agent)');
  for (const [verb, description] of Object.entries(SERVICE_VERBS)) {
    service
      .command(verb)
      .description(description)
      .option(...JSON_FLAG)
      .action(async (flags: JsonFlag) => {
        const loaded = await import('./service.js');
        finish(await loaded.service(verb as ServiceVerb, flags, context()));
      });
  }
  service
    .command('run')
    .description('what the service does: bring back sessions, in the foreground')
    .action(async () => {
      const { serviceRun } = await import('./service-run.js');
      const over = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
        process.once(signal, () => over.abort());
      finish(await serviceRun(context(), over.signal));
    });
}
