/**
 * Runs one hook: the event as JSON on its stdin, its time limited, its output kept within bounds. Never
 * rejects: what goes wrong with a hook is an answer too. Who starts and ends processes is given to it.
 */
import type { Writable } from 'node:stream';
import type { HookCommand, HookEvent } from '../../messages/hooks.js';
import { readAnswer, type HookAnswer } from './hook-output.js';

/** Of stdout and of stderr each; what comes after it is read and thrown away. */
export const MAX_OUTPUT_BYTES = 64 * 1024;

/** Of what a hook says to the model or to a person. */
export const MAX_SAID_CHARS = 10_000;

export interface HookProcess {
  readonly command: string;
  /** What it belongs to: a call's id, or the event. */
  readonly id: string;
  readonly variables: Readonly<Record<string, string>>;
  input(stdin: Writable): void;
  output(chunk: Buffer, from: 'stdout' | 'stderr'): undefined;
  /** Ends it and all that it has started: TERM, a grace, KILL. */
  readonly signal: AbortSignal;
}

export type HookProcessEnd =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'not-started'; readonly code: string };

/** Starts a command in a process group of its own. Must not reject. */
export type HookShell = (process: HookProcess) => Promise<HookProcessEnd>;

export interface HookRun {
  readonly event: HookEvent;
  readonly hook: HookCommand;
  readonly id: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** `stopped`: the signal ended it before it could answer. */
export type HookEnd = HookAnswer | { readonly kind: 'stopped' };

export async function runHook(shell: HookShell, run: HookRun): Promise<HookEnd> {
  const { event, hook, id, variables, payload, signal } = run;
  const isStopped = (): boolean => signal.aborted;
  if (isStopped()) return { kind: 'stopped' };
  if (hook.timeoutMs <= 0) return { kind: 'failed', why: 'no time was left for it' };
  const [stdout, stderr] = [new BoundedText(), new BoundedText()];
  const limit = limited(signal, hook.timeoutMs);
  const end = await shell({
    command: hook.command,
    id,
    variables,
    input: (stdin) => {
      // Whoever does not read its input closes the pipe; that is no error.
      stdin.on('error', () => undefined);
      stdin.end(`${JSON.stringify(payload)}\n`);
    },
    output: (chunk, from) => (from === 'stdout' ? stdout : stderr).add(chunk),
    signal: limit.signal,
  });
  limit.release();
  switch (end.kind) {
    case 'not-started':
      return { kind: 'failed', why: `it could not be started (${end.code})` };
    case 'stopped':
      if (isStopped()) return { kind: 'stopped' };
      return {
        kind: 'failed',
        why: `it took longer than ${hook.timeoutMs / 1000} s and was ended`,
      };
    case 'exited': {
      const { text, isCut } = stdout;
      return readAnswer(event, {
        exitCode: end.exitCode,
        stdout: text,
        isCut,
        stderr: stderr.text,
      });
    }
  }
}

/** Aborts with `signal`, and when the time is over. */
function limited(signal: AbortSignal, limitMs: number): { signal: AbortSignal; release(): void } {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  const timer = setTimeout(abort, limitMs);
  signal.addEventListener('abort', abort, { once: true });
  const release = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  };
  return { signal: stop.signal, release };
}

/** The beginning of what a program prints. */
class BoundedText {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  get isCut(): boolean {
    return this.#bytes > MAX_OUTPUT_BYTES;
  }

  add(chunk: Buffer): undefined {
    const room = MAX_OUTPUT_BYTES - this.#bytes;
    if (room > 0) this.#chunks.push(chunk.subarray(0, room));
    this.#bytes += chunk.length;
  }
}
