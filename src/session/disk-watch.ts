/**
 * Watches over a disk that does not take what is written: holds the session for it, has what waits tried again
 * until it is taken, lifts the hold then, and gives up when the wait has a limit.
 */
import type { Time } from '../../actors/ports.js';
import type { ObservedFact } from '../../messages/coordinator.js';
import type { DiskProbed, Hold, HoldWanted } from '../../messages/pause.js';
import type { Clock } from './actor-pump.js';

/** Trying costs next to nothing, and nobody tells the program that there is room again. */
const TRY_DELAYS_MS = [5_000, 15_000, 60_000] as const;

export interface DiskWatchPorts {
  readonly time: Time;
  readonly clock: Clock;
  /** How long the disk may refuse; null: for ever. */
  readonly maxWaitMs: number | null;
  /** The command that has it tried at once. */
  readonly release: string;
  /** An earlier run of the process was held for its disk, and this one begins so. */
  readonly isHeld: boolean;
  tell(message: HoldWanted | DiskProbed): unknown;
  /** The limit of the wait is reached. */
  giveUp(reason: string): void;
}

export interface Refusal {
  /** What is wrong, and where; no full stop. */
  readonly what: string;
  /** What a person can do about it; no full stop. */
  readonly advice: string;
}

/** True: it was taken, or nobody needs it any more. Must not reject. */
export type Attempt = () => boolean | Promise<boolean>;

interface Waiting {
  readonly attempt: Attempt;
  readonly over: () => void;
}

export class DiskWatch {
  readonly #ports: DiskWatchPorts;
  readonly #waiting = new Set<Waiting>();
  #tries = 0;
  #isHeld: boolean;
  /** Of what waits now. */
  #wanted: Hold | null = null;
  #timer: unknown = null;
  #limit: unknown = null;
  #trying: Promise<boolean> | null = null;
  #isClosed = false;

  constructor(ports: DiskWatchPorts) {
    this.#ports = ports;
    this.#isHeld = ports.isHeld;
  }

  /** Resolves when `attempt` says so, when the signal aborts, or when the session ends. */
  async keepTrying(refusal: Refusal, attempt: Attempt, signal?: AbortSignal): Promise<void> {
    if (this.#isClosed || signal?.aborted === true) return;
    await new Promise<void>((resolve) => {
      const waiting = { attempt, over: resolve };
      this.#waiting.add(waiting);
      const end = (): void => this.#leave(waiting);
      signal?.addEventListener('abort', end, { once: true });
      this.#hold(refusal);
    });
  }

  /** Tries at once. False: the disk still does not take it. */
  tryNow(): Promise<boolean> {
    this.#trying ??= this.#tryAll().finally(() => (this.#trying = null));
    return this.#trying;
  }

  /** Hears what happens in the session. */
  onFact(fact: ObservedFact): void {
    if (fact.type === 'pause.changed') this.follow(fact.holds);
  }

  /** Acts on the holds in force; one of an earlier run of the process may be over. */
  follow(holds: readonly Hold[]): void {
    this.#isHeld = holds.some(({ kind, scope }) => kind === 'disk' && scope === 'session');
    if (this.#isHeld && this.#waiting.size === 0) this.#lift();
    // Lifted for what waited before.
    if (!this.#isHeld && this.#wanted !== null) this.#tell(this.#wanted);
  }

  close(): void {
    this.#isClosed = true;
    this.#disarm();
    for (const waiting of [...this.#waiting]) this.#leave(waiting);
  }

  /** The first to meet a full disk says so; the others met the same one. */
  #hold({ what, advice }: Refusal): void {
    const { time, release, maxWaitMs, clock } = this.#ports;
    if (this.#waiting.size === 1) {
      const reason = `${what}. ${advice}: it is tried again within a minute, and goes on by itself`;
      const since = time.now();
      this.#wanted = { kind: 'disk', scope: 'session', since, until: null, reason, release };
      // The one of an earlier run says the same, and a row for it may be one too many.
      if (!this.#isHeld) this.#tell(this.#wanted);
    }
    this.#arm();
    if (maxWaitMs === null) return;
    this.#limit ??= clock.setTimeout(() => {
      this.#ports.giveUp(
        `${what}. It was waited for as long as --max-wait allows. ${advice}, then resume it`,
      );
    }, maxWaitMs);
  }

  #leave(waiting: Waiting): void {
    if (!this.#waiting.delete(waiting)) return;
    waiting.over();
    if (this.#waiting.size > 0 || this.#isClosed) return;
    this.#disarm();
    this.#lift();
  }

  #tell(hold: Hold): void {
    void this.#ports.tell({ type: 'hold.wanted', hold });
  }

  #lift(): void {
    void this.#ports.tell({ type: 'disk.probed', ok: true, action: null });
  }

  async #tryAll(): Promise<boolean> {
    for (const waiting of [...this.#waiting]) if (await waiting.attempt()) this.#leave(waiting);
    return this.#waiting.size === 0;
  }

  #arm(): void {
    const delay = TRY_DELAYS_MS[Math.min(this.#tries, TRY_DELAYS_MS.length - 1)] ?? 60_000;
    this.#timer ??= this.#ports.clock.setTimeout(() => void this.#tryInTime(), delay);
  }

  async #tryInTime(): Promise<void> {
    this.#timer = null;
    this.#tries += 1;
    if (!(await this.tryNow()) && !this.#isClosed) this.#arm();
  }

  #disarm(): void {
    const { clock } = this.#ports;
    if (this.#timer !== null) clock.clearTimeout(this.#timer);
    if (this.#limit !== null) clock.clearTimeout(this.#limit);
    this.#timer = null;
    this.#limit = null;
    this.#wanted = null;
    this.#tries = 0;
  }
}
