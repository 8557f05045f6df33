/** Where a session's history came from, when another program began it. Stands in its first row. */
import type { Usage } from './model.js';

/** Formats that sessions are written in for other programs; `rounds` is only written. */
export const TRANSFER_FORMATS = ['claude', 'checkpoint', 'rounds'] as const;
export type TransferFormat = (typeof TRANSFER_FORMATS)[number];

export interface ImportOrigin {
  readonly format: Exclude<TransferFormat, 'rounds'>;
  /** The file it was read from, for people. */
  readonly from: string;
  /** What the session is called there; null: the file does not say. */
  readonly session: string | null;
  /** The line that the history ends with, which a line that follows names as its parent. */
  readonly leaf: string | null;
  /** What was read is kept beside the journal; SHA-256 of the main file. */
  readonly sha256: string;
  /** What the other program had used up; it counts in no budget of ours. Null: the file does not say. */
  readonly usage: Usage | null;
}
