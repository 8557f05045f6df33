/** `web_fetch`: what a page on the web says about something. Where it may go is judged by whoever fetches. */
import { z } from 'zod';
import type { ToolOutcome } from '../../messages/tools.js';
import { defineTool, type Tool } from './tool.js';

/** Must not reject; resolves soon after the signal aborts. */
export type WebFetch = (
  url: string,
  prompt: string,
  maxTokens: number,
  signal: AbortSignal,
) => Promise<ToolOutcome>;

const MAX_TOKENS = 2_000;

/** More than this is not an answer to a question any more. */
const MOST_TOKENS = 8_000;

/** An answer, not a page. */
const MAX_RESULT = 8_000;

/** `limitMs` left out: the general limit. */
export const webFetchTool = (fetch: WebFetch, limitMs?: number): Tool =>
  defineTool({
    name: 'web_fetch',
    description: 'Ask a question about a web page.',
    effect: 'read',
    truncation: { kind: 'head', maxBytes: MAX_RESULT },
    schema: z.strictObject({
      url: z.string().min(1),
      prompt: z.string().min(1),
      max_tokens: z.int().min(1).max(MOST_TOKENS).default(MAX_TOKENS),
    }),
    subject: ({ url }) => url,
    ...(limitMs === undefined ? {} : { limitMs: () => limitMs }),
    about: ({ url }) => url,
    execute: ({ url, prompt, max_tokens: maxTokens }, { signal }) =>
      fetch(url, prompt, maxTokens, signal),
  });
