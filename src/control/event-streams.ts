/**
 * A client's side of a subscription: three streams, each for one reader, and none of them ever holds more
 * than it is allowed to. A reader that is slow skips snapshots, and loses the oldest deltas and facts.
 */
import type { AgentDelta } from '../../messages/agents.js';
import { LossyQueue, SUBSCRIBER_QUEUE } from '../../messages/channels/broadcast.js';
import { Gate } from '../../messages/channels/gate.js';
import type { ControlEvent } from '../../messages/control.js';
import type { ObservedFact } from '../../messages/coordinator.js';
import type { Snapshot } from '../../messages/snapshot.js';

/** So many deltas and facts together are missing here; the next snapshot shows where things stand. */
export interface Lagged {
  readonly type: 'lagged';
  readonly dropped: number;
}

export class EventStreams {
  readonly snapshots = new LatestSnapshot();
  readonly #deltas = new LossyQueue<AgentDelta | Lagged>(SUBSCRIBER_QUEUE);
  readonly #facts = new LossyQueue<ObservedFact | Lagged>(SUBSCRIBER_QUEUE);

  get deltas(): AsyncIterable<AgentDelta | Lagged> {
    return unwrapped(this.#deltas);
  }

  get facts(): AsyncIterable<ObservedFact | Lagged> {
    return unwrapped(this.#facts);
  }

  /** What waits is still read, then each stream ends. */
  end(): void {
    this.snapshots.end();
    this.#deltas.close();
    this.#facts.close();
  }

  take(event: Exclude<ControlEvent, { ev: 'bye' }>): void {
    switch (event.ev) {
      case 'snapshot':
        this.snapshots.publish(event.data);
        break;
      case 'delta':
        this.#deltas.push(event.data);
        break;
      case 'fact':
        this.#facts.push(event.data);
        break;
      case 'lagged':
        this.#deltas.push({ type: 'lagged', dropped: event.data.dropped });
        this.#facts.push({ type: 'lagged', dropped: event.data.dropped });
    }
  }
}

/** The newest snapshot each time the reader comes back; the last one is read before the stream ends. */
class LatestSnapshot implements AsyncIterable<Snapshot> {
  readonly #changed = new Gate();
  #unread: Snapshot | null = null;
  #ended = false;

  publish(snapshot: Snapshot): void {
    this.#unread = snapshot;
    this.#changed.open();
  }

  end(): void {
    this.#ended = true;
    this.#changed.open();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Snapshot> {
    while (this.#unread !== null || !this.#ended) {
      const snapshot = this.#unread;
      this.#unread = null;
      if (snapshot === null) await this.#changed.opened();
      else yield snapshot;
    }
  }
}

async function* unwrapped<T>(queue: LossyQueue<T>): AsyncGenerator<T | Lagged> {
  for await (const received of queue) yield received.type === 'item' ? received.item : received;
}
