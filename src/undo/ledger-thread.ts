/** The ledger in its thread, started when it is first needed. A job is answered in its turn and never rejects. */
import type { Worker } from 'node:worker_threads';
import type { LedgerJob, LedgerReply } from './ledger-job.js';
import type { LedgerSettings } from './ledger.js';
import { ledgerProgram } from './worker-program.js';

export class LedgerThread {
  readonly #settings: LedgerSettings;
  #worker: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(settings: LedgerSettings) {
    this.#settings = settings;
  }

  /** Nothing was asked of it yet. */
  get isIdle(): boolean {
    return this.#worker === null;
  }

  ask(job: LedgerJob): Promise<LedgerReply> {
    const reply = this.#last.then(() => this.#ask(job));
    this.#last = reply;
    return reply;
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = null;
  }

  async #ask(job: LedgerJob): Promise<LedgerReply> {
    try {
      this.#worker ??= await start(this.#settings);
    } catch (thrown) {
      return { ok: false, reason: reasonOf(thrown) };
    }
    const reply = await answerOf(this.#worker, job);
    // What it knew is lost with it; the next job meets a new one, which begins again.
    if (reply === null) this.#worker = null;
    return reply ?? { ok: false, reason: 'its thread ended' };
  }
}

async function start(settings: LedgerSettings): Promise<Worker> {
  const { Worker } = await import('node:worker_threads');
  const options = { workerData: settings, env: {}, execArgv: [], stdout: true, stderr: true };
  const worker = new Worker(ledgerProgram(), options);
  worker.on('error', () => undefined);
  worker.unref();
  return worker;
}

/** Null: it ended instead. */
function answerOf(worker: Worker, job: LedgerJob): Promise<LedgerReply | null> {
  return new Promise((resolve) => {
    const settle = (reply: LedgerReply | null): void => {
      worker.off('message', settle).off('exit', gone);
      worker.unref();
      resolve(reply);
    };
    const gone = (): void => settle(null);
    worker.on('message', settle).on('exit', gone);
    worker.ref();
    worker.postMessage(job);
  });
}

const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
