/** `ouro sessions export` and `import`: sessions in formats that other programs read. */
import { Option, type Command } from 'commander';
import { TRANSFER_FORMATS } from '../../messages/imported.js';
import type { ExportFlags } from './sessions-export.js';
import type { ImportFlags } from './sessions-import.js';
import type { Surroundings } from './surroundings.js';

export function addTransferVerbs(program: Command, { context, finish }: Surroundings): void {
  const sessions =
    program.commands.find((command) => command.name() === 'sessions') ??
    program.command('sessions').description('look after what is kept of sessions');
  sessions
    .command('export')
    .description('write a session in a format that other programs read')
    .argument('[id]', 'a session: 4 or more characters of its id, or its name')
    .addOption(
      new Option('--format <format>', 'how to write it')
        .choices([...TRANSFER_FORMATS])
        .default('claude'),
    )
    .option('-o, --output <path>', 'a file or folder to write to, instead of stdout')
    .option('--to-claude', 'to where Claude Code keeps the transcripts of the workspace')
    .option('--force', 'replace what stands there')
    .option('--json', 'print versioned JSON about what was written; needs -o or --to-claude')
    .action(async (id: string | undefined, flags: ExportFlags) => {
      const { exportSession } = await import('./sessions-export.js');
      finish(await exportSession({ id, ...flags }, context()));
    });
  sessions
    .command('import')
    .description("make a session out of another program's; it goes on with: ouro run -r ID")
    .argument(
      '<path>',
      'a transcript (.jsonl), a checkpoint (.json.gz), or a folder that holds one',
    )
    .addOption(
      new Option('--format <format>', 'how it is written (default: by its content)').choices([
        'claude',
        'checkpoint',
      ]),
    )
    .option('-C, --workspace <folder>', 'the folder it shall work in (default: this one)')
    .option('--name <name>', 'what to call it')
    .option('-m, --model <name>', 'the model it shall ask')
    .option('--base-url <url>', 'the server it shall ask')
    .option('--json', 'print versioned JSON')
    .action(async (path: string, flags: ImportFlags) => {
      const { importInto } = await import('./sessions-import.js');
      finish(await importInto({ path, ...flags }, context()));
    });
}
