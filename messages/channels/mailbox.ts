/**
 * A bounded inbox with one reader and two lanes. What travels in the control lane is read before
 * everything else and has room of its own, so that a full inbox never stands in its way. Nothing that was
 * accepted is lost: after `close` it is still read. Within a lane the order is kept.
 */
import { Fifo } from './fifo.js';
import { Gate } from './gate.js';

export type Lane = 'normal' | 'control';

export interface MailboxOptions {
  readonly capacity: number;
  readonly controlCapacity: number;
}

export class Mailbox<T> {
  readonly #lanes = { normal: new Fifo<T>(), control: new Fifo<T>() };
  readonly #room: Record<Lane, number>;
  readonly #arrived = new Gate();
  readonly #taken = new Gate();
  #closed = false;
  #highWater = 0;

  constructor(options: MailboxOptions) {
    this.#room = { normal: options.capacity, control: options.controlCapacity };
  }

  /** Items waiting, in both lanes. */
  get depth(): number {
    return this.#lanes.normal.length + this.#lanes.control.length;
  }

  /** The most that ever waited at once. */
  get highWater(): number {
    return this.#highWater;
  }

  get capacity(): number {
    return this.#room.normal;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** False: full or closed, and the item was not accepted. */
  offer(item: T, lane: Lane = 'normal'): boolean {
    const queue = this.#lanes[lane];
    if (this.#closed || queue.length >= this.#room[lane]) return false;
    queue.push(item);
    this.#highWater = Math.max(this.#highWater, this.depth);
    this.#arrived.open();
    return true;
  }

  /** Waits for room. False: it closed before there was any. */
  async put(item: T, lane: Lane = 'normal'): Promise<boolean> {
    while (!this.offer(item, lane)) {
      if (this.#closed) return false;
      await this.#taken.opened();
    }
    return true;
  }

  /** Refuses new items; those already accepted are still read. */
  close(): void {
    this.#closed = true;
    this.#arrived.open();
    this.#taken.open();
  }

  /** The next item, control lane first; undefined when nothing waits. */
  take(): T | undefined {
    const lane = this.#lanes.control.length > 0 ? this.#lanes.control : this.#lanes.normal;
    const item = lane.shift();
    if (item !== undefined) this.#taken.open();
    return item;
  }

  /** Ends once it is closed and empty. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    while (this.depth > 0 || !this.#closed) {
      const item = this.take();
      if (item === undefined) await this.#arrived.opened();
      else yield item;
    }
  }
}
