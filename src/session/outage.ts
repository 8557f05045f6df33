/**
 * Watches over a model server that does not answer: says what becomes of requests that failed for good, has
 * the server asked whether it is back while a hold waits for it, and gives up when the wait has a limit.
 * Its memory ends with the next answer, so that a server that fails again soon is asked ever more rarely.
 */
import type { AfterRetries, ModelFailure } from '../../actors/model-failure.js';
import type { Time } from '../../actors/ports.js';
import type { ObservedFact } from '../../messages/coordinator.js';
import type { Millis } from '../../messages/ids.js';
import {
  OUTAGE_HOLDS,
  type EndpointProbed,
  type Hold,
  type HoldKind,
} from '../../messages/pause.js';
import type { Clock } from './actor-pump.js';
import { holdFor, probeDelayMs } from './failure-policy.js';

export interface OutagePorts {
  readonly time: Time;
  readonly clock: Clock;
  /** How long a server may be away; null: for ever. */
  readonly maxWaitMs: number | null;
  /** The command that has the server asked again. */
  readonly release: string;
  /** Added to the reason of a hold that waits for another key. */
  readonly keyAdvice: string;
  /** The model to ask in place of the one that failed; null: none. */
  nextModel(failure: ModelFailure): string | null;
  /** Failures that are somebody else's to judge; null: it is not one. */
  readonly special?: (failure: ModelFailure) => AfterRetries | null;
  /** Whether the server answers. Must not reject. */
  probe(): Promise<boolean>;
  tell(message: EndpointProbed): unknown;
  /** The limit of the wait is reached. */
  giveUp(reason: string): void;
}

export class Outage {
  readonly #ports: OutagePorts;
  /** Probes, and waits for a limit to pass, since the last answer. */
  #step = 0;
  #since: Millis | null = null;
  #holds: readonly Hold[] = [];
  #probing: unknown = null;
  #limit: unknown = null;

  constructor(ports: OutagePorts) {
    this.#ports = ports;
  }

  afterRetries(failure: ModelFailure): AfterRetries {
    const special = this.#ports.special?.(failure) ?? null;
    if (special !== null) return special;
    const model = this.#ports.nextModel(failure);
    if (model !== null) return { do: 'again', model };
    const error = failure.first;
    const kind = holdFor(error, this.#ports.maxWaitMs === null);
    if (kind === null) return { do: 'end' };
    const now = this.#ports.time.now();
    this.#since ??= now;
    const until = kind === 'rate-limit' ? this.#allowedAt(now, error.retryAfterMs) : null;
    if (this.#limitAt() <= Math.max(now, until ?? now)) return { do: 'end' };
    const advice = kind === 'auth' ? ` ${this.#ports.keyAdvice}` : '';
    const reason = `${error.message}${advice}`;
    const { release } = this.#ports;
    return { do: 'hold', hold: { kind, scope: 'session', since: now, until, reason, release } };
  }

  /** Hears what happens in the session. */
  onFact(fact: ObservedFact): void {
    if (fact.type === 'model.used') {
      this.#step = 0;
      this.#since = null;
    } else if (fact.type === 'pause.changed') this.follow(fact.holds);
  }

  /** Acts on the holds in force; those of a resumed session too. */
  follow(holds: readonly Hold[]): void {
    this.#holds = holds;
    if (this.#held(['endpoint'])) this.#armProbe();
    else this.#probing = this.#disarm(this.#probing);
    if (this.#held(OUTAGE_HOLDS)) this.#armLimit();
    else this.#limit = this.#disarm(this.#limit);
  }

  /** A person wants to know at once. */
  async probeFor(action: string): Promise<void> {
    const ok = await this.#ports.probe();
    this.#ports.tell({ type: 'endpoint.probed', ok, action });
  }

  close(): void {
    this.follow([]);
  }

  #held(kinds: readonly HoldKind[]): boolean {
    return this.#holds.some(({ kind, scope }) => scope === 'session' && kinds.includes(kind));
  }

  /** Agents that are refused together wait for the same moment. */
  #allowedAt(now: Millis, retryAfterMs: number | undefined): Millis {
    const other = this.#holds.find(({ kind }) => kind === 'rate-limit')?.until ?? null;
    if (other !== null && other > now) return other;
    const wait = Math.max(probeDelayMs(this.#step), retryAfterMs ?? 0);
    this.#step += 1;
    return now + wait;
  }

  #limitAt(): Millis {
    const { maxWaitMs, time } = this.#ports;
    return maxWaitMs === null ? Infinity : (this.#since ?? time.now()) + maxWaitMs;
  }

  #armProbe(): void {
    this.#probing ??= this.#ports.clock.setTimeout(
      () => void this.#lookForIt(),
      probeDelayMs(this.#step),
    );
  }

  async #lookForIt(): Promise<void> {
    this.#step += 1;
    const timer = this.#probing;
    const ok = await this.#ports.probe();
    // Lifted meanwhile; what holds now has a timer of its own.
    if (this.#probing !== timer) return;
    this.#probing = null;
    // Also after a success: the hold is lifted by then, or the message was lost with the session.
    this.#ports.tell({ type: 'endpoint.probed', ok, action: null });
    this.#armProbe();
  }

  #armLimit(): void {
    const { maxWaitMs, time, clock } = this.#ports;
    if (maxWaitMs === null || this.#limit !== null) return;
    this.#since ??= time.now();
    const wait = Math.max(0, this.#limitAt() - time.now());
    this.#limit = clock.setTimeout(() => {
      const why = this.#holds.find(({ kind }) => OUTAGE_HOLDS.includes(kind))?.reason ?? '';
      this.#ports.giveUp(`${why} It was waited for as long as --max-wait allows.`);
    }, wait);
  }

  #disarm(timer: unknown): null {
    if (timer !== null) this.#ports.clock.clearTimeout(timer);
    return null;
  }
}
