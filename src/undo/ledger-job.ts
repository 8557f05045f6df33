/** What the ledger's thread is asked, one job at a time, and what it answers. */
import type { FileState } from '../../messages/changes.js';
import type { Changes } from './ledger.js';

export type LedgerJob =
  /**
   * A call is about to change this path, or anything. `isRecorded`: every change that was found before is in
   * the journal; `isNobodys`: and what is found now will not be, because it is nobody's here.
   */
  | {
      readonly do: 'before';
      readonly path: string | null;
      readonly isRecorded: boolean;
      readonly isNobodys: boolean;
    }
  /** It is over; `touched` is what the answer to `before` named. */
  | { readonly do: 'after'; readonly touched: readonly string[] | null }
  | { readonly do: 'recover'; readonly known: readonly (readonly [string, FileState])[] }
  | { readonly do: 'close' };

export type LedgerReply =
  | (Changes & { readonly ok: true; readonly touched: readonly string[] | null })
  /** `noRoom`: the disk did not take what was to be kept. The job can be asked for again, and loses nothing. */
  | { readonly ok: false; readonly reason: string; readonly noRoom?: boolean };
