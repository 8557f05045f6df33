/**
 * What one subscriber is sent, in order: facts and deltas as they happened, and between them the newest
 * snapshot, never an older one than what was told before it. A subscriber that is behind loses the oldest
 * events, is told how many, and is sent a snapshot to start again from.
 */
import { LossyQueue, SUBSCRIBER_QUEUE } from '../../messages/channels/broadcast.js';
import type { ControlEvent, EventKind } from '../../messages/control.js';
import type { Outgoing } from './outgoing.js';
import { eventLine, laggedLine } from './server-lines.js';

/** About 30 a second: what a screen shows. */
const SNAPSHOT_INTERVAL_MS = 33;

/** A fact or delta, encoded at most once however many subscribers it has. */
export class SharedEvent {
  readonly kind: EventKind;
  readonly #event: ControlEvent;
  #line: string | null | undefined;

  constructor(event: ControlEvent) {
    this.kind = event.ev;
    this.#event = event;
  }

  /** Null: too long for a line. */
  get line(): string | null {
    if (this.#line === undefined) this.#line = eventLine(this.#event);
    return this.#line;
  }
}

/** The snapshot that is newest when it is asked for. */
export interface SnapshotSource {
  /** Changes whenever there is a newer one. */
  readonly version: unknown;
  /** Null: too long for a line. */
  line(): string | null;
  /** What belongs behind it: the text of answers that are not finished. */
  unfinished(): readonly SharedEvent[];
}

/** Stands in the queue for whichever snapshot is the newest when its turn comes. */
const SNAPSHOT_TURN = 'snapshot-turn';

export class Feed {
  readonly #queue = new LossyQueue<SharedEvent | typeof SNAPSHOT_TURN>(SUBSCRIBER_QUEUE);
  readonly #out: Outgoing;
  readonly #source: SnapshotSource;
  readonly #wanted: ReadonlySet<EventKind> | null;
  readonly #run: Promise<void>;
  #sentVersion: unknown = null;
  #sentAt = -SNAPSHOT_INTERVAL_MS;
  /** A turn is in the queue, or `#timer` will put it there. */
  #turnTaken = false;
  #timer: NodeJS.Timeout | undefined;

  /** `events`: the kinds wanted; undefined: all. `bye` is not said here. */
  constructor(out: Outgoing, source: SnapshotSource, events: readonly EventKind[] | undefined) {
    this.#out = out;
    this.#source = source;
    this.#wanted = events === undefined ? null : new Set(events);
    this.snapshotChanged();
    for (const event of source.unfinished()) this.event(event);
    this.#run = this.#sendAll();
  }

  event(event: SharedEvent): void {
    if (this.#wants(event.kind)) this.#queue.push(event);
  }

  snapshotChanged(): void {
    if (this.#turnTaken || !this.#wants('snapshot')) return;
    this.#turnTaken = true;
    const wait = this.#wait();
    if (wait <= 0) this.#queue.push(SNAPSHOT_TURN);
    else this.#timer = setTimeout(() => this.#queue.push(SNAPSHOT_TURN), wait);
  }

  /** Resolves when everything that waits was sent, the newest snapshot last. */
  async finish(): Promise<void> {
    if (this.#wants('snapshot')) this.#queue.push(SNAPSHOT_TURN);
    this.close();
    await this.#run;
  }

  /** Takes nothing more; frees everything once the way out has ended. */
  close(): void {
    clearTimeout(this.#timer);
    this.#queue.close();
  }

  async #sendAll(): Promise<void> {
    for await (const received of this.#queue) {
      if (!(await this.#out.room())) return;
      if (received.type === 'lagged') this.#lagged(received.dropped);
      else if (received.item === SNAPSHOT_TURN) this.#takeTurn();
      else this.#sendEvent(received.item);
    }
  }

  #sendEvent(event: SharedEvent): void {
    if (event.line === null) this.#lagged(1);
    else this.#out.send(event.line);
  }

  /**
   * The text that waits has a gap in front of it: it gives way to all that was said so far, which also makes
   * the room that this needs. The turn may be among what was dropped, so the snapshot is sent now or gets a new one.
   */
  #lagged(dropped: number): void {
    const waiting = this.#queue.takeAll().filter((item) => item !== SNAPSHOT_TURN);
    const facts = waiting.filter(({ kind }) => kind !== 'delta');
    this.#out.send(laggedLine(dropped + waiting.length - facts.length));
    clearTimeout(this.#timer);
    this.#turnTaken = false;
    this.#sentVersion = null;
    if (this.#wants('snapshot') && this.#wait() <= 0) this.#takeTurn();
    else this.snapshotChanged();
    for (const event of [...facts, ...this.#source.unfinished()]) this.event(event);
  }

  #takeTurn(): void {
    this.#turnTaken = false;
    if (this.#sentVersion === this.#source.version) return;
    this.#sentVersion = this.#source.version;
    this.#sentAt = performance.now();
    const line = this.#source.line();
    if (line !== null) this.#out.send(line);
  }

  /** Until the next snapshot may be sent. */
  #wait(): number {
    return this.#sentAt + SNAPSHOT_INTERVAL_MS - performance.now();
  }

  #wants(kind: EventKind): boolean {
    return this.#wanted?.has(kind) ?? true;
  }
}
