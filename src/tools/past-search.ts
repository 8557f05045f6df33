/**
 * Looks for words in all calls of a session and in what they returned, oldest row first. Holds no more than
 * the page that is wanted, however many calls have the words.
 */
import type { CallId } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';
import { withoutGuide } from '../../messages/tool-guides.js';
import { countText, cutText } from './shown.js';

/** Calls on a page, where less is not asked for. */
export const PAGE_CALLS = 20;

/** Shown of one result: more of the same log would push other calls off the page. */
const LINES_PER_CALL = 5;

const LINE_CHARACTERS = 300;
/** Shown in front of words that stand far into a line. */
const LEAD_CHARACTERS = 100;
const CALL_CHARACTERS = 200;

/** What searched before would be found again by each later search. */
const NOT_SEARCHED = 'read_output';

export interface PastPage {
  /** Calls that have the words. */
  readonly total: number;
  /** One text a call, newest first, from the `offset`th on. */
  readonly found: readonly string[];
}

interface SearchRequest {
  /** Looked for letter by letter, whatever their case. */
  readonly words: string;
  /** The first call wanted, counted from 1 at the newest. */
  readonly offset: number;
  readonly limit: number;
}

export class PastSearch {
  readonly #request: SearchRequest;
  readonly #words: string;
  /** Calls whose results have not come yet, as they were asked. */
  readonly #asked = new Map<CallId, string>();
  /** The newest so far that can be on the page or after it. */
  readonly #newest: string[] = [];
  #total = 0;

  constructor(request: SearchRequest) {
    this.#request = request;
    this.#words = request.words.toLowerCase();
  }

  get page(): PastPage {
    const { offset, limit } = this.#request;
    const found = this.#newest.toReversed().slice(offset - 1, offset - 1 + limit);
    return { total: this.#total, found };
  }

  apply({ kind, body }: JournalRow): void {
    if (kind === 'message.added' && body.message.role === 'assistant') {
      for (const { id, args } of body.message.calls) this.#asked.set(id, JSON.stringify(args));
    }
    if (kind !== 'tool.outcome') return;
    const { callId, name, outcome } = body;
    const args = this.#asked.get(callId) ?? '{}';
    this.#asked.delete(callId);
    if (name !== NOT_SEARCHED) this.#look(`${callId} ${name}`, args, withoutGuide(outcome.text));
  }

  #look(call: string, args: string, result: string): void {
    const isAsked = this.#at(args) >= 0;
    // Most results have nothing: their lines need not be taken apart.
    const lines = this.#at(result) < 0 ? [] : this.#linesOf(result);
    if (!isAsked && lines.length === 0) return;
    const about = this.#excerpt(args, CALL_CHARACTERS);
    const left = lines.length - LINES_PER_CALL;
    const shown = [
      `${call}(${about})`,
      ...lines.slice(0, LINES_PER_CALL),
      ...(left > 0 ? [`  … and ${countText(left, 'more line')}`] : []),
    ];
    this.#total += 1;
    this.#newest.push(shown.join('\n'));
    const { offset, limit } = this.#request;
    if (this.#newest.length > offset - 1 + limit) this.#newest.shift();
  }

  #at = (text: string): number => text.toLowerCase().indexOf(this.#words);

  #linesOf(result: string): string[] {
    return result
      .split('\n')
      .flatMap((line, i) =>
        this.#at(line) < 0 ? [] : [`  L${i + 1}: ${this.#excerpt(line, LINE_CHARACTERS)}`],
      );
  }

  /** The beginning of a text, or what stands around the words when they come later. */
  #excerpt(text: string, max: number): string {
    const at = this.#at(text);
    if (at + this.#words.length <= max) return cutText(text, max, '…');
    return `…${cutText(text.slice(Math.max(0, at - LEAD_CHARACTERS)), max, '…')}`;
  }
}
