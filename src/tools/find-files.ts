/** `find_files`: names by pattern, the newest first, in bounded memory however many there are. */
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { z } from 'zod';
import { globProblem, isUsual, splitPattern } from './glob-limits.js';
import { nameList } from './name-list.js';
import { Newest } from './newest.js';
import { done, failed } from './outcomes.js';
import { isOpenForReading, nameFrom, realPathOf, type Boundary } from './paths.js';
import { eachName, runRipgrep, type RipgrepParts } from './ripgrep.js';
import { isFolder } from './shell-folder.js';
import { shown } from './shown.js';
import { defineTool, type Tool, type ToolResult, type ToolRun } from './tool.js';

const MAX_LIMIT = 1000;

/** Folders full of files that nobody has written; searched when the pattern names them. */
const SKIPPED = ['.git', 'node_modules'];

const schema = z.strictObject({
  pattern: z.string().min(1).describe('Glob, e.g. src/**/*.ts'),
  path: z.string().default('.'),
  limit: z.int().min(1).default(100),
});
type Args = z.output<typeof schema>;

export const findFilesTool = (parts: RipgrepParts): Tool =>
  defineTool({
    name: 'find_files',
    description: 'Find files by name, newest first.',
    effect: 'read',
    isCached: true,
    truncation: { kind: 'headLines', maxLines: MAX_LIMIT + 1 },
    schema,
    path: ({ path }) => ({ path, access: 'read' }),
    about: ({ pattern, path }) => `${pattern} in ${path}`,
    refusal: ({ pattern }) => {
      const problem = globProblem(pattern);
      return problem && `the pattern '${shown(pattern)}' ${problem}`;
    },
    execute: (args, run) => find(parts, args, run),
  });

async function find(parts: RipgrepParts, args: Args, run: ToolRun): Promise<ToolResult> {
  const { target, signal } = run;
  if (!isFolder(target.real)) return failed(`'${shown(args.path)}' is not a folder.`);
  const limit = Math.min(args.limit, MAX_LIMIT);
  const newest = new Newest(target.real, limit + 1);
  const found = (path: string): void => newest.add(path);
  const isDone = isUsual(args.pattern) && (await visit(parts, args.pattern, run, found));
  if (!isDone) await visitSlowly(args.pattern, target.real, signal, found);
  const isOpen = reachable(parts.boundary);
  const paths = newest
    .take()
    .map((path) => join(target.real, path))
    .filter(isOpen);
  const names = paths.map((path) => nameFrom(parts.boundary.workspace, path));
  if (signal.aborted) return { status: 'stopped', text: names.slice(0, limit).join('\n') };
  if (names.length === 0) return done(`No files found matching '${shown(args.pattern)}'`);
  const raise = limit < MAX_LIMIT ? ' or raise limit' : '';
  const notice = (count: number): string =>
    `[more files match: showing the newest ${count}. Narrow the pattern${raise}.]`;
  return nameList({ paths: names, limit, maxBytes: run.maxBytes, notice });
}

/** Below these, what the pattern does not name is left out. */
const skippedBy = (pattern: string): string[] => SKIPPED.filter((name) => !pattern.includes(name));

/** ripgrep could not make sense of what it was asked. */
const NOT_UNDERSTOOD = 2;

/** False: this pattern is not for ripgrep. */
async function visit(
  parts: RipgrepParts,
  pattern: string,
  { target, signal }: ToolRun,
  found: (path: string) => void,
): Promise<boolean> {
  const { folder, rest } = splitPattern(pattern);
  const cwd = join(target.real, folder);
  const real = realPathOf(cwd);
  // ripgrep never goes through a link.
  if (!real.ok || real.real !== cwd) return false;
  if (!isFolder(cwd)) return true;
  const { end, complaint } = await runRipgrep(parts, {
    args: [
      '--files',
      '--no-ignore',
      // A pattern without a slash would hold in every folder.
      `--glob=/${rest}`,
      ...skippedBy(pattern).map((name) => `--glob=!${name}/`),
      './',
    ],
    cwd,
    signal,
    output: eachName((path) => found(join(folder, path))),
  });
  // Where ripgrep cannot be started at all, the other way is open still.
  if (end.kind === 'not-started') return false;
  return !(end.kind === 'exited' && end.exit.code === NOT_UNDERSTOOD && complaint !== '');
}

/** For links, ranges in braces, and whatever else ripgrep does not know. */
async function visitSlowly(
  pattern: string,
  cwd: string,
  signal: AbortSignal,
  found: (path: string) => void,
): Promise<void> {
  const { default: glob } = await import('fast-glob');
  const stream = glob.stream(pattern, {
    cwd,
    dot: true,
    followSymbolicLinks: false,
    suppressErrors: true,
    extglob: false,
    ignore: skippedBy(pattern).map((name) => `**/${name}/**`),
  });
  try {
    stream.on('data', found);
    await finished(stream, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** A pattern can lead through a link; what lies outside of what is open is not listed. */
function reachable(boundary: Boundary): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const folder = dirname(path);
    const answer = known.get(folder) ?? isOpenFolder(folder);
    known.set(folder, answer);
    return answer;
  };
  function isOpenFolder(folder: string): boolean {
    try {
      return isOpenForReading(boundary, realpathSync.native(folder));
    } catch {
      return false;
    }
  }
}
