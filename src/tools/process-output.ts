/**
 * What a running program prints: passed on in order, with a brake, until nothing more comes. The end of the
 * pipes is not waited for without limit, because a child left behind may hold them for ever.
 */
import type { ChildProcess } from 'node:child_process';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Readable } from 'node:stream';

/** Nothing more is read until a returned promise resolves; it must not reject. */
export type Listener = (chunk: Buffer, from: 'stdout' | 'stderr') => Promise<void> | undefined;

/** Silence after the end of a program from which follows that nothing more comes. */
const QUIET_MS = 100;

/** A child that goes on writing after its program has ended is not listened to for longer. */
const MAX_DRAIN_MS = 1_000;

export class ProgramOutput {
  readonly #streams: readonly Readable[];
  readonly #closed: Promise<'closed'>;
  #chunks = 0;
  /** Chunks whose listener has not finished. */
  #busy = 0;

  constructor(child: ChildProcess, listener: Listener) {
    this.#closed = new Promise((resolve) => child.once('close', () => resolve('closed')));
    this.#streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
    child.stdout?.on('data', (chunk: Buffer) =>
      this.#take(chunk, 'stdout', listener, child.stdout),
    );
    child.stderr?.on('data', (chunk: Buffer) =>
      this.#take(chunk, 'stderr', listener, child.stderr),
    );
  }

  /** Resolves when everything the program itself has printed was passed on. */
  async drained(): Promise<void> {
    const until = performance.now() + MAX_DRAIN_MS;
    while (performance.now() < until || this.#busy > 0) {
      const before = this.#chunks;
      const quiet = sleep(QUIET_MS, 'quiet' as const);
      if ((await Promise.race([this.#closed, quiet])) === 'closed') return;
      // What arrived while this process was busy elsewhere is read before it is called silence.
      await nextTurn();
      if (before === this.#chunks && this.#busy === 0) return;
    }
  }

  /** Whoever still writes is told so by the system. */
  close(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  #take(
    chunk: Buffer,
    from: 'stdout' | 'stderr',
    listener: Listener,
    stream: Readable | null,
  ): void {
    this.#chunks += 1;
    const pending = listener(chunk, from);
    if (pending === undefined) return;
    this.#busy += 1;
    stream?.pause();
    void pending.then(() => {
      this.#busy -= 1;
      stream?.resume();
    });
  }
}
