/** The verb `doctor`. */
import type { Command } from 'commander';
import type { Surroundings } from './surroundings.js';
import type { DoctorFlags } from './doctor.js';

export function addDoctorVerb(program: Command, { context, finish }: Surroundings): void {
  program
    .command('doctor')
    .description('look at everything that a session needs; exits 1 if something is wrong')
    .option('--endpoint <name>', 'ask this [endpoints.NAME] instead of the chosen one')
    .option('-m, --model <name>', 'ask about this model')
    .option('--base-url <url>', 'ask the model server at this address')
    .option('--probe', 'spend a few tokens on a server that may cost money, to try the model out')
    .option('-C, --workspace <dir>', 'the folder that a session would work in (default: this one)')
    .option('--config <file>', 'read this file instead of the one in $OURO_HOME')
    .option('--json', 'print versioned JSON')
    .action(async (flags: DoctorFlags) => {
      const { doctor } = await import('./doctor.js');
      finish(await doctor(flags, context()));
    });
}
