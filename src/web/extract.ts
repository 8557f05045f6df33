/**
 * HTML to Markdown in a worker thread, one page at a time, within limits of time and memory. A page that
 * breaks them ends the worker and is given as plain text; the main thread never parses it. One worker is
 * kept, and ended when nothing needed it for a while.
 */
import { ExtractBench, type ExtractLimits } from './extract-bench.js';
import { plainText } from './plain-text.js';
import { createTurns } from './turns.js';

export interface Extracted {
  /** Empty when it has none, or was not parsed. */
  readonly title: string;
  readonly markdown: string;
  /** What is missing or different from the page, in words; null: nothing. */
  readonly note: string | null;
}

export interface Extractor {
  /** Null: the signal aborted. Must not reject. */
  extract(html: string, url: string, signal: AbortSignal): Promise<Extracted | null>;
  close(): Promise<void>;
}

/** A page of the largest size takes about three seconds and 400 MB; a loaded machine gets some slack. */
const EXTRACT_LIMITS: ExtractLimits = { timeMs: 10_000, memoryMb: 512, idleMs: 30_000 };

/** What comes after this much of a page is not parsed. */
const MAX_HTML = 2_000_000;

export function createExtractor(given: Partial<ExtractLimits> = {}): Extractor {
  const limits = { ...EXTRACT_LIMITS, ...given };
  const turns = createTurns();
  const bench = new ExtractBench(limits);
  return {
    async extract(html, url, signal) {
      const giveBack = await turns.take(signal);
      if (giveBack === null) return null;
      const end = await bench.run({ html: html.slice(0, MAX_HTML), url }, signal);
      giveBack();
      if (signal.aborted) return null;
      const cut = html.length > MAX_HTML ? `only its first ${MAX_HTML} characters were read` : null;
      if (end.ok) return { title: end.title, markdown: end.markdown, note: cut };
      const note = `it could not be parsed (${end.reason}), so this is its text without structure`;
      return { title: '', markdown: plainText(html), note };
    },
    close: () => bench.close(),
  };
}
