/**
 * `grep`: ripgrep over the workspace. It is stopped as soon as there is enough, and neither follows links
 * nor reads any configuration of its own.
 */
import { relative } from 'node:path';
import { z } from 'zod';
import { done, failed } from './outcomes.js';
import { isInside, type Boundary } from './paths.js';
import type { ProcessGroups, ProgramEnd } from './process.js';
import { MAX_COLUMNS, RipgrepRecords, type Mode } from './ripgrep-output.js';
import { shown } from './shown.js';
import { defineTool, type Tool, type ToolResult, type ToolRun } from './tool.js';

export interface GrepParts {
  readonly boundary: Boundary;
  readonly groups: ProcessGroups;
  /** Already without secrets. */
  readonly environment: NodeJS.ProcessEnv;
}

const MAX_LIMIT = 2000;

/** More context than this is a file to be read. */
const MAX_CONTEXT = 20;

/** Of what ripgrep says about a pattern it does not understand. */
const MAX_COMPLAINT_BYTES = 2000;

/** ripgrep: nothing matched. */
const NO_MATCH = 1;

const schema = z.strictObject({
  pattern: z.string().min(1).describe('Regular expression (Rust syntax)'),
  path: z.string().default('.').describe('File or folder'),
  include: z.string().optional().describe('Glob of file names, e.g. *.ts'),
  mode: z
    .enum(['files', 'content', 'count'])
    .default('files')
    .describe('File names, matching lines, or matches per file'),
  limit: z.int().min(1).default(100).describe('Results'),
  context_lines: z.int().min(0).default(0).describe('Lines around a match, in mode content'),
  case_insensitive: z.boolean().default(false),
});
type Args = z.output<typeof schema>;

export const grepTool = (parts: GrepParts): Tool =>
  defineTool({
    name: 'grep',
    description:
      'Search file contents, newest files first; ignored files are skipped. First find the files, ' +
      'then look closer with mode content or read_file.',
    effect: 'read',
    truncation: { kind: 'headLines', maxLines: MAX_LIMIT * (2 * MAX_CONTEXT + 2) },
    schema,
    path: ({ path }) => ({ path, access: 'read' }),
    about: ({ pattern, path }) => `${pattern} in ${path}`,
    refusal: ({ pattern, include = '' }) =>
      pattern.includes('\0') || include.includes('\0') ? 'the pattern holds a NUL byte.' : null,
    execute: (args, run) => search(parts, args, run),
  });

async function search(parts: GrepParts, args: Args, run: ToolRun): Promise<ToolResult> {
  const { rgPath } = await import('@vscode/ripgrep');
  const limit = Math.min(args.limit, MAX_LIMIT);
  const records = new RipgrepRecords(args.mode, limit, run.maxBytes);
  const complaint: Buffer[] = [];
  const enough = new AbortController();
  const end = await parts.groups.run({
    file: rgPath,
    args: argumentsFor(args, run, parts.boundary),
    cwd: parts.boundary.workspace,
    env: parts.environment,
    signal: AbortSignal.any([run.signal, enough.signal]),
    output: (chunk, from) => {
      if (from === 'stderr') complaint.push(chunk);
      else if (!records.take(chunk)) enough.abort();
      return undefined;
    },
  });
  if (run.signal.aborted) return { status: 'stopped', text: records.text };
  const said = Buffer.concat(complaint).toString('utf8', 0, MAX_COMPLAINT_BYTES).trim();
  return describe(args, records, limit, end, said);
}

function argumentsFor(args: Args, { target }: ToolRun, boundary: Boundary): string[] {
  const { workspace, ouroHome } = boundary;
  const closed = isInside(workspace, ouroHome) ? [relative(workspace, ouroHome)] : [];
  return [
    '--no-config',
    '--no-messages',
    '--color=never',
    '--no-heading',
    '--null',
    '--hidden',
    // The rules of .gitignore hold outside of a repository too.
    '--no-require-git',
    '--sortr=modified',
    '--with-filename',
    ...MODE_FLAGS[args.mode],
    ...(args.mode === 'content' ? [`--context=${Math.min(args.context_lines, MAX_CONTEXT)}`] : []),
    ...(args.case_insensitive ? ['--ignore-case'] : []),
    ...(args.include === undefined ? [] : [`--glob=${args.include}`]),
    '--glob=!.git',
    ...closed.map((folder) => `--glob=!/${folder}`),
    '-e',
    args.pattern,
    '--',
    target.relative === '.' ? './' : `./${target.relative}`,
  ];
}

const MODE_FLAGS: Readonly<Record<Mode, readonly string[]>> = {
  files: ['--files-with-matches'],
  content: ['--line-number', `--max-columns=${MAX_COLUMNS}`, '--max-columns-preview'],
  count: ['--count'],
};

function describe(
  { pattern }: Args,
  records: RipgrepRecords,
  limit: number,
  end: ProgramEnd,
  complaint: string,
): ToolResult {
  if (end.kind === 'not-started') return failed(`ripgrep could not be started (${end.code}).`);
  if (records.text !== '') {
    if (!records.full) return done(records.text);
    const raise = limit < MAX_LIMIT ? ' or raise limit' : '';
    const more = `[more results exist: showing the first ${records.count}. Narrow the search${raise}.]`;
    return done(`${records.text}\n${more}`, true);
  }
  const code = end.kind === 'exited' ? end.exit.code : NO_MATCH;
  if (code !== NO_MATCH && complaint !== '') return failed(`the search failed: ${complaint}`);
  return done(`No matches found for '${shown(pattern)}'`);
}
