/**
 * Answers a question about a page with a small model, so that the agent's own context holds the answer and
 * not the page. Without a model, the beginning of the page itself stands in for the answer.
 */
import { createHash } from 'node:crypto';
import type { ModelUse } from '../../messages/model.js';
import type { PageQuestion } from './prompts.js';

/** Asks the small model once. Must not reject. */
export type AskModel = (page: PageQuestion, signal: AbortSignal) => Promise<ModelAnswer>;

export type ModelAnswer =
  | {
      readonly ok: true;
      readonly text: string;
      /** It ends where the limit of tokens was. */
      readonly cut: boolean;
      readonly use: ModelUse;
    }
  | { readonly ok: false; readonly message: string };

export interface ReadPage {
  readonly url: string;
  readonly title: string;
  readonly markdown: string;
  /** What is missing of the page, in words. */
  readonly notes: readonly string[];
}

export interface PageAnswer {
  readonly text: string;
  readonly truncated: boolean;
  /** Left out: no model answered. */
  readonly modelUse?: readonly ModelUse[];
}

/** About 28,000 tokens: what small models take in at once and still find things in. */
const MAX_PAGE = 100_000;

const CHARACTERS_PER_TOKEN = 3.5;

const MARK_LENGTH = 16;

export async function answerPage(
  page: ReadPage,
  question: string,
  maxTokens: number,
  ask: AskModel | null,
  signal: AbortSignal,
): Promise<PageAnswer> {
  if (page.markdown === '') return withNotes('The page holds no text.', page, [], false);
  if (ask === null) return beginning(page, maxTokens, 'no model is configured to read it');
  const markdown = page.markdown.slice(0, MAX_PAGE);
  const mark = markOf(question, markdown);
  const { url, title } = page;
  const answer = await ask({ question, url, title, markdown, maxTokens, mark }, signal);
  if (!answer.ok) return beginning(page, maxTokens, `no model could read it: ${answer.message}`);
  const modelUse = [answer.use];
  const text = answer.text.trim();
  if (text === '')
    return { ...beginning(page, maxTokens, 'the model that read it said nothing'), modelUse };
  const left = page.markdown.length - markdown.length;
  const notes = [
    left > 0 ? `the answer is from its first ${MAX_PAGE} characters, ${left} were left out` : '',
    answer.cut ? `the answer was cut off at ${maxTokens} tokens` : '',
  ].filter((note) => note !== '');
  return { ...withNotes(text, page, notes, notes.length > 0), modelUse };
}

/** Made from the text itself: the same in every run, and no text holds its own. */
const markOf = (question: string, markdown: string): string =>
  createHash('sha256')
    .update(question)
    .update('\0')
    .update(markdown)
    .digest('hex')
    .slice(0, MARK_LENGTH);

function beginning(page: ReadPage, maxTokens: number, why: string): PageAnswer {
  const room = Math.floor(maxTokens * CHARACTERS_PER_TOKEN);
  const left = Math.max(0, page.markdown.length - room);
  const what =
    left > 0 ? `this is its beginning, ${left} characters were left out` : 'this is all of it';
  return withNotes(page.markdown.slice(0, room), page, [`${why}; ${what}`], left > 0);
}

/** The source comes first: what is long is cut at its end. */
const withNotes = (
  text: string,
  page: ReadPage,
  notes: readonly string[],
  truncated: boolean,
): PageAnswer => ({
  text: `[${[`from ${page.url}`, ...page.notes, ...notes].join('; ')}]\n\n${text}`,
  truncated,
});
