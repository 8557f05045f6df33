/** The thread in which the ledger works, so that reading a workspace keeps nobody else waiting. */
import { parentPort, workerData } from 'node:worker_threads';
import type { LedgerJob } from './ledger-job.js';
import { doJob } from './ledger-work.js';
import { Ledger, type LedgerSettings } from './ledger.js';

let made: Ledger | null = null;

/** A disk without room may not let it be made: that is an answer too, and the next job tries again. */
const ledger = (): Ledger => (made ??= new Ledger(workerData as LedgerSettings));

parentPort?.on('message', (job: LedgerJob) => parentPort?.postMessage(doJob(ledger, job)));
