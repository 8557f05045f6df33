/** `list_dir`: a folder as an indented tree, one page at a time. Reads no further than the page. */
import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { fileProblem, isFileError } from './file-errors.js';
import { done, failed } from './outcomes.js';
import { isInside, type Boundary } from './paths.js';
import { isFolder } from './shell-folder.js';
import { cutText, listed, shown } from './shown.js';
import { defineTool, type Tool, type ToolResult, type ToolRun } from './tool.js';

const MAX_LIMIT = 1000;
const MAX_DEPTH = 20;
const MAX_NAME = 500;

/** A folder with more entries is listed in part: sorting needs all of them in memory. */
const MAX_ENTRIES = 10_000;

/** Listed, but opened only when the call is about them. */
const CLOSED = ['.git', 'node_modules'];

const NOTICE_BYTES = 200;

const schema = z.strictObject({
  path: z.string(),
  depth: z.int().min(1).max(MAX_DEPTH).default(2),
  limit: z.int().min(1).default(50),
  offset: z.int().min(1).default(1),
});
type Args = z.output<typeof schema>;

export const listDirTool = (boundary: Boundary): Tool =>
  defineTool({
    name: 'list_dir',
    description: 'Show a folder as a tree.',
    effect: 'read',
    isCached: true,
    truncation: { kind: 'headLines', maxLines: MAX_LIMIT + 2 },
    schema,
    path: ({ path }) => ({ path, access: 'read' }),
    about: ({ path }) => path,
    execute: (args, run) => list(boundary, args, run),
  });

async function list({ ouroHome }: Boundary, args: Args, run: ToolRun): Promise<ToolResult> {
  const { real } = run.target;
  if (!isFolder(real))
    return failed(`'${shown(args.path)}' is not a folder. Use read_file for files.`);
  const limit = Math.min(args.limit, MAX_LIMIT);
  const lines = [`Absolute path: ${listed(real)}`];
  let bytes = NOTICE_BYTES + Buffer.byteLength(real);
  let position = 0;
  try {
    for await (const line of tree(real, args.depth, (path) => !isInside(ouroHome, path))) {
      if (run.signal.aborted) return { status: 'stopped', text: lines.join('\n') };
      position += 1;
      if (position < args.offset) continue;
      bytes += Buffer.byteLength(line) + 1;
      if (lines.length > limit || bytes > run.maxBytes) {
        const shownEntries = lines.length - 1;
        return done([...lines, `More than ${shownEntries} entries found`].join('\n'), true);
      }
      lines.push(line);
    }
  } catch (error) {
    if (!isFileError(error)) throw error;
    return failed(`'${shown(args.path)}' ${fileProblem(error)}`);
  }
  return done(lines.join('\n'));
}

/** Depth first, by name; a folder that cannot be read is shown and left at that. */
async function* tree(
  folder: string,
  depth: number,
  isOpen: (path: string) => boolean,
  level = 0,
): AsyncGenerator<string> {
  const indent = '  '.repeat(level);
  const { entries, isComplete } = await entriesOf(folder);
  for (const entry of entries) {
    yield `${indent}${cutText(listed(entry.name), MAX_NAME, '')}${suffix(entry)}`;
    const path = join(folder, entry.name);
    const isEntered = entry.isDirectory() && !CLOSED.includes(entry.name) && level + 1 < depth;
    if (!isEntered || !isOpen(path)) continue;
    try {
      yield* tree(path, depth, isOpen, level + 1);
    } catch (error) {
      if (!isFileError(error)) throw error;
      yield `${indent}  [cannot be read]`;
    }
  }
  if (!isComplete) yield `${indent}[this folder has more than ${MAX_ENTRIES} entries]`;
}

async function entriesOf(folder: string): Promise<{ entries: Dirent[]; isComplete: boolean }> {
  const entries: Dirent[] = [];
  let isComplete = true;
  for await (const entry of await opendir(folder, { bufferSize: 256 })) {
    isComplete = entries.length < MAX_ENTRIES;
    if (!isComplete) break;
    entries.push(entry);
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { entries, isComplete };
}

function suffix(entry: Dirent): string {
  if (entry.isSymbolicLink()) return '@';
  return entry.isDirectory() ? '/' : '';
}
