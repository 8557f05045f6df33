/**
 * One writer, any number of readers. The writer never waits: a reader that falls behind loses the oldest
 * items and is told how many (`lagged`), so that it can start again from a snapshot.
 */
import { Fifo } from './fifo.js';
import { Gate } from './gate.js';

/** Items a subscriber may be behind before it loses the oldest. */
export const SUBSCRIBER_QUEUE = 256;

export type Received<T> =
  | { readonly type: 'item'; readonly item: T }
  | { readonly type: 'lagged'; readonly dropped: number };

/** One reader's bounded queue; drops the oldest when full. */
export class LossyQueue<T> {
  readonly #items = new Fifo<T>();
  readonly #changed = new Gate();
  #dropped = 0;
  #closed = false;
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  push(item: T): void {
    if (this.#closed) return;
    this.#items.push(item);
    if (this.#items.length > this.#capacity) {
      this.#items.shift();
      this.#dropped += 1;
    }
    this.#changed.open();
  }

  /** What is waiting, in order; nothing is, afterwards. */
  takeAll(): T[] {
    const items: T[] = [];
    for (let item = this.#items.shift(); item !== undefined; item = this.#items.shift())
      items.push(item);
    return items;
  }

  /** What is waiting is still read. */
  close(): void {
    this.#closed = true;
    this.#changed.open();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Received<T>> {
    while (this.#items.length > 0 || this.#dropped > 0 || !this.#closed) {
      if (this.#dropped > 0) {
        const dropped = this.#dropped;
        this.#dropped = 0;
        // More may be dropped while the reader looks at this: it is announced first, too.
        yield { type: 'lagged', dropped };
      } else if (this.#items.length > 0) {
        const item = this.#items.shift();
        if (item !== undefined) yield { type: 'item', item };
      } else {
        await this.#changed.opened();
      }
    }
  }
}

export class Broadcast<T> {
  readonly #queues = new Set<LossyQueue<T>>();
  readonly #listeners = new Set<(item: T) => void>();

  publish(item: T): void {
    for (const listener of this.#listeners) listener(item);
    for (const queue of this.#queues) queue.push(item);
  }

  /** Called at once with every item, in order, none lost. Must not throw. Returns how to stop. */
  on(listener: (item: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A queue of one's own; give it back with `unsubscribe`. */
  subscribe(capacity = SUBSCRIBER_QUEUE): LossyQueue<T> {
    const queue = new LossyQueue<T>(capacity);
    this.#queues.add(queue);
    return queue;
  }

  unsubscribe(queue: LossyQueue<T>): void {
    this.#queues.delete(queue);
    queue.close();
  }

  /** Every subscriber's iteration ends after what is waiting for it. */
  close(): void {
    for (const queue of this.#queues) this.unsubscribe(queue);
    this.#listeners.clear();
  }
}
