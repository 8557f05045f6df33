/**
 * A bounded inbox with one reader and two lanes. What travels in the control lane is read before
 * everything else and has room of its own, so that a full inbox never stands in its way. Nothing that was
 * accepted is lost: after `close` it is still read. Within a lane the order is kept, also among those who
 * wait for room.
 */
import { Fifo } from './fifo.js';
import { Gate } from './gate.js';

export type LaneName = 'normal' | 'control';

export interface MailboxOptions {
  readonly capacity: number;
  readonly controlCapacity: number;
}

interface Waiting<T> {
  readonly item: T;
  readonly admitted: (admitted: boolean) => void;
}

class Lane<T> {
  readonly items = new Fifo<T>();
  readonly waiting = new Fifo<Waiting<T>>();
  readonly capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get full(): boolean {
    return this.items.length >= this.capacity;
  }

  /** The next item; the first who waits for room gets the place. */
  take(): T | undefined {
    const item = this.items.shift();
    const next = this.waiting.shift();
    if (next === undefined) return item;
    this.items.push(next.item);
    next.admitted(true);
    return item;
  }
}

export class Mailbox<T> {
  readonly #lanes: Record<LaneName, Lane<T>>;
  readonly #arrived = new Gate();
  #closed = false;
  #highWater = 0;

  constructor(options: MailboxOptions) {
    this.#lanes = {
      normal: new Lane(options.capacity),
      control: new Lane(options.controlCapacity),
    };
  }

  /** Items accepted and not yet read, in both lanes. */
  get depth(): number {
    return this.#lanes.normal.items.length + this.#lanes.control.items.length;
  }

  /** The most that ever waited at once. */
  get highWater(): number {
    return this.#highWater;
  }

  get capacity(): number {
    return this.#lanes.normal.capacity;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** False: full or closed, and the item was not accepted. */
  offer(item: T, lane: LaneName = 'normal'): boolean {
    const { items, full } = this.#lanes[lane];
    if (this.#closed || full) return false;
    items.push(item);
    this.#highWater = Math.max(this.#highWater, this.depth);
    this.#arrived.open();
    return true;
  }

  /** Waits for room. False: it closed before there was any. */
  put(item: T, lane: LaneName = 'normal'): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    if (this.offer(item, lane)) return Promise.resolve(true);
    return new Promise((admitted) => this.#lanes[lane].waiting.push({ item, admitted }));
  }

  /** Refuses new items and those still waiting for room; those already accepted are still read. */
  close(): void {
    this.#closed = true;
    for (const lane of Object.values(this.#lanes)) {
      for (let next = lane.waiting.shift(); next !== undefined; next = lane.waiting.shift()) {
        next.admitted(false);
      }
    }
    this.#arrived.open();
  }

  /** The next item, control lane first; undefined when nothing waits. */
  take(): T | undefined {
    const { control, normal } = this.#lanes;
    return control.items.length > 0 ? control.take() : normal.take();
  }

  /** Ends once it is closed and empty. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    while (this.depth > 0 || !this.#closed) {
      if (this.depth === 0) await this.#arrived.opened();
      const item = this.take();
      if (item !== undefined) yield item;
    }
  }
}
