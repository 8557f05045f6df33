/**
 * Turns at what must not be used by two calls at once. The executor keeps calls apart by the arguments they
 * came with; this holds for the arguments they are run with, which a hook may have changed.
 */
export class Turns {
  /** Resolves when whoever came last has finished. */
  readonly #last = new Map<string, Promise<void>>();

  /** Resolves when everyone who came earlier for one of the names has finished; call what it gives then. */
  async take(names: readonly string[]): Promise<() => void> {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const earlier = names.flatMap((name) => this.#last.get(name) ?? []);
    for (const name of names) this.#last.set(name, finished);
    await Promise.all(earlier);
    return () => {
      for (const name of names) {
        if (this.#last.get(name) === finished) this.#last.delete(name);
      }
      finish();
    };
  }
}
