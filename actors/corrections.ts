/**
 * Counts, for one agent, the rounds in a row in which it could not write the arguments of a tool as JSON.
 * Each such call is answered with the tool's schema and what is wrong; a model that still cannot is not
 * asked for ever. Counted since the process began or a person spoke, so that going on is always possible.
 */
import type { ToolCall } from '../messages/conversation.js';
import type { ModelError } from '../messages/model.js';

/** One may be an accident, and a second try mends most; after that it is what the model can do. */
const MAX_CORRECTIONS = 2;

export class Corrections {
  readonly #failures = new Map<string, number>();

  /** The calls of one answer. A call that can be read ends the row of its tool. */
  count(calls: readonly ToolCall[]): void {
    const broken = new Set(calls.filter(isInvalid).map(({ name }) => name));
    for (const { name } of calls) if (!broken.has(name)) this.#failures.delete(name);
    for (const name of broken) this.#failures.set(name, (this.#failures.get(name) ?? 0) + 1);
  }

  /** Somebody said something that may change it. */
  reset(): void {
    this.#failures.clear();
  }

  /** Null: there is hope. */
  failure(model: string): ModelError | null {
    for (const [tool, failures] of this.#failures) {
      if (failures <= MAX_CORRECTIONS) continue;
      const message = `Model "${model}" sent arguments for the tool ${tool} that are not a JSON object, ${failures} times in a row, although it was told what is wrong. Choose another model with --model, or say what to do and resume.`;
      return { kind: 'bad-arguments', message };
    }
    return null;
  }
}

const isInvalid = ({ invalid }: ToolCall): boolean => invalid !== undefined;
