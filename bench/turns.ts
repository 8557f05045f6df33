/**
 * Lets clients go on in turns, a block of rounds each, so that what is compared is measured at the same
 * time on the same machine and never side by side. A client waits while the server owes it an answer.
 */
export class Turns {
  readonly #block: number;
  readonly #between: () => void;
  readonly #waiting = new Map<string, () => void>();
  #order: readonly string[];
  #done = 0;

  /** `between` runs at each change of turns, while every client waits. */
  constructor(order: readonly string[], block: number, between: () => void) {
    this.#order = order;
    this.#block = block;
    this.#between = between;
  }

  /** Resolves when it is this client's turn. True: it had to wait, so what it does next starts cold. */
  async take(client: string): Promise<boolean> {
    if (this.#order[0] === client && this.#done >= this.#block) this.#pass();
    if (this.#order[0] === client) {
      this.#done += 1;
      return this.#done === 1;
    }
    await new Promise<void>((resolve) => this.#waiting.set(client, resolve));
    this.#done += 1;
    return true;
  }

  /** It has done all it will do: the others go on without it. */
  leave(client: string): void {
    const had = this.#order[0] === client;
    if (had) this.#pass();
    this.#order = this.#order.filter((other) => other !== client);
    this.#wake();
  }

  #pass(): void {
    const [first, ...others] = this.#order;
    if (first !== undefined) this.#order = [...others, first];
    this.#done = 0;
    this.#between();
    this.#wake();
  }

  #wake(): void {
    const next = this.#order[0];
    if (next === undefined) return;
    const resume = this.#waiting.get(next);
    this.#waiting.delete(next);
    resume?.();
  }
}
