/**
 * A row as it lies in the database, and the hash that proves it is the row that was written. The hash also
 * covers the session and the position, so that a row cannot pass for another one.
 */
import { hash } from 'node:crypto';
import type { Millis, Seq, SessionId } from '../../messages/ids.js';

export interface StoredRow {
  readonly seq: Seq;
  readonly ts: Millis;
  readonly agent: string;
  readonly round: number;
  readonly kind: string;
  /** JSON, or a reference to a file that holds it. */
  readonly body: string;
  readonly hash: Uint8Array;
}

/** The first line is JSON and so holds no line break: where it ends and the body begins is never in doubt. */
export function hashOf(session: SessionId, row: Omit<StoredRow, 'hash'>): Buffer {
  const head = JSON.stringify([session, row.seq, row.ts, row.agent, row.round, row.kind]);
  return hash('sha256', `${head}\n${row.body}`, 'buffer');
}

/** Takes whatever the database gave: in a damaged one even the types may be wrong. */
export function isIntact(session: SessionId, row: StoredRow): boolean {
  const found: unknown = row.hash;
  return found instanceof Uint8Array && hashOf(session, row).equals(found);
}
