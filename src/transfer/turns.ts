/**
 * From the pieces of a foreign history to turns that a conversation of ours can hold: an answer is whole
 * again, each of its calls stands with its one result, and nothing stands between the two. Pure.
 */
import type { Blocks, ForeignCall, ForeignResult } from './content-blocks.js';

export type Piece =
  | { readonly kind: 'system'; readonly text: string }
  | {
      readonly kind: 'user';
      readonly text: string;
      /** A person said it, and not the program. */
      readonly isOwn: boolean;
      readonly results: readonly ForeignResult[];
      /** The sub-agent that a result is of. */
      readonly agent: string | null;
    }
  /** `answer`: pieces with the same one are one answer; null: it is whole. */
  | { readonly kind: 'assistant'; readonly answer: string | null; readonly blocks: Blocks };

export interface Step {
  readonly call: ForeignCall;
  /** Null: there is none. */
  readonly result: ForeignResult | null;
  readonly agent: string | null;
}

export type Turn =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string; readonly isOwn: boolean }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly reasoning: string;
      readonly steps: readonly Step[];
    };

/** `stray`: called for each result of a call that nobody made. */
export function* turnsOf(pieces: Iterable<Piece>, stray: () => void): Generator<Turn> {
  let open: Answer | null = null;
  let waiting: Turn[] = [];
  const flush = (): Turn[] => {
    const turns = [...(open === null ? [] : open.turns()), ...waiting];
    open = null;
    waiting = [];
    return turns;
  };
  for (const piece of pieces) {
    if (piece.kind === 'assistant') {
      if (open === null || !open.goesOnWith(piece.answer)) {
        yield* flush();
        open = new Answer(piece.answer);
      }
      open.add(piece.blocks);
      continue;
    }
    if (piece.kind === 'user') {
      for (const result of piece.results) {
        if (!open?.take(result, piece.agent)) stray();
      }
    }
    if (piece.text.trim() === '') continue;
    waiting.push(
      piece.kind === 'system'
        ? { role: 'system', text: piece.text }
        : { role: 'user', text: piece.text, isOwn: piece.isOwn },
    );
    // Words said while calls ran stand behind their results.
    if (!open?.waits) yield* flush();
  }
  yield* flush();
}

/** One answer as it comes together. */
class Answer {
  readonly #id: string | null;
  readonly #texts: string[] = [];
  readonly #thoughts: string[] = [];
  readonly #calls: ForeignCall[] = [];
  readonly #results = new Map<string, Pick<Step, 'result' | 'agent'>>();

  constructor(id: string | null) {
    this.#id = id;
  }

  /** A call has no result yet. */
  get waits(): boolean {
    return this.#calls.some(({ id }) => !this.#results.has(id));
  }

  goesOnWith(id: string | null): boolean {
    return id !== null && id === this.#id;
  }

  add({ text, thinking, calls }: Blocks): void {
    if (text !== '') this.#texts.push(text);
    if (thinking !== '') this.#thoughts.push(thinking);
    const isNew = ({ id }: ForeignCall): boolean =>
      id === '' || !this.#calls.some((call) => call.id === id);
    for (const call of calls) if (isNew(call)) this.#calls.push(call);
  }

  /** False: none of its calls has this id. The first result counts. */
  take(result: ForeignResult, agent: string | null): boolean {
    if (!this.#calls.some(({ id }) => id === result.id)) return false;
    if (!this.#results.has(result.id)) this.#results.set(result.id, { result, agent });
    return true;
  }

  /** None, where it says nothing and asks for nothing. */
  turns(): Turn[] {
    const text = this.#texts.join('\n');
    if (text.trim() === '' && this.#calls.length === 0) return [];
    const steps = this.#calls.map((call) => {
      const found = this.#results.get(call.id);
      return { call, result: found?.result ?? null, agent: found?.agent ?? null };
    });
    return [{ role: 'assistant', text, reasoning: this.#thoughts.join('\n'), steps }];
  }
}
