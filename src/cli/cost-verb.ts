/** The verb `cost`. */
import { Option, type Command } from 'commander';
import type { Surroundings } from './surroundings.js';
import type { CostOptions } from './cost.js';

export function addCostVerb(program: Command, { context, finish }: Surroundings): void {
  program
    .command('cost')
    .description('what sessions cost, those included that are not there any more')
    .argument('[id]', 'only this session: 4 or more characters of its id, or its name')
    .addOption(
      new Option(
        '--by <what>',
        'one line for each of these (default: session; of one: model)',
      ).choices(['session', 'day', 'month', 'model']),
    )
    .option('--since <time>', 'only from that day on: a duration such as 7d, or a date')
    .option('--json', 'print versioned JSON')
    .action(async (id: string | undefined, flags: Omit<CostOptions, 'id'>) => {
      const { cost } = await import('./cost.js');
      finish(await cost({ id, ...flags }, context()));
    });
}
