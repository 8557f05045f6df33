/**
 * The one extraction worker: started when it is needed, ended when it breaks a limit or when nothing needed
 * it for a while. It gets no environment and cannot write to our output.
 */
import type { Worker } from 'node:worker_threads';
import type { ExtractJob, ExtractReply } from './extract-job.js';
import { workerProgram } from './worker-program.js';

export interface ExtractLimits {
  readonly timeMs: number;
  readonly memoryMb: number;
  readonly idleMs: number;
}

/** Enough for pages nested a few thousand deep; deeper ones end in an ordinary error. */
const STACK_MB = 4;
const YOUNG_MB = 32;

export class ExtractBench {
  readonly #limits: ExtractLimits;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(limits: ExtractLimits) {
    this.#limits = limits;
  }

  /** One job at a time. Resolves soon after the signal aborts, with any end. Must not reject. */
  async run(job: ExtractJob, signal: AbortSignal): Promise<ExtractReply> {
    clearTimeout(this.#idle);
    try {
      this.#worker ??= await this.#start();
    } catch (thrown) {
      return no(`its worker did not start: ${String(thrown)}`);
    }
    const worker = this.#worker;
    worker.ref();
    const end = this.#closed ? GIVEN_UP : await reply(worker, job, this.#limits.timeMs, signal);
    worker.unref();
    if (end.kept) this.#rest();
    else await this.#drop();
    return end.reply;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#drop();
  }

  async #start(): Promise<Worker> {
    const { Worker } = await import('node:worker_threads');
    const worker = new Worker(workerProgram(), {
      env: {},
      execArgv: [],
      // Kept from ours, and never read: reading would keep the process alive for as long as the worker.
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: this.#limits.memoryMb,
        maxYoungGenerationSizeMb: YOUNG_MB,
        stackSizeMb: STACK_MB,
      },
    });
    worker.unref();
    // The one who waits for an answer is told; without one nothing is lost.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    return worker;
  }

  #rest(): void {
    this.#idle = setTimeout(() => void this.#drop(), this.#limits.idleMs);
    this.#idle.unref();
  }

  async #drop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

const no = (reason: string): ExtractReply => ({ ok: false, reason });

interface Replied {
  readonly reply: ExtractReply;
  /** Whether the worker can be used again. */
  readonly kept: boolean;
}

const GIVEN_UP: Replied = { reply: no('the work was given up'), kept: false };

function reply(
  worker: Worker,
  job: ExtractJob,
  timeMs: number,
  signal: AbortSignal,
): Promise<Replied> {
  return new Promise((resolve) => {
    const settle = (end: Replied): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', given);
      worker.off('message', answered).off('error', broken).off('exit', gone);
      resolve(end);
    };
    const lost = (reason: string): void => settle({ reply: no(reason), kept: false });
    const answered = (answer: ExtractReply): void => settle({ reply: answer, kept: true });
    const broken = (error: Error): void => lost(reasonOf(error));
    const gone = (): void => lost('its worker ended');
    const given = (): void => settle(GIVEN_UP);
    const timer = setTimeout(() => lost(`it took longer than ${timeMs / 1000} s`), timeMs);
    worker.on('message', answered).on('error', broken).on('exit', gone);
    signal.addEventListener('abort', given, { once: true });
    if (signal.aborted) given();
    else worker.postMessage(job);
  });
}

const reasonOf = (error: Error): string =>
  'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? 'it needs too much memory'
    : error.message;
