/**
 * `grep`: ripgrep over the workspace. It neither follows links nor reads any configuration of its own, and
 * where it prints lines it is stopped as soon as there are enough.
 */
import { statSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { z } from 'zod';
import { ClosedFiles } from './closed-files.js';
import { nameList } from './name-list.js';
import { Newest } from './newest.js';
import { done, failed } from './outcomes.js';
import { isInside, type Boundary } from './paths.js';
import { MAX_COLUMNS, RipgrepRecords, type LineMode } from './ripgrep-output.js';
import { eachName, runRipgrep, type RipgrepEnd, type RipgrepParts } from './ripgrep.js';
import { shown } from './shown.js';
import { defineTool, type Tool, type ToolResult, type ToolRun } from './tool.js';

const MAX_LIMIT = 2000;

/** More context than this is a file to be read. */
const MAX_CONTEXT = 20;

/** ripgrep: nothing matched. */
const NO_MATCH = 1;

const schema = z.strictObject({
  pattern: z.string().min(1).describe('Regular expression (Rust)'),
  path: z.string().default('.'),
  include: z.string().optional().describe('File names, e.g. *.ts'),
  mode: z.enum(['files', 'content', 'count']).default('files'),
  limit: z.int().min(1).default(100),
  context_lines: z.int().min(0).default(0),
  case_insensitive: z.boolean().default(false),
});
type Args = z.output<typeof schema>;

export const grepTool = (parts: RipgrepParts): Tool =>
  defineTool({
    name: 'grep',
    description: 'Search file contents; ignored files are skipped.',
    effect: 'read',
    isCached: true,
    truncation: { kind: 'headLines', maxLines: MAX_LIMIT * (2 * MAX_CONTEXT + 2) },
    schema,
    path: ({ path }) => ({ path, access: 'read' }),
    about: ({ pattern, path }) => `${pattern} in ${path}`,
    refusal: ({ pattern, include = '' }) =>
      pattern.includes('\0') || include.includes('\0') ? 'the pattern holds a NUL byte.' : null,
    execute: (args, run) => {
      if (isSpecial(run.target.real))
        return failed(`'${shown(args.path)}' is neither a file nor a folder.`);
      return args.mode === 'files'
        ? searchNames(parts, args, run)
        : searchLines(parts, args.mode, args, run);
    },
  });

/** Reading from a FIFO or a device may never end. */
function isSpecial(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/** All of them, since the newest may come last; ripgrep leaves each file at its first match. */
async function searchNames(parts: RipgrepParts, args: Args, run: ToolRun): Promise<ToolResult> {
  const limit = Math.min(args.limit, MAX_LIMIT);
  const { workspace } = parts.boundary;
  const newest = new Newest(workspace, limit + 1);
  const closed = new ClosedFiles(parts.mayRead);
  const ended = await runRipgrep(parts, {
    args: ['--files-with-matches', ...argumentsFor(args, run, parts.boundary)],
    cwd: workspace,
    signal: run.signal,
    output: eachName((path) => {
      if (!closed.has(path)) newest.add(path);
    }),
  });
  const paths = newest.take();
  if (run.signal.aborted) return { status: 'stopped', text: paths.slice(0, limit).join('\n') };
  if (paths.length === 0) return nothing(args, ended, closed);
  const notice = (count: number): string => moreText(count, limit);
  const named = nameList({ paths, limit, maxBytes: run.maxBytes, notice });
  return { ...named, text: named.text + closed.notice };
}

/** Stopped as soon as there is enough: in order of age from the first line on. */
async function searchLines(
  parts: RipgrepParts,
  mode: LineMode,
  args: Args,
  run: ToolRun,
): Promise<ToolResult> {
  const limit = Math.min(args.limit, MAX_LIMIT);
  const closed = new ClosedFiles(parts.mayRead);
  const records = new RipgrepRecords(mode, limit, run.maxBytes, closed);
  const enough = new AbortController();
  const ended = await runRipgrep(parts, {
    args: [
      '--no-heading',
      '--with-filename',
      '--sortr=modified',
      ...MODE_FLAGS[mode],
      ...(mode === 'content' ? [`--context=${Math.min(args.context_lines, MAX_CONTEXT)}`] : []),
      ...argumentsFor(args, run, parts.boundary),
    ],
    cwd: parts.boundary.workspace,
    signal: AbortSignal.any([run.signal, enough.signal]),
    output: (chunk) => {
      if (!records.take(chunk)) enough.abort();
    },
  });
  if (run.signal.aborted) return { status: 'stopped', text: records.text };
  if (records.text === '') return nothing(args, ended, closed);
  if (!records.full) return done(records.text + closed.notice);
  return done(`${records.text}\n${moreText(records.count, limit)}${closed.notice}`, true);
}

const MODE_FLAGS: Readonly<Record<LineMode, readonly string[]>> = {
  content: ['--line-number', `--max-columns=${MAX_COLUMNS}`, '--max-columns-preview'],
  count: ['--count'],
};

function argumentsFor(args: Args, { target }: ToolRun, boundary: Boundary): string[] {
  const { workspace, ouroHome } = boundary;
  const name = target.relative === '.' ? '' : target.relative;
  const closed = isInside(workspace, ouroHome) ? [relative(workspace, ouroHome)] : [];
  return [
    // The rules of .gitignore hold outside of a repository too.
    '--no-require-git',
    ...(args.case_insensitive ? ['--ignore-case'] : []),
    ...(args.include === undefined ? [] : [`--glob=${args.include}`]),
    '--glob=!.git',
    ...closed.map((folder) => `--glob=!/${folder}`),
    '-e',
    args.pattern,
    '--',
    // From the root, or with a beginning that keeps a name from being taken for an option.
    isAbsolute(name) ? name : `./${name}`,
  ];
}

function moreText(count: number, limit: number): string {
  const raise = limit < MAX_LIMIT ? ' or raise limit' : '';
  return `[more results exist: showing the first ${count}. Narrow the search${raise}.]`;
}

function nothing(
  { pattern }: Args,
  { end, complaint }: RipgrepEnd,
  { notice }: ClosedFiles,
): ToolResult {
  if (end.kind === 'not-started') return failed(`ripgrep could not be started (${end.code}).`);
  const code = end.kind === 'exited' ? end.exit.code : NO_MATCH;
  if (code !== NO_MATCH && complaint !== '') return failed(`the search failed: ${complaint}`);
  return done(`No matches found for '${shown(pattern)}'${notice}`);
}
