/** `read_file`: a page of a text file with line numbers, however large the file is. */
import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import type { ToolOutcome } from '../../messages/tools.js';
import { LinePage } from './line-page.js';
import { done, failed } from './outcomes.js';
import { hashOf, type ReadTracker } from './read-tracker.js';
import { openRegular, type Problem } from './regular-file.js';
import { countText, listed, shown, sizeText } from './shown.js';
import { defineTool, type Tool, type ToolRun } from './tool.js';

const PAGE_LINES = 2000;

/** Larger files are read in pages but not as a whole, and cannot be edited. */
export const MAX_WHOLE_FILE = 10 * 1024 * 1024;

const CHUNK_BYTES = 256 * 1024;

/** Text has no NUL bytes; the beginning of a file is enough to tell. */
const PROBE_BYTES = 8 * 1024;

/** Room below a page for what is said about it, the path apart. */
const NOTICE_BYTES = 200;
const NOTICE_LINES = 2;

const schema = z.strictObject({
  path: z.string().describe('File; relative to the workspace or absolute'),
  offset: z.int().min(1).default(1).describe('First line'),
  limit: z.int().min(1).default(PAGE_LINES).describe('Lines'),
});
type Args = z.output<typeof schema>;

export const readFileTool = (tracker: ReadTracker): Tool =>
  defineTool({
    name: 'read_file',
    description:
      'Read a text file; lines come as "L1: text". Read a file before you edit or overwrite it. ' +
      'Page through long files with offset; find the place with grep first.',
    effect: 'read',
    // The page keeps to its limits by itself; its notices stand below it.
    truncation: { kind: 'headLines', maxLines: PAGE_LINES + NOTICE_LINES },
    schema,
    path: ({ path }) => ({ path, access: 'read' }),
    about: ({ path, offset }) => (offset > 1 ? `${path} from line ${offset}` : path),
    async execute(args, run) {
      const opened = await openRegular(run.target.real);
      if (!opened.ok) return unreadable(args.path, opened);
      const { handle, size } = opened;
      try {
        const small = size <= MAX_WHOLE_FILE;
        return await (small ? readWhole(args, run, handle, tracker) : readPart(args, run, opened));
      } finally {
        await handle.close();
      }
    },
  });

export function unreadable(path: string, { code, problem }: Problem): ToolOutcome {
  switch (code) {
    case 'directory':
      return failed(
        `'${shown(path)}' is a directory, not a file. Use list_dir to see what is in it.`,
      );
    case 'missing':
      return failed(`'${shown(path)}' does not exist. Use find_files to find it.`);
    case 'other':
      return failed(`'${shown(path)}' ${problem}`);
  }
}

const pageOf = ({ path, offset, limit }: Args, { maxBytes }: ToolRun): LinePage =>
  new LinePage({
    offset,
    limit: Math.min(limit, PAGE_LINES),
    maxBytes: maxBytes - NOTICE_BYTES - Buffer.byteLength(path),
  });

async function readWhole(
  args: Args,
  run: ToolRun,
  handle: FileHandle,
  tracker: ReadTracker,
): Promise<ToolOutcome> {
  const bytes = await handle.readFile({ signal: run.signal });
  if (isBinary(bytes)) return binary(args.path, bytes.length);
  tracker.saw(run.target.real, hashOf(bytes));
  const page = pageOf(args, run);
  page.feed(bytes);
  page.end();
  if (page.total === 0) return done('[the file is empty]');
  if (args.offset > page.total) return pastTheEnd(args, page);
  return describePage(args, page, page.total);
}

/** A part of a file that is too large to be taken in whole: stops where the page does. */
async function readPart(
  args: Args,
  run: ToolRun,
  { handle, size }: { handle: FileHandle; size: number },
): Promise<ToolOutcome> {
  const page = pageOf(args, run);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; !page.full;) {
    run.signal.throwIfAborted();
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) {
      page.end();
      if (args.offset > page.total) return pastTheEnd(args, page);
      return describePage(args, page, page.total);
    }
    const part = chunk.subarray(0, bytesRead);
    if (position === 0 && isBinary(part)) return binary(args.path, size);
    page.feed(part);
    position += bytesRead;
  }
  return describePage(args, page, null);
}

const pastTheEnd = ({ path, offset }: Args, { total }: LinePage): ToolOutcome =>
  failed(`offset ${offset} is past the end: '${shown(path)}' has ${countText(total, 'line')}.`);

const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, PROBE_BYTES).includes(0);

const binary = (path: string, size: number): ToolOutcome =>
  failed(`'${shown(path)}' is a binary file (${sizeText(size)}); read_file shows text only.`);

/** `total` null: nobody counted the lines of a file this large. */
function describePage(
  { path, offset, limit }: Args,
  page: LinePage,
  total: number | null,
): ToolOutcome {
  const last = offset + page.lines.length - 1;
  if (total !== null && last >= total) return done(page.lines.join('\n'));
  const next = `offset=${last + 1}, limit=${Math.min(limit, PAGE_LINES)}`;
  const notices = [
    ...(total === null ? [] : [`[truncated: ${total} total lines in file]`]),
    `[Showing lines ${offset}-${last} of ${total ?? 'a very large file'}. ` +
      `Next page: read_file(path='${listed(path)}', ${next})]`,
  ];
  return done([...page.lines, ...notices].join('\n'), true);
}
