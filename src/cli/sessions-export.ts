/**
 * `ouro sessions export`: to stdout, to a file or folder, or to where Claude Code looks. Nothing that stands
 * there is replaced unless asked; what is written can be read by its owner alone.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TransferFormat } from '../../messages/imported.js';
import { inertJson } from '../../tui/text/json.js';
import {
  checkpointExport,
  claudeExport,
  roundsExport,
  transcriptIn,
  withRows,
  type ClaudeExport,
} from '../session-export.js';
import { writeFileAtomic } from '../store/atomic-file.js';
import { partOf, sideFolder } from '../transfer/find-source.js';
import { PART_BYTES } from '../transfer/line-reader.js';
import { claudeTranscript } from '../transfer/project-folder.js';
import { TranscriptFilesWriter } from '../transfer/transcript-files.js';
import { selectSession } from './select-session.js';
import type { StandingSession } from './liveness.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb, usage, type VerbFailure, type VerbOutput } from './verb-output.js';

export interface ExportFlags {
  readonly format: TransferFormat;
  readonly output?: string;
  readonly toClaude?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

interface ExportOptions extends ExportFlags {
  readonly id?: string | undefined;
}

/** Lines between two looks at whether the reader keeps up. */
const LINES_AT_ONCE = 64;

type Rows = Parameters<Parameters<typeof withRows>[2]>[0];

interface Job {
  readonly options: ExportOptions;
  readonly context: VerbContext;
  readonly output: VerbOutput;
  readonly session: StandingSession;
  readonly rows: Rows;
}

export const exportSession = (options: ExportOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const misuse = misuseOf(options);
    if (misuse !== null) return output.fail(misuse);
    const selected = selectSession({ id: options.id, fitting: 'any' }, context);
    if (!selected.ok) return output.fail(selected.failure);
    const { session } = selected;
    const written = await withRows(context.home, session.id, (rows) =>
      write({ options, context, output, session, rows }),
    );
    if (written === null) return EXIT_DONE;
    if ('code' in written) return output.fail(written);
    for (const file of written) output.line(file);
    output.data({ ok: true, session: session.id, format: options.format, files: written });
    return EXIT_DONE;
  });

function misuseOf({
  format,
  output,
  toClaude = false,
  json = false,
}: ExportOptions): VerbFailure | null {
  if (toClaude && format !== 'claude')
    return usage(`--to-claude is for --format claude, not ${format}`);
  if (toClaude && output !== undefined) return usage('say -o or --to-claude, not both');
  const toStdout = output === undefined && !toClaude;
  if (toStdout && format === 'rounds')
    return usage('--format rounds writes many files: name a folder with -o DIR');
  return toStdout && json
    ? usage('--json tells what was written where: name a place with -o')
    : null;
}

/** The files that were written; null: it went to stdout. */
async function write(job: Job): Promise<readonly string[] | VerbFailure | null> {
  switch (job.options.format) {
    case 'claude':
      return writeClaude(job);
    case 'checkpoint':
      return writeCheckpoint(job);
    case 'rounds':
      return writeRounds(job);
  }
}

async function writeClaude(job: Job): Promise<readonly string[] | VerbFailure | null> {
  const { options, context, output, session, rows } = job;
  const { toClaude = false } = options;
  const made = claudeExport(rows, context.home, session.id, { asOwn: toClaude });
  for (const notice of made.notices) output.note(notice);
  if (options.output === undefined && !toClaude) {
    await printClaude(made, context, output);
    return null;
  }
  const file = toClaude
    ? claudeTranscript(context.env, session.workspace, session.id)
    : placeOf(options.output ?? '', context, (folder) => transcriptIn(folder, made.session));
  const taken = [file, partOf(file, 2), sideFolder(file)].find((path) => existsSync(path));
  if (taken !== undefined && options.force !== true) return isTaken(taken);
  // Claude Code reads one file a session, however long.
  const files = new TranscriptFilesWriter(file, toClaude ? Infinity : PART_BYTES);
  try {
    for (const { side, bytes } of made.lines()) {
      if (side === null) files.main(bytes);
      else files.side(side, bytes);
    }
  } catch (error) {
    files.abandon();
    throw error;
  }
  return files.finish();
}

/** Sub-agents stand among the other lines, marked as sidechains. */
async function printClaude(
  made: ClaudeExport,
  { out }: VerbContext,
  output: VerbOutput,
): Promise<void> {
  const isTerminal = 'isTTY' in out && out.isTTY === true;
  let printed = 0;
  for (const { bytes } of made.lines()) {
    const text = bytes.toString('utf8');
    output.raw(`${isTerminal ? inertJson(text) : text}\n`);
    printed += 1;
    if (printed % LINES_AT_ONCE === 0) await output.flushed();
    if (!output.isRead) return;
  }
}

async function writeCheckpoint(job: Job): Promise<readonly string[] | VerbFailure | null> {
  const { options, context, output, session, rows } = job;
  const { name, bytes } = checkpointExport(rows, context.home, session.id);
  if (options.output === undefined) {
    if ('isTTY' in context.out && context.out.isTTY === true)
      return usage('a checkpoint is compressed and not for a terminal: name a file with -o FILE');
    await output.flushed();
    context.out.write(bytes);
    return null;
  }
  const file = placeOf(options.output, context, (folder) => join(folder, name));
  const taken = refuseTaken(file, options);
  if (taken !== null) return taken;
  writeFileAtomic(file, bytes);
  return [file];
}

function writeRounds({ options, context, rows }: Job): readonly string[] | VerbFailure {
  const folder = resolve(context.cwd, options.output ?? '.');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files: string[] = [];
  for (const { name, json } of roundsExport(rows)) {
    const file = join(folder, name);
    const taken = refuseTaken(file, options);
    if (taken !== null) return taken;
    writeFileAtomic(file, `${JSON.stringify(json)}\n`);
    files.push(file);
  }
  return files;
}

/** A folder that is there, or a name that ends like one, gets a file in it. */
function placeOf(
  named: string,
  { cwd }: VerbContext,
  inFolder: (folder: string) => string,
): string {
  const path = resolve(cwd, named);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? named.endsWith('/');
  if (!isFolder) return path;
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return inFolder(path);
}

const refuseTaken = (file: string, { force = false }: ExportOptions): VerbFailure | null =>
  existsSync(file) && !force ? isTaken(file) : null;

const isTaken = (file: string): VerbFailure => ({
  code: 'not_possible',
  message: `${file} is there already; replace it with --force`,
});
