/** `read_output`: the whole text of an earlier result, in pages. */
import { z } from 'zod';
import type { CallId } from '../../messages/ids.js';
import { spillFile } from './captured-output.js';
import {
  describePage,
  isPastEnd,
  NOTICE_BYTES,
  NOTICE_LINES,
  PAGE_LINES,
  pageOfFile,
  pastEnd,
  type FilePage,
} from './file-page.js';
import { LinePage, type PageRequest } from './line-page.js';
import { done, failed } from './outcomes.js';
import type { Redact } from './redaction.js';
import { listed, shown } from './shown.js';
import { defineTool, type Tool, type ToolResult, type ToolRun } from './tool.js';

/** What the model was shown of a call, from wherever that is kept; null: there is no such call. */
export type StoredOutput = (callId: CallId) => Promise<string | null>;

export interface ReadOutputParts {
  readonly spillDir: string;
  readonly redact: Redact;
  /** Null: only what was too long to be shown whole can be read. */
  readonly storedOutput: StoredOutput | null;
}

const schema = z.strictObject({
  id: z.string().min(1).max(200),
  offset: z.int().min(1).default(1),
  limit: z.int().min(1).default(PAGE_LINES),
});
type Args = z.output<typeof schema>;

export const readOutputTool = (parts: ReadOutputParts): Tool =>
  defineTool({
    name: 'read_output',
    description: 'Read a result that was cut or cleared.',
    effect: 'none',
    // The page keeps to its limits by itself; its notices stand below it.
    truncation: { kind: 'headLines', maxLines: PAGE_LINES + NOTICE_LINES },
    schema,
    about: ({ id }) => id,
    execute: (args, run) => readBack(parts, args, run),
  });

async function readBack(parts: ReadOutputParts, args: Args, run: ToolRun): Promise<ToolResult> {
  const { id, offset, limit } = args;
  const request: PageRequest = {
    offset,
    limit: Math.min(limit, PAGE_LINES),
    maxBytes: run.maxBytes - NOTICE_BYTES - id.length,
    redact: parts.redact,
  };
  const found = await find(parts, id as CallId, request, run.signal);
  if (found === null) {
    const where = 'Ids stand in the notices of results that were cut or cleared.';
    return failed(`no output of a call '${shown(id)}' is kept. ${where}`);
  }
  if (found.total === 0) return done('[the output is empty]');
  const call = `read_output(id='${listed(id)}'`;
  const notice = { offset, limit, total: found.total, what: `the output of ${shown(id)}`, call };
  return isPastEnd(notice) ? failed(pastEnd(notice)) : describePage(found.page, notice);
}

async function find(
  { spillDir, storedOutput }: ReadOutputParts,
  callId: CallId,
  request: PageRequest,
  signal: AbortSignal,
): Promise<FilePage | null> {
  const kept = await pageOfFile(spillFile(spillDir, callId), request, signal);
  if (kept !== null) return kept;
  const text = (await storedOutput?.(callId)) ?? null;
  if (text === null) return null;
  const page = new LinePage(request);
  page.feed(Buffer.from(text));
  page.end();
  return { page, total: page.total };
}
