/** Looks for needles in the last request: letter by letter, one call away from it, or found by a search. */
import { EARLIER_CALLS } from '../../actors/context/summary.js';
import type { Message } from '../../messages/conversation.js';
import type { JournalRow } from '../../messages/journal.js';
import { PAGE_CALLS, PastSearch } from '../../src/tools/past-search.js';
import { CODE, type Needle, type NeedleClass } from './trace.js';

/** How a needle can be had back. */
export type Found = 'verbatim' | 'one call' | 'one search' | 'lost';

/** How old a needle is: said in the last tenth of the rounds, in the half before that, or earlier. */
export const AGES = ['new', 'older', 'oldest'] as const;
export type Age = (typeof AGES)[number];

export const ageOf = (round: number, rounds: number): Age =>
  round > 0.9 * rounds ? 'new' : round > 0.4 * rounds ? 'older' : 'oldest';

/** Characters around a code in which its needle is looked for. */
const AROUND = 160;

export class Haystack {
  readonly #said = new Set<string>();
  readonly #around = new Map<string, string[]>();
  readonly #ids = new Set<string>();

  constructor(messages: readonly Message[]) {
    for (const message of messages) {
      if (message.role === 'user') this.#said.add(message.text);
      this.#read(message.text);
      if (message.role !== 'assistant') continue;
      for (const { args } of message.calls) this.#read(JSON.stringify(args));
    }
  }

  #read(text: string): void {
    for (const { 0: code, index } of text.matchAll(CODE)) {
      const around = text.slice(Math.max(0, index - AROUND), index + AROUND);
      this.#around.set(code, [...(this.#around.get(code) ?? []), around]);
    }
    for (const [id] of text.matchAll(/main_\d+_\d+/g)) this.#ids.add(id);
  }

  #names(text: string, code: string): boolean {
    return this.#around.get(code)?.some((around) => around.includes(text)) ?? false;
  }

  find({ kind, text, code, callId, path }: Needle): Found {
    // A person's words count only where they stand as theirs.
    if (kind === 'words') return this.#said.has(text) ? 'verbatim' : 'lost';
    if (this.#names(text, code)) return 'verbatim';
    const isNamed = path !== null && this.#names(path, code);
    return isNamed || (callId !== null && this.#ids.has(callId)) ? 'one call' : 'lost';
  }
}

/**
 * All that a session's journal has, searched as the model would: for the code that a needle stands beside, with
 * the tool's own search, of which the first page is read. Of use only to a model that is told of it.
 */
export class Archive {
  /** The rows that name a code; all others can have no match for it. */
  readonly #rows = new Map<string, JournalRow[]>();

  constructor(rows: readonly JournalRow[]) {
    for (const row of rows) {
      if (row.kind !== 'message.added' && row.kind !== 'tool.outcome') continue;
      for (const [code] of JSON.stringify(row.body).matchAll(CODE)) {
        this.#rows.set(code, [...(this.#rows.get(code) ?? []), row]);
      }
    }
  }

  finds({ text, code }: Needle): boolean {
    const search = new PastSearch({ words: code, offset: 1, limit: PAGE_CALLS });
    for (const row of this.#rows.get(code) ?? []) search.apply(row);
    return search.page.found.some((each) => each.includes(text));
  }
}

/** By class and age: how many there are, and how many are found each way. */
export interface Retention {
  readonly kind: NeedleClass;
  readonly age: Age;
  readonly planted: number;
  readonly verbatim: number;
  readonly oneCall: number;
  readonly oneSearch: number;
}

export function retentionOf(
  needles: readonly Needle[],
  rounds: number,
  { messages, rows }: { messages: readonly Message[]; rows: readonly JournalRow[] },
): Retention[] {
  const haystack = new Haystack(messages);
  const isTold = messages.some(({ text }) => text.includes(EARLIER_CALLS));
  const archive = new Archive(isTold ? rows : []);
  const find = (needle: Needle): Found => {
    const found = haystack.find(needle);
    const isSearched = found === 'lost' && needle.kind !== 'words' && archive.finds(needle);
    return isSearched ? 'one search' : found;
  };
  const groups = new Map<string, Needle[]>();
  for (const needle of needles) {
    const group = `${needle.kind} ${ageOf(needle.round, rounds)}`;
    groups.set(group, [...(groups.get(group) ?? []), needle]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const found = group.map(find);
    const count = (way: Found): number => found.filter((each) => each === way).length;
    const { kind, round } = first;
    const ways = {
      verbatim: count('verbatim'),
      oneCall: count('one call'),
      oneSearch: count('one search'),
    };
    return [{ kind, age: ageOf(round, rounds), planted: group.length, ...ways }];
  });
}
