/** Looks for needles in the last request: letter by letter, or one call away from it. */
import type { Message } from '../../messages/conversation.js';
import { CODE, type Needle, type NeedleClass } from './trace.js';

/** How a needle can be had back. */
export type Found = 'verbatim' | 'one call' | 'lost';

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

/** By class and age: how many there are, and how many are found each way. */
export interface Retention {
  readonly kind: NeedleClass;
  readonly age: Age;
  readonly planted: number;
  readonly verbatim: number;
  readonly oneCall: number;
}

export function retentionOf(
  needles: readonly Needle[],
  rounds: number,
  messages: readonly Message[],
): Retention[] {
  const haystack = new Haystack(messages);
  const groups = new Map<string, Needle[]>();
  for (const needle of needles) {
    const group = `${needle.kind} ${ageOf(needle.round, rounds)}`;
    groups.set(group, [...(groups.get(group) ?? []), needle]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const found = group.map((needle) => haystack.find(needle));
    const count = (way: Found): number => found.filter((each) => each === way).length;
    const { kind, round } = first;
    const ways = { verbatim: count('verbatim'), oneCall: count('one call') };
    return [{ kind, age: ageOf(round, rounds), planted: group.length, ...ways }];
  });
}
