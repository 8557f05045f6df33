/**
 * The way out to one client. What waits to be sent is bounded in size and in time: a client that exceeds
 * either is dropped, and nobody else notices.
 */
import type { Socket } from 'node:net';
import { Gate } from '../../messages/channels/gate.js';

/** Four of the longest lines: more than any client that reads leaves unread. */
const MAX_UNSENT_BYTES = 4 * 1024 * 1024;
/** A local reader that took nothing for so long is stopped or stuck. */
export const STALL_MS = 30_000;

export class Outgoing {
  readonly #socket: Socket;
  readonly #stallMs: number;
  readonly #changed = new Gate();
  #stall: NodeJS.Timeout | undefined;

  constructor(socket: Socket, stallMs: number) {
    this.#socket = socket;
    this.#stallMs = stallMs;
    socket.on('drain', () => this.#changed.open());
    socket.on('close', () => {
      clearTimeout(this.#stall);
      this.#changed.open();
    });
  }

  /** Nothing more can be sent. */
  get ended(): boolean {
    return this.#socket.destroyed || this.#socket.writableEnded;
  }

  send(line: string): void {
    if (this.ended) return;
    this.#socket.write(Buffer.from(`${line}\n`), () => this.#watchStall());
    if (this.#socket.writableLength > MAX_UNSENT_BYTES) this.#socket.destroy();
    else this.#watchStall();
  }

  /** Waits until the client has taken what it was sent. False: nothing more can be sent. */
  async room(): Promise<boolean> {
    while (!this.ended && this.#socket.writableNeedDrain) await this.#changed.opened();
    return !this.ended;
  }

  /** Says that nothing more comes, once what waits was sent; the client closes then. */
  end(): void {
    this.#socket.end();
    this.#changed.open();
  }

  /** Closes once what waits was sent, whatever the client does. */
  endAndClose(): void {
    this.#socket.destroySoon();
    this.#changed.open();
  }

  /** The clock runs while something waits, and starts anew only once nothing does. */
  #watchStall(): void {
    if (this.#socket.destroyed || this.#socket.writableLength === 0) {
      clearTimeout(this.#stall);
      this.#stall = undefined;
    } else {
      this.#stall ??= setTimeout(() => this.#socket.destroy(), this.#stallMs);
    }
  }
}
