/** `web_search`: titles, addresses and snippets of pages on the web. */
import { z } from 'zod';
import type { ToolOutcome } from '../../messages/tools.js';
import { defineTool, type Tool } from './tool.js';

/** Must not reject; resolves soon after the signal aborts. */
export type WebSearch = (query: string, limit: number, signal: AbortSignal) => Promise<ToolOutcome>;

const DEFAULT_LIMIT = 5;

/** Results beyond the first few are rarely read. */
const MAX_LIMIT = 10;

/** Each result is a line and a snippet below it. */
const MAX_LINES = 2 * MAX_LIMIT;

export const webSearchTool = (search: WebSearch): Tool =>
  defineTool({
    name: 'web_search',
    description: 'Search the web.',
    effect: 'read',
    truncation: { kind: 'headLines', maxLines: MAX_LINES },
    schema: z.strictObject({
      query: z.string().min(1).max(500),
      limit: z.int().min(1).default(DEFAULT_LIMIT),
    }),
    subject: ({ query }) => query,
    about: ({ query }) => query,
    execute: ({ query, limit }, { signal }) => search(query, Math.min(limit, MAX_LIMIT), signal),
  });
