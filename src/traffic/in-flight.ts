/**
 * A model client that asks only while it has one of the places at its server, which all sessions of the
 * user share. Who waits is told so, is timed by nobody, and leaves at once when its request is aborted or
 * its agent held. Main agents go before sub-agents; between processes there is no order.
 */
import type { ModelClient } from '../../actors/ports.js';
import { MAIN_AGENT, type AgentId } from '../../messages/ids.js';
import type { ModelDelta, ModelOutcome, ModelRequest } from '../../messages/model.js';

/** How long a place that another process gave back may stay unused. */
const LOOK_AGAIN_MS = 200;

type Free = () => void;

export interface InFlightPorts {
  readonly model: ModelClient;
  /** Takes a place, and returns how to give it back; null: all are taken. Must not throw. */
  tryTake(): Free | null;
  /** The agent's gate is open. */
  mayAsk(agent: AgentId): boolean;
  /** A request has to wait; it need not any more. */
  onQueued(request: ModelRequest, waiting: boolean): void;
  readonly setTimeout: (run: () => void, ms: number) => unknown;
}

interface Waiter {
  readonly request: ModelRequest;
  /** Null: it gave up. */
  settle(free: Free | null): void;
}

const CANCELLED: ModelOutcome = { status: 'cancelled' };

export class InFlightLimit implements ModelClient {
  readonly #ports: InFlightPorts;
  #waiting: readonly Waiter[] = [];
  #looksAgain = false;

  constructor(ports: InFlightPorts) {
    this.#ports = ports;
  }

  async ask(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
  ): Promise<ModelOutcome> {
    if (signal.aborted) return CANCELLED;
    const free = await this.#place(request, signal);
    if (free === null) return CANCELLED;
    try {
      return await this.#ports.model.ask(request, onDelta, signal);
    } finally {
      free();
      this.#handOut();
    }
  }

  /** The holds have changed: whoever may not ask any more waits at its gate instead. */
  recheck(): void {
    for (const waiter of this.#waiting) {
      if (!this.#ports.mayAsk(waiter.request.agent)) this.#remove(waiter, null);
    }
  }

  #place(request: ModelRequest, signal: AbortSignal): Promise<Free | null> | Free {
    const free = this.#waiting.length === 0 ? this.#ports.tryTake() : null;
    if (free !== null) return free;
    return new Promise((resolve) => {
      const giveUp = (): void => this.#remove(waiter, null);
      const waiter: Waiter = {
        request,
        settle: (place) => {
          signal.removeEventListener('abort', giveUp);
          resolve(place);
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting = [...this.#waiting, waiter];
      this.#ports.onQueued(request, true);
      this.#handOut();
    });
  }

  #remove(waiter: Waiter, free: Free | null): void {
    this.#waiting = this.#waiting.filter((other) => other !== waiter);
    waiter.settle(free);
  }

  #handOut(): void {
    while (this.#waiting.length > 0) {
      const main = this.#waiting.find(({ request }) => request.agent === MAIN_AGENT);
      const next = main ?? this.#waiting[0];
      const free = this.#ports.tryTake();
      if (next === undefined || free === null) {
        this.#lookAgain();
        return;
      }
      this.#ports.onQueued(next.request, false);
      this.#remove(next, free);
    }
  }

  #lookAgain(): void {
    if (this.#looksAgain) return;
    this.#looksAgain = true;
    this.#ports.setTimeout(() => {
      this.#looksAgain = false;
      this.#handOut();
    }, LOOK_AGAIN_MS);
  }
}
