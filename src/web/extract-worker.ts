/**
 * The worker that turns HTML into Markdown: the main text where there is one, else the whole page. What it
 * is given may be hostile; whoever started it ends it when it takes too long or too much memory.
 */
import { parentPort } from 'node:worker_threads';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import type { ExtractJob, ExtractReply } from './extract-job.js';
import { prepare, type HtmlDocument, type HtmlElement } from './html-document.js';
import { markdownRules } from './markdown-rules.js';

/** Shorter main texts are a sign that the page is no article: a list, an index, a form. */
const MIN_ARTICLE = 500;

/** More than any model is given of a page. */
const MAX_MARKDOWN = 1_000_000;

const turndown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
  hr: '---',
});
for (const [name, rule] of Object.entries(markdownRules)) turndown.addRule(name, rule);

function parse({ html, url }: ExtractJob): HtmlDocument {
  // Without these two the parser puts what it finds nowhere in particular.
  const whole = /<html[\s>]/i.test(html) && /<body[\s>]/i.test(html);
  const source = whole ? html : `<html><head></head><body>${html}</body></html>`;
  const { document } = parseHTML(source) as unknown as { document: HtmlDocument };
  prepare(document, url);
  return document;
}

/** Takes the document apart. */
function mainText(document: HtmlDocument): HtmlElement | null {
  const article = new Readability(document, {
    serializer: (node: unknown) => node as HtmlElement,
    disableJSONLD: true,
  }).parse();
  return (article?.length ?? 0) >= MIN_ARTICLE ? (article?.content ?? null) : null;
}

function extract(job: ExtractJob): ExtractReply {
  const document = parse(job);
  const title = document.querySelector('title, h1')?.textContent.trim().slice(0, 200) ?? '';
  const content = mainText(document) ?? parse(job).body;
  const markdown = turndown.turndown(content).trim().slice(0, MAX_MARKDOWN);
  return { ok: true, title: title.replace(/\s+/g, ' '), markdown };
}

function answer(job: ExtractJob): ExtractReply {
  try {
    return extract(job);
  } catch (thrown) {
    // Such as a page nested deeper than the stack.
    return { ok: false, reason: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

parentPort?.on('message', (job: ExtractJob) => parentPort?.postMessage(answer(job)));
