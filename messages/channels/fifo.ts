/** A queue whose both ends cost the same however long it is. (`Array.shift` copies what stays.) */
export class Fifo<T> {
  #items: T[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Undefined: it is empty. */
  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#head];
    (this.#items as (T | undefined)[])[this.#head] = undefined;
    this.#head += 1;
    if (this.#head > 64 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
