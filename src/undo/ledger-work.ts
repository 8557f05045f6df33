/** Does the ledger's jobs. What cannot be done is told; it never throws. */
import type { LedgerJob, LedgerReply } from './ledger-job.js';
import type { Changes, Ledger } from './ledger.js';
import { NoRoom } from './no-room.js';

const NOTHING: Changes = { changes: [], notCovered: [] };

/** `open`: the ledger, which is made when it is first asked for. */
export function doJob(open: () => Ledger, job: LedgerJob): LedgerReply {
  try {
    return work(open(), job);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return { ok: false, reason, noRoom: thrown instanceof NoRoom };
  }
}

function work(ledger: Ledger, job: LedgerJob): LedgerReply {
  switch (job.do) {
    case 'before': {
      if (job.isRecorded) ledger.confirm();
      const touched = job.path === null ? null : ledger.touchedBy(job.path);
      const found = touched === null ? ledger.lookAtAll() : ledger.lookAt(touched);
      if (job.isNobodys) ledger.confirm();
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
