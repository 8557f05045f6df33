/** `find_files`: names by pattern, the newest first, in bounded memory however many there are. */
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { z } from 'zod';
import { globProblem } from './glob-limits.js';
import { done, failed } from './outcomes.js';
import { isInside, type Boundary } from './paths.js';
import { isFolder } from './shell-folder.js';
import { listed, shown } from './shown.js';
import { defineTool, type Tool, type ToolResult, type ToolRun } from './tool.js';

const MAX_LIMIT = 1000;

/** Folders full of files that nobody has written; searched when the pattern names them. */
const SKIPPED = ['.git', 'node_modules'];

const NOTICE_BYTES = 200;

const schema = z.strictObject({
  pattern: z.string().min(1).describe('Glob, e.g. src/**/*.ts'),
  path: z.string().default('.').describe('Folder'),
  limit: z.int().min(1).default(100).describe('Paths'),
});
type Args = z.output<typeof schema>;

export const findFilesTool = (boundary: Boundary): Tool =>
  defineTool({
    name: 'find_files',
    description: 'Find files by name pattern, newest first. For text inside of files use grep.',
    effect: 'read',
    truncation: { kind: 'headLines', maxLines: MAX_LIMIT + 1 },
    schema,
    path: ({ path }) => ({ path, access: 'read' }),
    about: ({ pattern, path }) => `${pattern} in ${path}`,
    refusal: ({ pattern }) => {
      const problem = globProblem(pattern);
      return problem && `the pattern '${shown(pattern)}' ${problem}`;
    },
    execute: (args, run) => find(boundary, args, run),
  });

async function find(boundary: Boundary, args: Args, run: ToolRun): Promise<ToolResult> {
  const { target } = run;
  if (!isFolder(target.real)) return failed(`'${shown(args.path)}' is not a folder.`);
  const limit = Math.min(args.limit, MAX_LIMIT);
  const newest = new Newest(target.real, limit + 1);
  if (!(await visit(args.pattern, target.real, run.signal, (path) => newest.add(path)))) {
    return { status: 'stopped', text: '' };
  }
  const isOpen = reachable(boundary);
  const paths = newest
    .take()
    .map((path) => join(target.real, path))
    .filter(isOpen);
  if (paths.length === 0) return done(`No files found matching '${shown(args.pattern)}'`);
  const prefix = boundary.workspace.endsWith('/') ? boundary.workspace : `${boundary.workspace}/`;
  return describe(
    paths.map((path) => listed(path.slice(prefix.length))),
    limit,
    run.maxBytes,
  );
}

/** False: the signal ended it. Names are passed on as they are found, none of them is kept here. */
async function visit(
  pattern: string,
  cwd: string,
  signal: AbortSignal,
  found: (path: string) => void,
): Promise<boolean> {
  const { default: glob } = await import('fast-glob');
  const stream = glob.stream(pattern, {
    cwd,
    dot: true,
    followSymbolicLinks: false,
    suppressErrors: true,
    extglob: false,
    ignore: SKIPPED.filter((name) => !pattern.includes(name)).map((name) => `**/${name}/**`),
  });
  try {
    stream.on('data', found);
    await finished(stream, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

function describe(paths: readonly string[], limit: number, maxBytes: number): ToolResult {
  const fitting: string[] = [];
  let bytes = NOTICE_BYTES;
  for (const path of paths.slice(0, limit)) {
    bytes += Buffer.byteLength(path) + 1;
    if (bytes > maxBytes) break;
    fitting.push(path);
  }
  if (fitting.length === paths.length) return done(fitting.join('\n'));
  const raise = limit < MAX_LIMIT ? ' or raise limit' : '';
  const more = `[more files match: showing the newest ${fitting.length}. Narrow the pattern${raise}.]`;
  return done([...fitting, more].join('\n'), true);
}

/** A pattern can lead through a link; what lies outside of the workspace is not listed. */
function reachable({ workspace, ouroHome }: Boundary): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const folder = dirname(path);
    const answer = known.get(folder) ?? isOpenFolder(folder);
    known.set(folder, answer);
    return answer;
  };
  function isOpenFolder(folder: string): boolean {
    try {
      const real = realpathSync.native(folder);
      return isInside(workspace, real) && !isInside(ouroHome, real);
    } catch {
      return false;
    }
  }
}

/** The newest of many, without keeping the many. */
class Newest {
  readonly #folder: string;
  readonly #count: number;
  #entries: { path: string; at: number }[] = [];

  constructor(folder: string, count: number) {
    this.#folder = folder;
    this.#count = count;
  }

  add(path: string): void {
    this.#entries.push({ path, at: modifiedAt(join(this.#folder, path)) });
    if (this.#entries.length >= this.#count * 4) this.#prune();
  }

  /** Newest first; those of the same age by name. */
  take(): string[] {
    this.#prune();
    return this.#entries.map(({ path }) => path);
  }

  #prune(): void {
    this.#entries.sort((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1));
    this.#entries.length = Math.min(this.#entries.length, this.#count);
  }
}

/** Asked at once and without waiting: a promise for each of many files costs ten times as much. */
function modifiedAt(path: string): number {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
}
