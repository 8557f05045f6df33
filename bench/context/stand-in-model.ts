/**
 * Stands in for the model that summarises: takes out of the history the lines that a summary is asked to
 * keep, newest first up to the length a summary has. Nothing is understood, so this is the least that a
 * model would do; what is retained beyond it is the program's own record.
 */
import type { ModelClient } from '../../actors/ports.js';
import type { TokenCounter } from './tokens.js';

/** What a summary of a thousand words has. */
const MAX_CHARS = 6_000;
const MAX_LINE_CHARS = 160;
const TELLING = /error|fail|call (?:edit_file|write_file|record_discovery)|context_summary|^- /i;

export interface StandIn {
  readonly model: ModelClient;
  readonly spent: { requests: number; sent: number; answered: number; ms: number };
}

export function standInModel(counter: TokenCounter): StandIn {
  const spent = { requests: 0, sent: 0, answered: 0, ms: 0 };
  const ask: ModelClient['ask'] = ({ messages, model }) => {
    const start = performance.now();
    const text = extract(messages.at(-1)?.text ?? '');
    const usage = {
      promptTokens: messages.reduce((sum, message) => sum + counter.message(message), 0),
      completionTokens: counter.text(text),
      cachedTokens: 0,
    };
    spent.requests += 1;
    spent.sent += usage.promptTokens;
    spent.answered += usage.completionTokens;
    spent.ms += performance.now() - start;
    const reply = { text, reasoning: '', calls: [], usage, finish: 'stop', model } as const;
    return Promise.resolve({ status: 'ok', reply });
  };
  return { model: { ask }, spent };
}

/** A model without answers: every summary is refused, and the ladder goes on without. */
export const silentModel: ModelClient = {
  ask: () => Promise.resolve({ status: 'cancelled' }),
};

function extract(history: string): string {
  const lines = history.split('\n').filter((line) => TELLING.test(line));
  const distinct = [...new Set(lines.map(clean).reverse())];
  const kept: string[] = [];
  let chars = 0;
  for (const line of distinct) {
    chars += line.length + 1;
    if (chars > MAX_CHARS) break;
    kept.push(line);
  }
  return ['Done so far, as noted from the history:', ...kept.reverse()].join('\n');
}

/** Markup would make the summary one that is refused. */
const clean = (line: string): string => line.replace(/<[^>]*>/g, '').slice(0, MAX_LINE_CHARS);
