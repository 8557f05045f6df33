/** One question, one answer: the first `settle` counts, every later one is refused and says so. */
export class Oneshot<T> {
  readonly answer: Promise<T>;
  #resolve!: (value: T) => void;
  #settled = false;

  constructor() {
    this.answer = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** False: it had its answer already, and this one changes nothing. */
  settle(value: T): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#resolve(value);
    return true;
  }
}

/**
 * Questions under way, by name. Whoever has the answer needs only the name; a name is used once, so a late
 * or second answer finds nobody and is reported as such.
 */
export class ReplyRegistry<K, T> {
  readonly #open = new Map<K, Oneshot<T>>();

  /** Throws when the name is in use: two questions would share one answer. */
  ask(name: K): Promise<T> {
    if (this.#open.has(name)) throw new Error(`a question named ${String(name)} is already open`);
    const oneshot = new Oneshot<T>();
    this.#open.set(name, oneshot);
    return oneshot.answer;
  }

  /** False: nobody waits for it. */
  settle(name: K, value: T): boolean {
    const oneshot = this.#open.get(name);
    this.#open.delete(name);
    return oneshot?.settle(value) ?? false;
  }

  get size(): number {
    return this.#open.size;
  }
}
