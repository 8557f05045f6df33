/** `read_file`: a page of a text file with line numbers, however large the file is. */
import { closeSync, readSync } from 'node:fs';
import { z } from 'zod';
import type { ToolOutcome } from '../../messages/tools.js';
import {
  COUNTED_BYTES,
  describePage,
  fillPage,
  isPastEnd,
  NOTICE_BYTES,
  NOTICE_LINES,
  PAGE_LINES,
  pastEnd,
} from './file-page.js';
import { LinePage } from './line-page.js';
import { done, failed } from './outcomes.js';
import { hashOf, type ReadTracker } from './read-tracker.js';
import type { Redact } from './redaction.js';
import { contentOf, openRegular, type Problem, type RegularFile } from './regular-file.js';
import { listed, shown, sizeText } from './shown.js';
import { defineTool, type Tool, type ToolRun } from './tool.js';

/** Larger files are read in pages but not as a whole, and cannot be edited. */
export const MAX_WHOLE_FILE = COUNTED_BYTES;

/** Text has no NUL bytes; the beginning of a file is enough to tell. */
const PROBE_BYTES = 8 * 1024;

const schema = z.strictObject({
  path: z.string(),
  offset: z.int().min(1).default(1).describe('First line'),
  limit: z.int().min(1).default(PAGE_LINES),
});
type Args = z.output<typeof schema>;

export interface ReadFileParts {
  readonly tracker: ReadTracker;
  readonly redact: Redact;
}

export const readFileTool = (parts: ReadFileParts): Tool =>
  defineTool({
    name: 'read_file',
    description: 'Read a text file as "L1: text" lines, in pages. Needed before you change it.',
    effect: 'read',
    isCached: true,
    // The page keeps to its limits by itself; its notices stand below it.
    truncation: { kind: 'headLines', maxLines: PAGE_LINES + NOTICE_LINES },
    schema,
    path: ({ path }) => ({ path, access: 'read' }),
    about: ({ path, offset }) => (offset > 1 ? `${path} from line ${offset}` : path),
    async execute(args, run) {
      const file = openRegular(run.target.real);
      if (!file.ok) return unreadable(args.path, file);
      try {
        const isSmall = file.size <= MAX_WHOLE_FILE;
        return await (isSmall
          ? readWhole(args, run, file, parts)
          : readPart(args, run, file, parts));
      } finally {
        closeSync(file.fd);
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

const pageOf = (args: Args, { maxBytes }: ToolRun, { redact }: ReadFileParts): LinePage =>
  new LinePage({
    offset: args.offset,
    limit: Math.min(args.limit, PAGE_LINES),
    maxBytes: maxBytes - NOTICE_BYTES - Buffer.byteLength(args.path),
    redact,
  });

async function readWhole(
  args: Args,
  run: ToolRun,
  file: RegularFile,
  parts: ReadFileParts,
): Promise<ToolOutcome> {
  const bytes = await contentOf(file, run.signal);
  if (isBinary(bytes)) return binary(args.path, bytes.length);
  parts.tracker.saw(run.target.real, hashOf(bytes));
  const page = pageOf(args, run, parts);
  page.feed(bytes);
  page.end();
  if (page.total === 0) return done('[the file is empty]');
  return describe(args, page, page.total);
}

/** A part of a file that is too large to be taken in whole: stops where the page does. */
async function readPart(
  args: Args,
  run: ToolRun,
  { fd, size }: RegularFile,
  parts: ReadFileParts,
): Promise<ToolOutcome> {
  const probe = Buffer.alloc(PROBE_BYTES);
  if (isBinary(probe.subarray(0, readSync(fd, probe, 0, PROBE_BYTES, 0)))) {
    return binary(args.path, size);
  }
  const page = pageOf(args, run, parts);
  const isWhole = await fillPage(fd, page, run.signal);
  return describe(args, page, isWhole ? page.total : null);
}

/** `total` null: nobody counted the lines of a file this large. */
function describe(
  { path, offset, limit }: Args,
  page: LinePage,
  total: number | null,
): ToolOutcome {
  const call = `read_file(path='${listed(path)}'`;
  const notice = { offset, limit, total, what: `'${shown(path)}'`, call };
  return isPastEnd(notice) ? failed(pastEnd(notice)) : describePage(page, notice);
}

const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, PROBE_BYTES).includes(0);

const binary = (path: string, size: number): ToolOutcome =>
  failed(`'${shown(path)}' is a binary file (${sizeText(size)}); read_file shows text only.`);
