/** The thread in which the ledger works, so that reading a workspace keeps nobody else waiting. */
import { parentPort, workerData } from 'node:worker_threads';
import type { LedgerJob, LedgerReply } from './ledger-job.js';
import { Ledger, type Changes, type LedgerSettings } from './ledger.js';
import { NoRoom } from './no-room.js';

let made: Ledger | null = null;

const NOTHING: Changes = { changes: [], notCovered: [] };

function work(job: LedgerJob): LedgerReply {
  const ledger = (made ??= new Ledger(workerData as LedgerSettings));
  switch (job.do) {
    case 'before': {
      const touched = job.path === null ? null : ledger.touchedBy(job.path);
      const found = touched === null ? ledger.lookAtAll() : ledger.lookAt(touched);
      ledger.save();
      return { ok: true, ...found, touched };
    }
    case 'after': {
      const { touched } = job;
      return {
        ok: true,
        ...(touched === null ? ledger.lookAtAll() : ledger.lookAt(touched)),
        touched,
      };
    }
    case 'recover':
      return { ok: true, ...ledger.recover(new Map(job.known)), touched: null };
    case 'close':
      ledger.close();
      return { ok: true, ...NOTHING, touched: null };
  }
}

function answer(job: LedgerJob): LedgerReply {
  try {
    return work(job);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return { ok: false, reason, noRoom: thrown instanceof NoRoom };
  }
}

parentPort?.on('message', (job: LedgerJob) => parentPort?.postMessage(answer(job)));
