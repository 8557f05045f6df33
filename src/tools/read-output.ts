/** `read_output`: the whole text of an earlier result, in pages; or which results have certain words. */
import { z } from 'zod';
import type { CallId } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';
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
import { PAGE_CALLS, PastSearch, type PastPage } from './past-search.js';
import type { Redact } from './redaction.js';
import { countText, listed, shown } from './shown.js';
import { defineTool, type Tool, type ToolResult, type ToolRun } from './tool.js';

/** What the model was shown of earlier calls, from wherever that is kept. */
export interface StoredOutputs {
  /** Null: there is no such call. */
  whole(callId: CallId): Promise<string | null>;
  /** Hands over all that was asked and returned, oldest first. */
  replay(visit: (row: JournalRow) => void, signal: AbortSignal): Promise<void>;
}

export interface ReadOutputParts {
  readonly spillDir: string;
  readonly redact: Redact;
  /** Null: only what was too long to be shown whole can be read. */
  readonly storedOutputs: StoredOutputs | null;
}

const schema = z.strictObject({
  id: z.string().min(1).max(200).optional(),
  search: z.string().trim().min(2).max(200).optional(),
  offset: z.int().min(1).default(1),
  limit: z.int().min(1).default(PAGE_LINES),
});
type Args = z.output<typeof schema>;

const NEITHER =
  'give either id (of a call: its whole result) or search (words: the calls and results that have them).';

export const readOutputTool = (parts: ReadOutputParts): Tool =>
  defineTool({
    name: 'read_output',
    description: 'Read a cut or cleared result, or `search` earlier calls.',
    effect: 'none',
    // The page keeps to its limits by itself; its notices stand below it.
    truncation: { kind: 'headLines', maxLines: PAGE_LINES + NOTICE_LINES },
    schema,
    about: ({ id, search }) => id ?? search ?? '',
    execute: (args, run) => readBack(parts, args, run),
  });

function readBack(parts: ReadOutputParts, args: Args, run: ToolRun): Promise<ToolResult> {
  const { id, search, offset, limit } = args;
  if (id !== undefined && search === undefined) return readOne(parts, { id, offset, limit }, run);
  if (id === undefined && search !== undefined)
    return searchAll(parts, { words: search, offset, limit }, run);
  return Promise.resolve(failed(NEITHER));
}

async function readOne(
  parts: ReadOutputParts,
  { id, offset, limit }: { id: string; offset: number; limit: number },
  run: ToolRun,
): Promise<ToolResult> {
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

async function searchAll(
  { storedOutputs }: ReadOutputParts,
  { words, offset, limit }: { words: string; offset: number; limit: number },
  run: ToolRun,
): Promise<ToolResult> {
  if (storedOutputs === null) return failed('earlier calls are not kept here.');
  const search = new PastSearch({ words, offset, limit: Math.min(limit, PAGE_CALLS) });
  await storedOutputs.replay((row) => search.apply(row), run.signal);
  const { total, found } = search.page;
  if (total === 0) return done(`No earlier call or result has '${shown(words)}'.`);
  if (found.length === 0)
    return failed(
      `offset ${offset} is past the end: ${countText(total, 'call')} ${total === 1 ? 'has' : 'have'} the words.`,
    );
  return done(describeFound(words, offset, { total, found }, run.maxBytes - NOTICE_BYTES));
}

/** As many calls as there is room for, one at least. */
function describeFound(words: string, offset: number, page: PastPage, maxBytes: number): string {
  const texts: string[] = [];
  let bytes = 0;
  for (const text of page.found) {
    bytes += Buffer.byteLength(text) + 1;
    if (texts.length > 0 && bytes > maxBytes) break;
    texts.push(text);
  }
  const next = offset + texts.length;
  const more = `[${countText(page.total, 'call')}, newest first. Next: read_output(search='${listed(words)}', offset=${next})]`;
  return [...texts, ...(next > page.total ? [] : [more])].join('\n');
}

async function find(
  { spillDir, storedOutputs }: ReadOutputParts,
  callId: CallId,
  request: PageRequest,
  signal: AbortSignal,
): Promise<FilePage | null> {
  const kept = await pageOfFile(spillFile(spillDir, callId), request, signal);
  if (kept !== null) return kept;
  const text = (await storedOutputs?.whole(callId)) ?? null;
  if (text === null) return null;
  const page = new LinePage(request);
  page.feed(Buffer.from(text));
  page.end();
  return { page, total: page.total };
}
