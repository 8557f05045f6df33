/**
 * The way of a person's action into the session: into the journal first, then to the coordinator, then back
 * with what became of it. An action that was answered `ok` is in the journal; it is delivered at most once,
 * in the order of the journal.
 */
import type { Journal, Time } from '../../actors/ports.js';
import type { ActionRequest, ActionResult, UserAction } from '../../messages/actions.js';
import type { Broadcast } from '../../messages/channels/broadcast.js';
import { Oneshot } from '../../messages/channels/oneshot.js';
import type { ObservedFact } from '../../messages/coordinator.js';
import { MAIN_AGENT } from '../../messages/ids.js';
import type { Seq } from '../../messages/ids.js';
import { atMost } from './bounded-wait.js';

/** A person waits no longer than this for an effect; the action takes its course all the same. */
const EFFECT_MS = 5_000;

const STOPPING: ActionResult = { ok: false, message: 'the session is stopping' };
const LEFT_BEHIND: ActionResult = {
  ok: true,
  changed: true,
  message: 'recorded; the session is stopping',
};
const LATER: ActionResult = {
  ok: true,
  changed: true,
  message: 'recorded; it is applied as soon as the session gets to it',
};

export interface ActionGatewayOptions {
  readonly journal: Journal;
  /** A name no other action of this session has. */
  ids(): string;
  readonly time: Time;
  /** Puts it into the coordinator's control lane. False: the coordinator hears nothing more. */
  deliver(action: UserAction): Promise<boolean>;
  readonly facts: Broadcast<ObservedFact>;
  /** Ends the session all the same when that cannot be put on record. */
  readonly stop: () => void;
  /** The main agent's present round. */
  agentRound(): number;
  /** Why an action is refused before it is recorded; null or left out: it is not. Must not throw. */
  admit?(action: ActionRequest): string | null;
  /** How long an effect is waited for; for tests. */
  readonly effectMs?: number;
}

export interface ActionGateway {
  /** Resolves when the action is in the journal and has taken effect. Never rejects. */
  act(action: ActionRequest): Promise<ActionResult>;
  /** Refuses what comes from now on, and answers who still waits. */
  close(): void;
}

export function createActionGateway(options: ActionGatewayOptions): ActionGateway {
  return new JournalingGateway(options);
}

class JournalingGateway implements ActionGateway {
  readonly #options: ActionGatewayOptions;
  readonly #waiting = new Map<string, Oneshot<ActionResult>>();
  readonly #unlisten: () => void;
  /** Deliveries follow each other, so that a full lane cannot change their order. */
  #delivered: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: ActionGatewayOptions) {
    this.#options = options;
    this.#unlisten = options.facts.on((fact) => {
      if (fact.type === 'action.done') this.#waiting.get(fact.id)?.settle(fact.result);
    });
  }

  async act(action: ActionRequest): Promise<ActionResult> {
    if (this.#closed) return STOPPING;
    const refusal = this.#options.admit?.(action) ?? null;
    if (refusal !== null) return { ok: false, message: refusal };
    const at = this.#options.time.now();
    const recorded = await this.#record(action);
    if (typeof recorded === 'string') return this.#unrecorded(action, recorded);
    return this.#pass({ type: 'user.action', id: this.#options.ids(), seq: recorded, action, at });
  }

  close(): void {
    this.#closed = true;
    this.#unlisten();
    for (const effect of this.#waiting.values()) effect.settle(LEFT_BEHIND);
  }

  /** The row's seq, or why there is none. */
  async #record(action: ActionRequest): Promise<Seq | string> {
    const round = this.#options.agentRound();
    try {
      return await this.#options.journal.append([
        { kind: 'user.action', agent: MAIN_AGENT, round, body: { action } },
      ]);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return `the journal could not record it: ${reason}`;
    }
  }

  /** Nobody must be kept from ending a session. */
  #unrecorded({ do: what }: ActionRequest, reason: string): ActionResult {
    if (what !== 'stop') return { ok: false, message: `nothing was done, ${reason}` };
    this.#options.stop();
    return { ok: true, changed: true, message: `stopping, though ${reason}` };
  }

  async #pass(action: UserAction): Promise<ActionResult> {
    const effect = new Oneshot<ActionResult>();
    this.#waiting.set(action.id, effect);
    void this.#deliver(action).then((heard) => heard || effect.settle(LEFT_BEHIND));
    const result = await atMost(this.#options.effectMs ?? EFFECT_MS, effect.answer);
    this.#waiting.delete(action.id);
    return result ?? LATER;
  }

  #deliver(action: UserAction): Promise<boolean> {
    const turn = this.#delivered.then(() => !this.#closed && this.#options.deliver(action));
    this.#delivered = turn;
    return turn;
  }
}
